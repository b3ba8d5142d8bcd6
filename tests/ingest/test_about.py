"""What a file's own data say of it can be searched; a name that only an account left there cannot."""

import pytest

from core.domain import Block, BlockKind, Parsed
from core.ingest.authors import with_authors
from core.ingest.file_metadata import with_about
from core.text.person_names import authors_under, names_on

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def made(media_type: str, first: str, **metadata: str) -> Parsed:
    blocks = (Block(kind="heading", text="Pumps", level=1), Block(kind="paragraph", text=first))
    return Parsed(title="Pumps", media_type=media_type, blocks=blocks, metadata=metadata)


def about(parsed: Parsed) -> str:
    return "\n".join(block.text for block in with_about(with_authors(parsed)).blocks[2:])


def test_a_book_names_its_authors_and_its_publisher() -> None:
    book = made("application/epub+zip", "Of pumps.", author="Ann Lee; Bo Dahl", publisher="Apache", pages="3")
    statement = "Pumps was written by Ann Lee and Bo Dahl. Authors: Ann Lee, Bo Dahl."
    assert about(book) == f"About Pumps\n{statement}\nPublisher: Apache"


@pytest.mark.parametrize(
    ("first", "author", "authors"),
    [
        ("Ann Lee and Bo Dahl, Oslo", "Ann Lee", "Ann Lee"),
        ("Carl Berg, Bergen", "Ann Lee", None),
        ("made with python-docx", "JOHNSCA", None),
        ("The Bank of Oslo", "The Bank of Oslo", None),
        ("Ann Lee2, Bo Dahl3\nHarbour College", "e516160", "Ann Lee; Bo Dahl"),
        ("Prepared By: Sarah Martinez", "", "Sarah Martinez"),
        ("Speech by\nAndrew G Haldane*", "The Bank of Oslo", "Andrew G Haldane"),
        ("作者：张三、李四", "", "张三; 李四"),
        ("作者：泵的维护与保养手册", "", None),
        ("Author\nCarla Bergen", "", "Carla Bergen"),
        ("Ann Lee, Oslo", "Ann Lee; Zed Nowhere", None),
        ("Emma Paradis", "Emma Paradis; Zed Nowhere", "Emma Paradis"),
        ("Of pumps, for Ann Lee and his friend Bo Dahl", "Ann Lee, Bo Dahl", "Ann Lee; Bo Dahl"),
        ("Of pumps, for Ann Lee and his friend Bo Dahl", "Lee, Ann; Dahl, Bo", "Ann Lee; Bo Dahl"),
        ("By Product Line", "", None),
    ],
)
def test_authors_are_those_the_document_says_for_sure(first: str, author: str, authors: str | None) -> None:
    assert with_authors(made(DOCX, first, author=author)).metadata.get("authors") == authors


@pytest.mark.parametrize(
    ("blocks", "authors"),
    [
        ([("heading", "Pumps"), ("paragraph", "It is said. " * 40), ("paragraph", "By Ann Lee")], None),
        ([("heading", "Pumps"), ("code", "Author: Ann Lee")], None),
        ([("paragraph", "Ann Lee and Bo Dahl"), ("paragraph", "Of pumps.")], "Ann Lee; Bo Dahl"),
    ],
)
def test_authors_stand_in_lines_before_the_text(
    blocks: list[tuple[BlockKind, str]], authors: str | None
) -> None:
    result = tuple(Block(kind=kind, text=text) for kind, text in blocks)
    parsed = Parsed(title="Pumps", media_type=DOCX, blocks=result)
    assert with_authors(parsed).metadata.get("authors") == authors


def test_figures_behind_names_are_marks_and_raised() -> None:
    assert with_authors(made(DOCX, "Ann Lee2, Bo Dahl3")).blocks[1].text == "Ann Lee², Bo Dahl³"


@pytest.mark.parametrize(
    ("lines", "text", "authors"),
    [
        (
            ["Ann Lee ¹, Bo", "Dahl ², and Cy Berg ¹", "1 Oslo Institute"],
            "",
            ["Ann Lee", "Bo Dahl", "Cy Berg"],
        ),
        (["Ann Lee∗⁺, Bo van der Dahl$ ,", "Cy Berg"], "", ["Ann Lee", "Bo van der Dahl", "Cy Berg"]),
        (["Emma Paradis", "May 2, 2023"], "Paradis, E. (2006) Analysis", ["Emma Paradis"]),
        (["Emma Paradis", "May 2, 2023"], "see E. Paradis 2006", ["Emma Paradis"]),
        (["Emma Paradis∗", "May 2, 2023"], "", ["Emma Paradis"]),
        (["Oslo Report∗", "May 2, 2023"], "", []),
        (["Ann Lee ann@oslo.no, Bo Dahl"], "", ["Ann Lee", "Bo Dahl"]),
        (["Ann Lee, Bo Dahl", "Oslo Institute", "Cy Berg, Di Holt"], "", ["Ann Lee", "Bo Dahl"]),
        (["the first", "the second", "the third", "the fourth", "Ann Lee, Bo Dahl"], "", []),
        (["San Francisco", "May 2, 2023"], "", []),
        (["Emma Paradis", "Oslo", "emma.paradis@oslo.no"], "", ["Emma Paradis"]),
        (["Ann Lee  Bo Dahl", "Oslo Universität  Bergen Universität"], "", ["Ann Lee", "Bo Dahl"]),
    ],
)
def test_authors_are_read_under_a_title(lines: list[str], text: str, authors: list[str]) -> None:
    assert authors_under(lines, text) == authors


@pytest.mark.parametrize(
    "line",
    [
        "Annual Report",
        "Harbour University, Oslo Institute",
        "Word 10, Excel 11",
        "ANN LEE, BO DAHL",
        "张三 李四",
    ],
)
def test_what_has_the_form_of_names_only_is_none(line: str) -> None:
    assert names_on(line) == []


def test_a_subject_that_says_nothing_is_left_out() -> None:
    assert about(made(DOCX, "x", subject="(unspecified)")) == ""
    assert about(made(DOCX, "x", subject="Pumps")) == ""
    assert about(made(DOCX, "x", description="Vacuum pumps of line 2")).endswith("Vacuum pumps of line 2")
