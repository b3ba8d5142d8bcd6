"""Runs are found by their words and by what became of them."""

from pathlib import Path

from core.domain import Level, Outcome, Report
from core.knowledge.stores.activity.run_search import RunSearch
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.database import Database
from core.knowledge.stores.migrations import migrate
from core.knowledge.stores.records import Run, RunFilter
from core.trace import Asked, Stamped


def test_runs_are_narrowed_by_each_field_and_paged(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalog.sqlite")
    with database.writing() as connection:
        migrate(connection)
    store, search = RunStore(database), RunSearch(database)
    asked = (
        ("a", "Wet clean of chamber B", Level.FACTUAL, Outcome.ANSWER, "built-in", None, ""),
        ("b", "Chamber B: the clean, wet?", Level.LINKING, Outcome.GAP, "qwen3", "quick", "a"),
        ("c", "100 % of the yield_", Level.FACTUAL, Outcome.ANSWER, "qwen3", "thorough", ""),
    )
    for at, (name, question, level, outcome, engine, effort, parent) in enumerate(asked):
        report = Report(run=name, question=question, level=level, outcome=outcome, engine=engine)
        store.save_run(
            Run(id=name, conversation=name, question=question, status="done", started=at, report=report)
        )
        store.append(
            name, [Stamped(seq=0, at=0, event=Asked(question=question, effort=effort, parent=parent))]
        )
    store.save_run(Run(id="d", conversation="d", question="still going", status="running", started=9))

    def ids(**wanted: object) -> list[str]:
        return [card.id for card in search.find(RunFilter.model_validate(wanted))[0]]

    assert ids() == ["d", "c", "b", "a"]
    assert ids(text="CLEAN wet") == ["b", "a"]
    assert ids(text="100 % yield_") == ["c"]
    assert ids(levels=("L1",), engines=("qwen3",)) == ["c"]
    assert ids(outcomes=(str(Outcome.GAP),)) == ids(efforts=("quick",)) == ["b"]
    assert ids(efforts=("",)) == ["d", "a"]
    assert ids(since=1, until=2) == ["b"]
    page, total = search.find(RunFilter(), limit=2, offset=1)
    assert ([card.id for card in page], total, page[1].parent) == (["c", "b"], 4, "a")
    assert search.engines() == ["built-in", "qwen3"]
