"""Recorded runs of the knowledge-aware loop are repeated: what a model said then, our retrieval now."""

from pathlib import Path
from typing import Any

import pytest

from bench.replay import RecordedLLM, read_recordings, recording, replay
from core.tasks import Propose, Select

CHUNKS = {
    "The DP-3 is a dry vacuum pump. It stands in the sub-fab of Fab 7 and serves the etch tools.": (
        "What is the DP-3?",
        "Where does the DP-3 stand?",
    ),
    "Norvac AS is a Norwegian maker of vacuum pumps. The DP-3 was its first dry pump.": (
        "Who made the DP-3?",
        "What does Norvac AS make?",
    ),
    "Norvac AS was founded in Trondheim in 1987 by Kari Moe, an engineer.": (
        "Who founded Norvac AS?",
        "When was Norvac AS founded?",
    ),
    "The canteen of Fab 7 opens at eleven. Lunch is served until two.": ("When does the canteen open?",),
}
PUMP, MAKER, FOUNDER, _ = CHUNKS


def chosen(question: str, chunk: str) -> dict[str, Any]:
    return {"selected": True, "chosen_info": {"question": question, "source_chunk": chunk}}


def step(proposals: list[str], selection: dict[str, Any]) -> dict[str, Any]:
    hits = [
        {"relevant_proposal": proposals[0], "sub-question": asked, "relevant_context": chunk}
        for chunk, questions in CHUNKS.items()
        for asked in questions
    ]
    return {"proposal": {"proposal_list": proposals}, "retrieval": hits, "selection": selection}


RECORD: dict[str, Any] = {
    "question": "Who founded the company that made the pump DP-3?",
    "metadata": {},
    "answer_metadata": {
        "decomposition_infos": {
            "Sub1": step(
                ["Who is the maker of the DP-3?", "Which pump is the DP-3?"],
                chosen("Who made the DP-3?", MAKER),
            ),
            "Sub2": step(["Who is the founder of Norvac AS?"], chosen("Who founded Norvac AS?", FOUNDER)),
            "Sub3": step(["Is it known who founded Norvac AS?"], {"selected": False}),
        }
    },
}


def test_a_recording_is_run_to_the_same_chunks_through_a_served_model(tmp_path: Path):
    figures = replay([recording(RECORD)], tmp_path)
    assert figures["runs"][0]["chosen"] == [MAKER, FOUNDER]
    assert (figures["run_identically"], figures["same_chosen_chunks"]) == (1.0, 1.0)
    assert (figures["chunks"], figures["atoms"], figures["chosen_chunks"]) == (4, 7, 2)


def test_a_chunk_that_is_not_offered_is_not_chosen():
    llm = RecordedLLM([recording(RECORD)])
    asked = Select(question=RECORD["question"], candidates=("When does the canteen open?",))
    assert llm.run(asked, Select.reply).index is None
    other = asked.model_copy(update={"candidates": ("?", "What does Norvac AS make?")})
    assert llm.run(other, Select.reply).index == 1  # another question of the recorded chunk
    assert llm.run(Propose(question=RECORD["question"]), Propose.reply).questions[0].startswith("Who is")


def test_what_was_not_recorded_is_an_error_and_no_guess():
    llm = RecordedLLM([recording(RECORD)])
    with pytest.raises(KeyError):
        llm.run(Propose(question="Who wrote The Bet?"), Propose.reply)
    with pytest.raises(KeyError, match="no recorded chunk"):
        llm.chunk_of("Pigeons find their way home by the sun and the stars.")


@pytest.mark.slow
def test_recorded_runs_of_gpt4_are_run_to_the_chunks_it_chose(bench_data: Path, tmp_path: Path):
    figures = replay(read_recordings(bench_data / "traces" / "pike_rag_gpt4.jsonl"), tmp_path)
    assert figures["chosen_chunks"] == 12
    assert (figures["run_identically"], figures["same_chosen_chunks"]) == (1.0, 1.0)
