"""The Chroma server, the Dask worker and the scheduler die or hang while questions are asked: each question
ends in its answer or in a sentence, all of them are kept, and answers are the same when all is back."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.assistant import Assistant
from core.errors import StrataError
from core.knowledge.stores.vector_index import vectors
from core.trace import Failed
from tests.work.services import Services, opened

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

FILES = ("DR-2025-041-defect-report.pdf", "meeting-notes-2025-03-18.md", "yield-2021-2025.xlsx")
ASKED = (
    "How long does the wet clean of chamber B take?",
    "Who suspects the electrostatic chuck?",
    "What was the yield of product A77 in week 11 of 2025?",
    "Which lot had edge particles, and who is to replace the chuck?",
    "When was the seal band last inspected?",
)
PEOPLE = 3
Said = tuple[str, str]  # a question, and its answer or what was said instead


class People:
    """Three who ask one question after another, none of them twice: no search is remembered from before."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._next = (f"{question} ({n})" for n in itertools.count(1) for question in ASKED)
        self._lock, self._enough = threading.Lock(), threading.Event()
        self.answers: list[Said] = []
        self.refusals: list[Said] = []
        self.bugs: list[BaseException] = []
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(PEOPLE)]

    def _ask(self) -> None:
        while not self._enough.is_set():
            with self._lock:
                question = next(self._next)
            try:
                self.answers.append((question, answer(self._assistant, question)))
            except StrataError as error:
                self.refusals.append((question, f"{error} {error.hint}"))
                time.sleep(0.2)  # who was refused looks at it before they ask again
            except BaseException as error:  # noqa: BLE001 a question that ends in neither is what is looked for
                self.bugs.append(error)

    def until(self, enough: Callable[[], bool], seconds: float = 120) -> None:
        """Wait; nobody who asks may meet anything but an answer or a sentence."""
        over = time.monotonic() + seconds
        while not enough():
            assert not self.bugs, self.bugs
            assert time.monotonic() < over, (len(self.answers), self.refusals)
            time.sleep(0.02)

    def further(self, seconds: float = 120) -> None:
        """Wait until two more questions each are answered."""
        aim = len(self.answers) + 2 * PEOPLE
        self.until(lambda: len(self.answers) >= aim, seconds)

    def __enter__(self) -> "People":
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        for each in self._threads:
            each.join(120)
        assert not self.bugs and not any(each.is_alive() for each in self._threads)


def answer(assistant: Assistant, question: str) -> str:
    run = assistant.questions.ask(question)
    return assistant.questions.wait(run, timeout=120).answer


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[Assistant]:
    """A library of the same files that leans on nobody."""
    with opened(tmp_path_factory.mktemp("alone")) as assistant:
        assistant.library.wait(assistant.library.ingest([fab / name for name in FILES]), timeout=200)
        yield assistant


@contextmanager
def served(folder: Path, services: Services, fab: Path) -> Iterator[Assistant]:
    with opened(folder, services) as assistant:
        jobs = assistant.library.ingest([fab / name for name in FILES])
        done = assistant.library.wait(jobs, timeout=300)
        assert {job.status for job in done} == {"done"}, done
        try:
            yield assistant
        finally:
            for document in assistant.library.contents.documents():
                assistant.library.delete_permanently(document.id)


def check(assistant: Assistant, alone: Assistant, people: People) -> None:
    """All that was asked is there as it ended; answers are those of a library alone, refusals can be asked
    again."""
    runs = {run.question: run for run in assistant.questions.runs(limit=10_000)}
    assert runs.keys() == {question for question, _ in people.answers + people.refusals}
    for question, _ in people.answers:
        assert runs[question].status == "done"
    for question, _ in people.refusals:
        assert runs[question].status == "failed"
        end = assistant.questions.events(runs[question].id)[-1].event
        assert isinstance(end, Failed) and end.retryable and end.error == "ServerAway", end
    again = people.refusals[:3]
    for question, text in [*people.answers, *((q, answer(assistant, q)) for q, _ in again)]:
        assert text == answer(alone, question), question


def away(said: str) -> bool:
    return "Chroma server" in said and "Start it again" in said and "nothing is lost" in said


def test_a_chroma_server_that_dies_is_told_to_who_asks_and_answers_when_it_is_back(
    services: Services, alone: Assistant, tmp_path: Path, fab: Path
) -> None:
    with served(tmp_path / "served", services, fab) as assistant:
        with People(assistant) as people:
            people.further()
            services.chroma.kill()
            people.until(lambda: len(people.refusals) >= 2 * PEOPLE)
            services.revive("chroma")
            people.further()
        assert all(away(message) for _, message in people.refusals), people.refusals
        check(assistant, alone, people)


def test_a_chroma_server_that_hangs_is_given_up_and_answers_when_it_goes_on(
    services: Services, alone: Assistant, tmp_path: Path, fab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "SILENT_SECONDS", 3.0)
    with served(tmp_path / "served", services, fab) as assistant:
        with People(assistant) as people:
            people.further()
            services.chroma.process.suspend()
            try:
                people.until(lambda: len(people.refusals) >= PEOPLE, 40)
                with pytest.raises(StrataError) as result, opened(tmp_path / "another", services):
                    pass
                assert away(f"{result.value} {result.value.hint}")
            finally:
                services.chroma.process.resume()
            people.further()
        assert all(away(message) for _, message in people.refusals), people.refusals
        check(assistant, alone, people)


@pytest.mark.parametrize("which", ["worker", "scheduler"])
def test_questions_need_no_cluster_while_the_files_that_come_in_wait_for_it(
    which: str, services: Services, alone: Assistant, tmp_path: Path, fab: Path
) -> None:
    late = tmp_path / "late.md"
    late.write_text("# Note\n\nThe gate valve of ETCH-09 was greased by Tom Baker.\n", "utf-8")
    with served(tmp_path / "served", services, fab) as assistant:
        with People(assistant) as people:
            people.further()
            services.named(which).kill()
            (job,) = assistant.library.ingest([late])
            people.further()
            people.until(lambda: assistant.library.queue.get(job).reason.startswith("Waits: "))
            people.further()
            services.revive(which)
            people.until(lambda: assistant.library.queue.get(job).status == "done")
            people.further()
        assert not people.refusals
        assert "Tom Baker" in answer(assistant, "Who greased the gate valve of ETCH-09?")
        runs = assistant.questions.runs(limit=10_000)
        assert {run.status for run in runs} == {"done"} and len(runs) == len(people.answers) + 1
        before = people.answers[: 2 * PEOPLE]  # those of a library without the late file
        assert before == [(question, answer(alone, question)) for question, _ in before]
