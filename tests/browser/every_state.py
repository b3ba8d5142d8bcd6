"""Visits every page and state of the app and says what is wrong there; pictures of all lie in a folder.

    python -m tests.browser.every_state OUT [--only chat,trace] [--sizes phone] [--themes dark]

Each state is checked with axe-core (serious and critical findings, contrast among them), for its height, for
what reaches past its right edge, for requests that leave this machine, and for what the console complains of.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Edits, Outcome, SubQuestion
from core.knowledge.stores.records import Run
from core.settings import Settings, StoreSettings
from core.trace import Asked, Failed, Finished, Stamped
from tests.browser import conftest
from tests.browser.accessibility import findings
from tests.browser.test_main_job import fits
from tests.browser.window import Window
from tests.ui import council_run, long_run, sample

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = {"wide": conftest.WIDE, "phone": conftest.NARROW}
SCREENS = 3
UNFOLDED = ("chat-unfolded",)  # as tall as a reader makes it

Act = Callable[[Page], None]
Seeded = Iterable[tuple[Run, list[Stamped]]]


def _nothing(page: Page) -> None:
    pass


def _press(selector: str) -> Act:
    return lambda page: page.locator(selector).first.click()


def _row(page: Page) -> None:
    page.get_by_test_id("stDataFrame").locator("visible=true").first.click(position={"x": 18, "y": 55})


def _delete(page: Page) -> None:
    _row(page)
    page.get_by_role("button", name=re.compile("Delete …|删除")).first.click()
    page.get_by_role("dialog").wait_for()


def _search(page: Page) -> None:
    box = page.get_by_test_id("stMain").locator("input[type=text]").first
    box.fill("wet clean")
    box.press("Enter")


def _trace(run: str, at: str = "") -> str:
    return f"trace?run={run}&at={at}"


STATES: dict[str, tuple[str, Act]] = {
    "chat-empty": ("", _nothing),
    "chat-factual": ("?run={factual}", _nothing),
    "chat-source": ("?run={factual}", _press(".strata-cite")),
    "chat-composite": ("?run={composite}", _nothing),
    "chat-part": ("?run={composite}", _press(".strata-node[tabindex]")),
    "chat-rows": ("?run={rows}", _press(".strata-cite")),
    "chat-closest": ("?run={open}", _nothing),
    "chat-unanswered": ("?run={absent}", _nothing),
    "chat-chinese": ("?run={chinese}", _nothing),
    "chat-comparison": ("?run={comparison}", _nothing),
    "chat-forecast": ("?run={forecast}", _nothing),
    "chat-ideas": ("?run={ideas}", _nothing),
    "chat-decision": (f"?run={council_run.RUN}", _nothing),
    "chat-long": (f"?run={long_run.RUN}", _nothing),
    "chat-two-long": ("?conversation=talk", _nothing),
    "chat-unfolded": ("?conversation=talk", _press("[class*=st-key-earlier_] summary")),
    "chat-failed": ("?run=failed", _nothing),
    "chat-stopped": ("?run=stopped", _nothing),
    "chat-lost": ("?run=lost", _nothing),
    "corpus": ("corpus", _nothing),
    "corpus-chosen": ("corpus", _row),
    "corpus-delete": ("corpus", _delete),
    "knowledge-documents": ("knowledge?view=documents", _nothing),
    "knowledge-search": ("knowledge?view=search", _search),
    "knowledge-things": ("knowledge?view=entities", _nothing),
    "knowledge-thing": ("knowledge?view=entities", _row),
    "knowledge-learning": ("knowledge?view=learning", _nothing),
    "trace": ("trace", _nothing),
    "trace-long": (_trace(long_run.RUN), _nothing),
    "trace-plan": (_trace(long_run.RUN, "plan"), _nothing),
    "trace-part": (_trace(long_run.RUN, "part%3A2"), _nothing),
    "trace-answer": (_trace(long_run.RUN, "answer"), _nothing),
    "trace-sentence": (_trace(long_run.RUN, "sentence%3A2"), _nothing),
    "trace-calls": (_trace(long_run.RUN, "calls"), _nothing),
    "trace-events": (_trace(long_run.RUN, "events"), _nothing),
    "trace-check": (_trace(sample.RUN, "check"), _nothing),
    "trace-council": (_trace(council_run.RUN, "council"), _nothing),
    "trace-forecast": (_trace("{forecast}", "forecast"), _nothing),
    "trace-changes": (_trace("{changed}", "changes"), _nothing),
    "trace-failed": (_trace("failed"), _nothing),
    "evaluation": ("evaluation", _nothing),
    "models": ("models", _nothing),
    "bare-chat": ("", _nothing),
    "bare-corpus": ("corpus", _nothing),
    "bare-knowledge": ("knowledge", _nothing),
    "bare-trace": ("trace", _nothing),
    "bare-evaluation": ("evaluation", _nothing),
}
QUESTIONS = {
    "factual": "How long does the wet clean of chamber B take?",
    "composite": "On which tool was lot L25-0317 processed, and which SOP describes the replacement of its "
    "chuck?",
    "rows": "What is the lead time of PN-4410?",
    "open": "What is the highest humidity that is allowed in the etch bay?",
    "absent": "Who won the chess olympiad of 1972?",
    "chinese": "批次 L25-0317 在哪台设备上加工，更换静电吸盘依据哪份规程？",
    "comparison": "Compare PN-4410 and PN-4502 by lead time and price.",
    "before": "Compare PN-4410 and PN-4415 by lead time and price.",
    "forecast": "Forecast the yield of A77 for the next six months.",
    "ideas": "How could we shorten the wet clean of chamber B?",
}


def _seeds() -> Seeded:
    """Return runs that are hard to come by: long, of a council, failed, stopped."""
    yield long_run.run(), long_run.events()
    for n in (1, 2):
        held = {"id": f"talk{n}", "conversation": "talk", "started": 1_763_700_000.0 + 100 * n}
        yield long_run.run().model_copy(update=held), long_run.events()
    yield sample.run(), sample.events()
    yield council_run.run(), council_run.events()
    asked = Stamped(seq=0, at=0.0, event=Asked(question=QUESTIONS["open"]))
    failed = Failed(error="ModelUnavailable", message="The model server does not answer.", hint="Start it.")
    lost = {"report": None, "question": QUESTIONS["open"]}
    yield (
        sample.run().model_copy(
            update={"id": "failed", "conversation": "failed", "status": "failed", **lost}
        ),
        [asked, Stamped(seq=1, at=1.0, event=failed)],
    )
    partial = sample.REPORT.model_copy(
        update={"run": "stopped", "outcome": Outcome.UNFINISHED, "partial": True, "parts": sample.ANSWERS[:1]}
    )
    yield (
        sample.run().model_copy(
            update={"id": "stopped", "conversation": "stopped", "status": "stopped", "report": partial}
        ),
        [asked, Stamped(seq=1, at=1.0, event=Finished(report=partial))],
    )


def prepare(folder: Path, source: Path | None) -> dict[str, str]:
    """Make the library, of the demo documents or a copy of another one; return the runs of its questions."""
    if source is not None:
        shutil.copytree(source, folder / "library", ignore=shutil.ignore_patterns("lock"))
    assistant = build(Settings(store=StoreSettings(path=folder / "library")))
    if source is None:
        assistant.library.ingest([ROOT / "examples" / "fab"], "demo")
        while any(job.status in ("queued", "running") for job in assistant.library.jobs()):
            time.sleep(0.5)
    for run, events in _seeds():
        assistant.questions.store.save_run(run)
        assistant.questions.store.append(run.id, events)
    runs = {name: assistant.questions.ask(question) for name, question in QUESTIONS.items()}
    _await(assistant, runs)
    asked = [SubQuestion(id=n, question=q) for n, q in enumerate(list(QUESTIONS.values())[:5], 1)]
    runs["changed"] = assistant.questions.rerun(runs["before"], Edits(parts=tuple(asked)))
    _await(assistant, runs)
    assistant.close()
    return runs


def _await(assistant: Assistant, runs: dict[str, str]) -> None:
    while any(assistant.questions.run(run).status in ("queued", "running") for run in runs.values()):
        time.sleep(0.2)


def look(window: Window, name: str, runs: dict[str, str], picture: Path) -> dict[str, Any]:
    """Visit a state; return what was found there."""
    path, act = STATES[name]
    page = window.open(path.format(**runs))
    act(page)
    window.settle()
    page.wait_for_timeout(400)
    tall = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight / innerHeight")
    found = {
        "axe": findings(page),
        "screens": round(tall, 2),
        "tall": bool(tall > SCREENS and name not in UNFOLDED),
        "wide": not fits(page),
        "bug": [
            text[-600:] for text in page.get_by_text("Traceback (most recent call last)").all_inner_texts()
        ],
        "left": list(window.left),
        "complaints": list(window.complaints),
    }
    page.screenshot(path=picture)
    window.left.clear()
    window.complaints.clear()
    return found


def main() -> int:
    """Visit what was asked for and report; 1 where anything was found."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("out", type=Path)
    wanted.add_argument("--library", type=Path, help="a library to copy; else the demo documents are read")
    wanted.add_argument("--only", default="", help="beginnings of states")
    wanted.add_argument("--sizes", default="wide,phone")
    wanted.add_argument("--themes", default="light,dark")
    wanted.add_argument("--languages", default="en,zh")
    given = wanted.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in STATES if name.startswith(tuple(given.only.split(",")))]
    looks = list(product(given.sizes.split(","), given.themes.split(","), given.languages.split(",")))
    report: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright, ExitStack() as open_:
        path = next(filter(None, map(shutil.which, conftest.CHROMIUMS)), None)
        browser = playwright.chromium.launch(executable_path=path, args=conftest.ARGUMENTS)
        served: dict[bool, tuple[str, dict[str, str]]] = {}
        for bare in sorted({name.startswith("bare-") for name in names}):
            folder = Path(kept) / ("bare" if bare else "filled")
            folder.mkdir()
            runs = {} if bare else prepare(folder, given.library)
            served[bare] = open_.enter_context(conftest.serving(folder)), runs
        for size, theme, language in looks:
            window = conftest.opened_window(browser, "", SIZES[size], theme, language)
            window.page.set_default_timeout(90_000)
            for name in names:
                window.base, runs = served[name.startswith("bare-")]
                shot = f"{name}-{size}-{theme}-{language}"
                try:
                    report[shot] = look(window, name, runs, given.out / f"{shot}.png")
                except Error as error:
                    report[shot] = {"broken": " ".join(str(error).split())[:600]}
                bad = {key: value for key, value in report[shot].items() if value and key != "screens"}
                sys.stdout.write(f"{shot}: {bad or 'well'}\n")
                sys.stdout.flush()
            window.page.context.close()
        browser.close()
    (given.out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), "utf-8")
    bad = [n for n, found in report.items() if any(v for key, v in found.items() if key != "screens")]
    tallest = max(report.values(), key=lambda found: found.get("screens", 0)).get("screens", 0)
    sys.stdout.write(
        f"{len(report)} looked at, {len(bad)} with findings; the tallest has {tallest} screens\n"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
