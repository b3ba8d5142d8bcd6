"""Whether a question is being answered does not depend on how many came, nor on the clock."""

import time
from pathlib import Path

from core.bootstrap import _idle
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.records import Run


def test_a_question_begun_before_the_clock_was_set_is_still_being_answered(tmp_path: Path) -> None:
    def run(name: str, started: float, **more: object) -> Run:
        made = {"id": name, "conversation": name, "question": "What?", "started": started, **more}
        return Run.model_validate(made)

    now = time.time()
    with KnowledgeBase(tmp_path, "test") as library:
        for number in range(60):
            library.runs.save_run(run(str(number), now, status="done", finished=now))
        assert _idle(library)
        library.runs.save_run(run("asked", now - 3600, status="running"))
        assert not _idle(library)
