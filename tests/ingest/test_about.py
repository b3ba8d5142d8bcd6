"""What a file's own data say of it can be searched; a name that only an account left there cannot."""

import pytest

from core.domain import Block, Parsed
from core.ingest.about import with_about

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def made(media_type: str, first: str, **metadata: str) -> Parsed:
    blocks = (Block(kind="heading", text="Pumps", level=1), Block(kind="paragraph", text=first))
    return Parsed(title="Pumps", media_type=media_type, blocks=blocks, metadata=metadata)


def about(parsed: Parsed) -> str:
    return "\n".join(block.text for block in with_about(parsed).blocks[2:])


def test_a_book_names_its_authors_and_its_publisher() -> None:
    book = made("application/epub+zip", "Of pumps.", author="Ann Lee, Bo Dahl", publisher="Apache", pages="3")
    assert about(book) == "About Pumps\nAuthors: Ann Lee, Bo Dahl\nPublisher: Apache"


@pytest.mark.parametrize(
    ("first", "author", "said"),
    [
        ("Ann Lee and Bo Dahl, Oslo", "Ann Lee", "About Pumps\nAuthors: Ann Lee"),
        ("Carl Berg, Bergen", "Ann Lee", ""),
        ("made with python-docx", "JOHNSCA", ""),
        ("anonymous", "anonymous", ""),
    ],
)
def test_the_author_of_an_office_file_counts_where_the_document_says_it(
    first: str, author: str, said: str
) -> None:
    assert about(made(DOCX, first, author=author)) == said


def test_a_subject_that_says_nothing_is_left_out() -> None:
    assert about(made(DOCX, "x", subject="(unspecified)")) == ""
    assert about(made(DOCX, "x", subject="Pumps")) == ""
    assert about(made(DOCX, "x", description="Vacuum pumps of line 2")).endswith("Vacuum pumps of line 2")
