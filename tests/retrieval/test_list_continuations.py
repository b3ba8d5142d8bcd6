"""A list that is cut where a chunk was full comes whole, each item cited where it stands."""

from collections.abc import Iterator

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Chunk, Outcome, Passage, Scope
from core.retrieval.evidence_pieces import as_evidence
from core.retrieval.list_continuations import ListContinuations
from core.settings import Settings, StoreSettings
from core.text.list_items import ends_in_list, leading_items

ITEMS = [
    "the oil level, read at the glass on the left side with the pump at rest and warm",
    "the pressure of the nitrogen purge, which has to lie between 2.1 and 3.4 bar",
    "the noise of both bearings, heard with the stethoscope from the cabinet of the shift",
    "the temperature of the outlet, taken with the pyrometer at the white mark",
    "the belt, for cracks at its edges and for a tension of 40 to 45 Hz",
    "the exhaust filter, for oil mist, grey dust and a loose clamp",
    "the cooling water, 6 to 9 l/min at an inlet of at most 24 °C",
    "the seal gas line, for ice, dents and the date on its tag",
    "the hour meter, noted in the book of the pump with name and time",
    "the feet, of which none may rock when the frame is pushed by hand",
    "the drip tray, which is emptied into the red can and wiped dry",
    "the emergency stop, tried once a month with the line at rest",
]
TEXT = (
    "# Rounds\n\n## Weekly round\n\n"
    + "The weekly round belongs to the early shift and takes half an hour. "
    + "Whoever walks it carries the lamp and the book of the pump. " * 12
    + "\n\nThe checks of the weekly round at pump VP-7 are:\n\n"
    + "\n".join(f"- {item}" for item in ITEMS)
    + "\n"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("lists")
    (folder / "in").mkdir()
    (folder / "in" / "rounds.md").write_text(TEXT, "utf-8")
    for pump in range(10, 40):  # which say more of the question than the second half of the list
        statement = f"The checks of the weekly round at pump VP-{pump} found nothing in week {pump}."
        (folder / "in" / f"log-{pump}.md").write_text(f"# Log of VP-{pump}\n\n{statement}\n", "utf-8")
    built = build(Settings(store=StoreSettings(path=folder / "data")), warm=False)
    built.library.wait(built.library.ingest([folder / "in"]))
    yield built
    built.close()


def passage_of(chunk: Chunk) -> Passage:
    return Passage(chunk=chunk, document_title="Rounds", query="", score=1.0)


def chunks_of(library: Assistant) -> list[Chunk]:
    document = next(each for each in library.library.contents.documents() if each.name == "rounds.md")
    return library.library.contents.chunks(document_id=document.id)


def test_a_list_is_told_whole_with_what_its_second_half_stands_in(library: Assistant) -> None:
    run = library.questions.ask("What are the checks of the weekly round at pump VP-7?")
    report = library.questions.wait(run, 60)
    assert report.outcome is Outcome.ANSWER
    assert all(item in report.answer.replace("**", "") for item in ITEMS)
    assert len({n for sentence in report.sentences for n in sentence.citations}) > 1


def test_what_goes_on_with_a_list_comes_right_behind_it_unless_it_is_closed(library: Assistant) -> None:
    knowledge = library.library.knowledge
    chunks = chunks_of(library)
    cut = next(at for at, chunk in enumerate(chunks) if ends_in_list(chunk.text) and chunk is not chunks[-1])
    other = passage_of(chunks[0])
    found = ListContinuations(knowledge).add([passage_of(chunks[cut]), other], Scope())
    assert [passage.chunk.id for passage in found][:2] == [chunks[cut].id, chunks[cut + 1].id]
    pieces = as_evidence(found)
    assert [item for _, item in pieces[0].rest] == leading_items(chunks[cut + 1].text)
    assert {n for n, _ in pieces[0].rest} == {2}
    closed = Scope(without=(chunks[cut + 1].id,))
    assert ListContinuations(knowledge).add([passage_of(chunks[cut]), other], closed) == [
        passage_of(chunks[cut]),
        other,
    ]


@pytest.mark.parametrize(
    "text, ends, items",
    [
        ("Checks:\n- oil\n  level\n- belt", True, []),
        ("- oil\n  level\n- belt\nDone.", False, ["- oil level", "- belt"]),
        ("1. oil\n2. belt", True, ["1. oil", "2. belt"]),
        ("The checks are:", True, []),
        ("No list.", False, []),
        ("", False, []),
    ],
)
def test_where_a_text_ends_in_a_list_or_begins_with_items(text: str, ends: bool, items: list[str]) -> None:
    assert ends_in_list(text) is ends
    assert leading_items(text) == items
