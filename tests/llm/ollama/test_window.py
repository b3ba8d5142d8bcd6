import pytest

from core.domain import Evidence, Plan, SubQuestion, Turn
from core.errors import LLMError
from core.llm.ollama.window import estimate_tokens, fit, was_cut
from core.tasks import (
    Bridge,
    Describe,
    Enrich,
    EnrichedPiece,
    ProposeNext,
    Select,
    Understand,
)

LONG = "The recipe sets a pressure of 40 Pa and a power of 300 W for the main etch. "


@pytest.mark.parametrize(
    ("text", "least", "most"),  # rules of thumb: Chinese 1 character a token, English 4, digits up to 1
    [
        ("The quick brown fox jumps over the lazy dog. " * 20, 180, 290),
        ("真空泵必须每两千小时保养一次，并检查本底压力。" * 20, 280, 520),
        ("2024-01-03 17:45:09,88.1,93.25,0.0021\n" * 20, 380, 900),
        ("🙂🚀" * 20, 40, 160),
        ("", 0, 1),
    ],
)
def test_tokens_are_estimated_by_script(text, least, most):
    assert least <= estimate_tokens(text) <= most


def evidence(count: int) -> tuple[Evidence, ...]:
    return tuple(Evidence(n=n, text=f"{n}: {LONG * 3}", source="Recipe") for n in range(1, count + 1))


def test_what_fits_is_left_alone():
    fitted = fit(Bridge(question="?", evidence=evidence(3)), 4000)
    assert (fitted.trimmed, fitted.notes) == (0, ())
    assert fitted.tokens < 4000


def test_evidence_goes_from_the_end():
    fitted = fit(Bridge(question="Which pressure?", evidence=evidence(20)), 1000)
    assert fitted.tokens <= 1000
    kept = 20 - fitted.trimmed
    assert 0 < kept < 20
    assert f"<<<[{kept}] " in fitted.prompt.user
    assert f"<<<[{kept + 1}] " not in fitted.prompt.user
    assert "Which pressure?" in fitted.prompt.user


def test_examples_go_before_evidence_and_old_turns_before_new_ones():
    plan = Plan(question=LONG * 4, parts=(SubQuestion(id=1, question=LONG),))
    fitted = fit(Understand(question="Why?", examples=(plan,) * 8), 2200)
    assert 0 < fitted.trimmed < 8
    turns = tuple(Turn(question=f"turn {n}?", answer=LONG * 4) for n in range(9))
    fitted = fit(Understand(question="And then?", history=turns), 1800)
    assert "turn 8?" in fitted.prompt.user and "turn 0?" not in fitted.prompt.user


def test_a_long_list_of_tags_is_shortened():
    fitted = fit(Understand(question="?", tags=tuple(f"a tag called {n}" for n in range(3000))), 3000)
    assert fitted.trimmed > 1000
    assert "a tag called 0\n" in fitted.prompt.user


def test_candidates_keep_their_numbers():
    fitted = fit(Select(question="?", candidates=tuple(f"What is {n}? {LONG}" for n in range(60))), 1000)
    assert "0. What is 0?" in fitted.prompt.user and "1. What is 1?" in fitted.prompt.user


def test_a_single_piece_too_long_is_shortened_at_a_sentence_and_said():
    fitted = fit(Bridge(question="?", evidence=(Evidence(n=1, text=LONG * 60, source="R"),)), 900)
    assert fitted.notes == ("the only piece of evidence was shortened",)
    assert "main etch.\n<<<end>>>" in fitted.prompt.user


def test_a_text_too_long_loses_its_end_and_says_so():
    fitted = fit(
        Enrich(title="T", pieces=(EnrichedPiece(n=1, heading="H", text=f"First. {LONG * 80}"),)), 1200
    )
    assert fitted.notes == ("the end of the text was left out",)
    assert "First." in fitted.prompt.user
    fitted = fit(Enrich(title="T", before=LONG * 60, pieces=(EnrichedPiece(n=1, text="Short."),)), 900)
    assert "Short." in fitted.prompt.user


def test_a_question_that_alone_is_too_long_is_an_error_that_names_the_knob():
    with pytest.raises(LLMError) as caught:
        fit(Understand(question=LONG * 100), 1000)
    assert "STRATA_LLM__NUM_CTX" in caught.value.hint


def test_a_picture_takes_room():
    bare = fit(ProposeNext(question="?"), 4000).tokens
    assert fit(Describe(image="aGk="), 4000).tokens > 768 > bare


def test_a_cut_is_told_from_a_text_that_was_shorter_than_thought():
    assert was_cut(5000, 2050, 8192)  # the server has 4096
    assert was_cut(5000, 1026, 8192)
    assert was_cut(7000, 3002, 6000)
    assert not was_cut(5000, 4300, 8192)
    assert not was_cut(5000, 3333, 8192)  # Chinese read with fewer tokens
    assert not was_cut(5000, 0, 8192)  # the server does not count
