"""A correction stands beside an answer that repeats what was corrected, in whatever words."""

import shutil
from contextlib import closing
from pathlib import Path

from core.domain import Outcome
from tests.learning.conftest import ask, judge, opened


def test_an_answer_that_gives_what_was_corrected_says_so(template, tmp_path):
    rows = "Part,Lead time [weeks],Price [EUR]\nElectrostatic chuck,14,38500\nFocus ring,14,420\n"
    (tmp_path / "parts.csv").write_text(rows)
    with closing(opened(Path(shutil.copytree(template, tmp_path / "library")))) as held:
        held.library.wait(held.library.ingest([tmp_path / "parts.csv"]))
        first = ask(held, "What is the lead time of the electrostatic chuck?")
        judge(held, first, "corrected", correction="16 weeks.")
        for question in ("What is the electrostatic chuck's lead time?", "electrostatic chuck lead time?"):
            assert ask(held, question).answer.startswith("16 weeks")
        assert "16 weeks" in "".join(ask(held, "Which part has the longest lead time?").notes)
        other = ask(held, "How many weeks is the delivery time of the electrostatic chuck?")
        assert "14" in other.answer
        assert other.outcome is Outcome.CAVEAT
        assert "16 weeks" in "".join(other.notes)
        for near in (
            "What is the lead time of the focus ring?",
            "What is the price of the electrostatic chuck?",
        ):
            answered = ask(held, near)
            assert answered.outcome is Outcome.ANSWER, near
            assert "corrected" not in "".join(answered.notes), near


def test_a_corrected_name_is_told_beside_an_answer_in_words_that_are_not_the_same(assistant):
    first = ask(assistant, "Who leads the vacuum team?")
    judge(assistant, first, "corrected", correction="Aiko Sato leads the vacuum team.")
    again = ask(assistant, "Which person is head of the vacuum team?")
    assert "Mei Tanaka" not in again.answer or "Aiko Sato" in "".join(again.notes)
    building = ask(assistant, "In which building does the vacuum team sit?")
    assert "Aiko Sato" not in "".join(building.notes)
