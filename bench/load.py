"""Eight people at once: `python -m bench.load`, by default over the demo and 25 questions about it.

Three measurements on one library, each in ratios within this run:

- in process: the median of a lone question, then eight threads asking different questions, without and with
  files coming in; errors; questions a second; one question of a fresh process, from its start to its end;
- memory: resident memory after 100 questions and after `--many`;
- pages (`--pages`): eight Chromium pages of one served app: seconds until each can be used, CPU of the idle
  server in percent of one core, seconds to an answer.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from core.assistant import Assistant
from core.bootstrap import build
from core.errors import StrataError
from core.settings import Settings

FAB = Path(__file__).parent.parent / "examples" / "fab"
QUESTIONS = Path(__file__).parent / "load_questions" / "fab.jsonl"
PEOPLE = 8
A_QUESTION = 180.0  # seconds until it counts as an error


class Asking:
    """Asks questions, none of them twice, and remembers how long each took."""

    def __init__(self, assistant: Assistant, questions: Sequence[str]) -> None:
        self._assistant = assistant
        self._next = fresh(questions)
        self._lock = threading.Lock()
        self.errors: list[str] = []

    def one(self) -> float:
        """Ask the next question and return the seconds until its report."""
        with self._lock:
            question = next(self._next)
        start = time.perf_counter()
        try:
            questions = self._assistant.questions
            questions.wait(questions.ask(question), timeout=A_QUESTION)
        except (StrataError, TimeoutError) as error:
            self.errors.append(f"{type(error).__name__}: {error}")
        return time.perf_counter() - start

    def together(self, many: int, people: int = PEOPLE) -> tuple[list[float], float]:
        """Ask so many by so many at once; return the seconds of each, and of all."""
        start = time.perf_counter()
        with ThreadPoolExecutor(people) as pool:
            taken = list(pool.map(lambda _: self.one(), range(many)))
        return taken, time.perf_counter() - start


def fresh(questions: Sequence[str]) -> Iterator[str]:
    """Yield questions without end. Those asked before come back with another word, so that no cache of whole
    questions answers them."""
    for times in itertools.count():
        for question in questions:
            yield f"{question} ({times})" if times else question


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def resident(pid: int | None = None) -> float:
    """Return the resident memory of a process in MB."""
    return float(psutil.Process(pid).memory_info().rss) / 2**20


def in_process(library: Path, questions: Sequence[str], coming: Path | None, many: int) -> dict[str, float]:
    """Measure questions asked within this process."""
    figures: dict[str, float] = {}
    # As in an installation: where Python is set to keep no bytecode, each process would compile all modules.
    subprocess.run([sys.executable, "-m", "compileall", "-q", "core"], check=True)
    start = time.perf_counter()
    environment = {**os.environ, "STRATA_STORE__PATH": str(library)}
    command = [sys.executable, "-c", "from core.cli import main; main()", "ask", questions[0]]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    figures["first_question_s"] = time.perf_counter() - start
    assistant = build(Settings.model_validate({"store": {"path": library}}))
    asking = Asking(assistant, questions[1:])
    asking.one()
    alone = [asking.one() for _ in range(24)]
    figures["alone_median_s"] = statistics.median(alone)
    taken, seconds = asking.together(80)
    figures |= _summary("together", taken, seconds, figures["alone_median_s"])
    if coming:
        jobs = assistant.library.ingest([coming])
        taken, seconds = asking.together(80)
        figures |= _summary("while_reading", taken, seconds, figures["alone_median_s"])
        figures["files_coming_in"] = len(jobs)
        assistant.library.wait(jobs)
    if many:
        asking.together(max(0, 100 - 24))
        before = resident()
        asking.together(many)
        figures |= {"memory_after_100_mb": before, "memory_end_mb": resident(), "memory_questions": many}
        figures["memory_growth"] = figures["memory_end_mb"] / before - 1
    figures["errors"] = len(asking.errors)
    for error in asking.errors[:5]:
        print(error, file=sys.stderr)
    assistant.close()
    return figures


def _summary(name: str, taken: Sequence[float], seconds: float, alone: float) -> dict[str, float]:
    p95 = percentile(taken, 0.95)
    return {
        f"{name}_p50_s": statistics.median(taken),
        f"{name}_p95_s": p95,
        f"{name}_p95_by_alone": p95 / alone,
        f"{name}_per_second": len(taken) / seconds,
    }


def installed_chromium() -> str | None:
    """Return the system's Chromium, the headless build first; None where only Playwright has one."""
    found = (shutil.which(name) for name in ("chromium-headless-shell", "chromium", "google-chrome"))
    return next(filter(None, found), None)


def pages(library: Path, questions: Sequence[str]) -> dict[str, float]:
    """Measure eight pages of one served app."""
    from playwright.sync_api import sync_playwright

    port = 8900 + random.randrange(90)
    environment = {**os.environ, "STRATA_STORE__PATH": str(library)}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(
                    executable_path=installed_chromium(), args=["--no-sandbox", "--disable-gpu"]
                )
                return _eight(chromium.new_context, f"http://127.0.0.1:{port}", questions, server.pid)
        finally:
            server.terminate()


def _eight(
    context: Callable[[], object], address: str, questions: Sequence[str], pid: int
) -> dict[str, float]:
    from playwright.sync_api import BrowserContext, Error, Page, expect

    def opened() -> Page:
        held = context()
        assert isinstance(held, BrowserContext)
        return held.new_page()

    until = time.monotonic() + 90
    first = opened()
    while True:
        try:
            first.goto(address)
            break
        except Error:  # the server is not up yet
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
    box = "[data-testid=stChatInputTextArea]"
    expect(first.locator(box)).to_be_visible(timeout=90_000)
    windows = [opened() for _ in range(PEOPLE)]
    start = time.perf_counter()
    for each in windows:
        each.goto(address, wait_until="commit")
    ready = []
    for each in windows:
        expect(each.locator(box)).to_be_visible(timeout=300_000)
        ready.append(time.perf_counter() - start)
    time.sleep(5)
    process = psutil.Process(pid)
    before, clock = sum(process.cpu_times()[:2]), time.perf_counter()
    time.sleep(30)
    idle = (sum(process.cpu_times()[:2]) - before) / (time.perf_counter() - clock)
    start = time.perf_counter()
    for each, question in zip(windows, questions, strict=False):
        each.locator(box).fill(question)
        each.locator(box).press("Enter")
    answered = []
    for each in windows:
        each.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
            " && document.querySelectorAll('[data-testid=stChatMessage]').length >= 2",
            timeout=600_000,
        )
        answered.append(time.perf_counter() - start)
    return {
        "pages_ready_s": max(ready),
        "idle_server_core_percent": 100 * idle,
        "pages_answered_s": max(answered),
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=Path, default=FAB, help="read into a library first")
    parser.add_argument(
        "--questions", type=Path, default=QUESTIONS, help="JSON lines with a field `question`"
    )
    parser.add_argument("--coming", type=Path, help="a folder whose files come in meanwhile")
    parser.add_argument("--many", type=int, default=0, help="questions after the first 100, for the memory")
    parser.add_argument("--pages", action="store_true", help="with eight Chromium pages")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.questions.read_text("utf-8").splitlines() if line.strip()]
    questions = [str(row["question"]) for row in rows]
    random.Random(1).shuffle(questions)
    with tempfile.TemporaryDirectory(prefix="strata-load-") as folder:
        library = Path(folder) / "library"
        assistant = build(Settings.model_validate({"store": {"path": library}}))
        assistant.library.wait(assistant.library.ingest([given.documents]))
        assistant.close()
        figures: dict[str, object] = dict(in_process(library, questions, given.coming, given.many))
        if given.pages:
            figures |= pages(library, questions)
    print(json.dumps({k: round(v, 3) if isinstance(v, float) else v for k, v in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
