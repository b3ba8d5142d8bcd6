"""The self-test: questions out of the library's own atoms, scored at home, kept, and a fall explained."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.bootstrap import build
from core.bootstrap.learning_wiring import prompts_digest
from core.errors import FeedbackError
from core.learning.cloze import cloze
from core.learning.selftest import SelfTest, falls
from core.settings import LLMSettings, Settings, StoreSettings
from tests.learning.papers import MANUAL, MEETING


def opened(folder: Path, **ingest: int) -> Assistant:
    plain = Settings(store=StoreSettings(path=folder / "library"), llm=LLMSettings(backend="built-in"))
    changed = plain.ingest.model_copy(update=ingest)
    return build(plain.model_copy(update={"ingest": changed}), warm=False)


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("selftest")
    opened_file = opened(folder)
    for name, text in (("manual.md", MANUAL), ("meeting.md", MEETING)):
        (folder / name).write_text(text, encoding="utf-8")
    opened_file.library.wait(opened_file.library.ingest([folder / "manual.md", folder / "meeting.md"]))
    yield opened_file
    opened_file.close()


def test_questions_are_made_of_atoms_and_stay_the_same(assistant):
    made = assistant.learning.tester.questions()
    texts = [question.question for question in made.questions]
    assert "The wet clean of a PE-300 chamber takes how many hours?" in texts
    assert len(set(texts)) == len(texts)
    assert assistant.learning.tester.questions() == made


def test_scores_are_kept_with_what_they_depend_on(assistant):
    result, fell = assistant.learning.self_test()
    assert result.scores["recall@5"] == 1.0
    assert 0.0 < result.scores["mrr"] <= 1.0
    assert result.scores["answered"] >= 0.5
    assert result.fingerprint["chunking"] == "160 to 250 tokens"
    assert result.fingerprint["embedder"].startswith("all-MiniLM-L6-v2")
    assert fell == ()
    assert assistant.learning.self_tests()[-1] == result


def test_the_same_library_scores_the_same_twice(assistant):
    first, _ = assistant.learning.self_test()
    second, fell = assistant.learning.self_test()
    assert (first.scores, fell) == (second.scores, ())


def test_the_set_also_scores_a_library_that_was_chunked_anew(tmp_path):
    (tmp_path / "both.md").write_text(MANUAL + MEETING, encoding="utf-8")
    opened_file = opened(tmp_path)
    opened_file.library.wait(opened_file.library.ingest([tmp_path / "both.md"]))
    before, _ = opened_file.learning.self_test()
    opened_file.library.delete_permanently(opened_file.library.contents.documents()[0].id)
    opened_file.close()
    opened_file = opened(tmp_path, target_tokens=16, max_tokens=32)
    opened_file.library.wait(opened_file.library.ingest([tmp_path / "both.md"]))
    after, _ = opened_file.learning.self_test()
    opened_file.close()
    assert after.set == before.set
    assert after.questions == before.questions
    assert after.library["chunks"] != before.library["chunks"]
    assert after.scores["recall@10"] >= 0.8


def test_a_fall_names_what_was_different():
    before = SelfTest(set="s", scores={"recall@5": 0.95, "mrr": 0.8}, fingerprint={"chunking": "160"})
    after = SelfTest(set="s", scores={"recall@5": 0.80, "mrr": 0.79}, fingerprint={"chunking": "60"})
    (fall,) = falls([before, after])
    assert (fall.measure, fall.before, fall.after) == ("recall@5", 0.95, 0.80)
    assert fall.changed == ("chunking: 160 → 60",)


def test_tests_of_other_questions_are_not_compared():
    before = SelfTest(set="s", scores={"mrr": 0.9})
    assert falls([before, SelfTest(set="t", scores={"mrr": 0.1})]) == ()


def test_a_library_without_atoms_says_what_to_do(tmp_path):
    opened_file = opened(tmp_path)
    with pytest.raises(FeedbackError, match="no questions to test itself with") as refused:
        opened_file.learning.self_test()
    opened_file.close()
    assert "Add documents" in refused.value.hint


def test_every_prompt_counts_in_the_digest():
    assert len(prompts_digest()) == 8


@pytest.mark.parametrize(
    ("statement", "question", "answer"),
    [
        (
            "Yield of product A77 fell to 84.1 % in week 11.",
            "Yield of product A77 fell to what percentage in week 11?",
            "84.1",
        ),
        (
            "The dry pump of the PE-300 is made by Norvac in Bergen.",
            "The dry pump of the PE-300 is made by Norvac in which name?",
            "Bergen",
        ),
        ("更换轴封后必须进行30分钟的检漏。", "更换轴封后必须进行多少分钟的检漏？", "30"),
    ],
)
def test_a_statement_becomes_a_question_for_its_number_or_name(statement, question, answer):
    assert cloze(statement) == (question, answer)


@pytest.mark.parametrize("statement", ["It is due.", "Is it 5 hours?", "See SOP-112."])
def test_a_statement_with_nothing_to_ask_for_makes_no_question(statement):
    assert cloze(statement) is None
