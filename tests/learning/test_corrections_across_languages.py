"""A correction stands beside an answer to the same question in the other language."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from core.domain import Outcome
from tests.learning.conftest import ask, judge, opened


@pytest.mark.parametrize(
    ("corrected", "again", "near"),
    [
        (
            "What is the lead time of the electrostatic chuck?",
            ("静电吸盘的交货期是几周？", "静电吸盘的交货期是多少？"),
            ("聚焦环的交货期是几周？", "静电吸盘的价格是多少？"),
        ),
        (
            "静电吸盘的交货期是几周？",
            ("What is the lead time of the electrostatic chuck?",),
            ("What is the lead time of the focus ring?", "What is the price of the electrostatic chuck?"),
        ),
    ],
)
def test_an_answer_in_the_other_language_that_gives_what_was_corrected_says_so(
    template, tmp_path, corrected, again, near
):
    rows = "Part,Lead time [weeks],Price [EUR]\nElectrostatic chuck,14,38500\nFocus ring,14,420\n"
    (tmp_path / "parts.csv").write_text(rows)
    (tmp_path / "供货.md").write_text(
        "# 供货\n\n静电吸盘由 Nordvak 供货，交货期 14 周。聚焦环由 Silmatec 供货，交货期 14 周。\n"
    )
    with closing(opened(Path(shutil.copytree(template, tmp_path / "library")))) as held:
        held.library.wait(held.library.ingest([tmp_path / "parts.csv", tmp_path / "供货.md"]))
        judge(held, ask(held, corrected), "corrected", correction="16 weeks.")
        for question in again:
            told = ask(held, question)
            assert "14" in told.answer and told.outcome is Outcome.CAVEAT, (question, told.answer)
            assert corrected in "".join(told.notes) and "16 weeks" in "".join(told.notes)
        for question in near:
            assert "16 weeks" not in "".join(ask(held, question).notes), question
