"""Answers are laid out as they were written, citation by citation."""

from core.domain import Sentence, Support
from core.ui.chat import answer_layout
from tests.ui import sample


def shown(blocks: list[dict[str, object]]) -> list[tuple[str, str]]:
    return [
        (
            block["kind"],
            " ".join(
                "".join(r.get("text", f"[{r.get('cite')}]") for r in s["runs"]) for s in block["sentences"]
            ),
        )
        for block in blocks
    ]


def test_a_citation_stands_where_it_was_written() -> None:
    assert answer_layout.runs("The gap is 27 mm [2, 3].") == [
        {"text": "The gap is 27 mm"},
        {"cite": 2},
        {"cite": 3},
        {"text": "."},
    ]


def test_a_citation_that_is_not_written_comes_before_the_full_stop() -> None:
    assert answer_layout.runs("The gap is 27 mm.", (4,)) == [
        {"text": "The gap is 27 mm"},
        {"cite": 4},
        {"text": "."},
    ]
    assert answer_layout.runs("27 mm", (4,)) == [{"text": "27 mm"}, {"cite": 4}]


def test_lines_are_kept_though_only_the_answer_has_its_citations_written() -> None:
    answer = "Two causes [1].\n\n- The chuck [1].\n- The seal [2]."
    sentences = tuple(Sentence(text=t, citations=(1,)) for t in ("Two causes.", "The chuck.", "The seal."))
    assert [block["kind"] for block in answer_layout.finished(answer, sentences)] == [
        "paragraph",
        "item",
        "item",
    ]


def test_emphasis_is_kept_and_its_stars_are_not() -> None:
    assert answer_layout.runs("In **chamber B** it was.")[1] == {"text": "chamber B", "strong": True}


def test_sentences_of_one_line_share_a_paragraph() -> None:
    blocks = answer_layout.finished(sample.ANSWER, sample.SENTENCES)
    assert [block["kind"] for block in blocks] == ["paragraph"]
    assert [s["support"] for s in blocks[0]["sentences"]] == [
        "supported",
        "supported",
        "supported",
        "missing",
    ]


def test_list_items_and_headings_stay_what_they_are() -> None:
    answer = "# Causes\nTwo were found.\n- The chuck wore out [1].\n- The seal leaked [2]."
    sentences = tuple(
        Sentence(text=text, support=Support.SUPPORTED)
        for text in ("Causes", "Two were found.", "The chuck wore out [1].", "The seal leaked [2].")
    )
    assert shown(answer_layout.finished(answer, sentences)) == [
        ("heading", "Causes"),
        ("paragraph", "Two were found."),
        ("item", "The chuck wore out[1]."),
        ("item", "The seal leaked[2]."),
    ]


def test_a_sentence_that_was_reworded_is_still_shown() -> None:
    blocks = answer_layout.finished("Something else.", (Sentence(text="What was checked."),))
    assert shown(blocks) == [("paragraph", "What was checked.")]


def test_a_draft_is_shown_line_by_line_with_support_unknown() -> None:
    blocks = answer_layout.draft("First line [1]\n\n- item")
    assert shown(blocks) == [("paragraph", "First line[1]"), ("item", "item")]
    assert blocks[0]["sentences"][0]["support"] == "open"


def test_an_answer_without_checked_sentences_is_shown_as_it_is() -> None:
    assert shown(answer_layout.finished("Nothing was checked.", ())) == [
        ("paragraph", "Nothing was checked.")
    ]


def test_plain_text_has_no_marks() -> None:
    assert answer_layout.plain("It was **B** [1, 2].") == "It was B."
