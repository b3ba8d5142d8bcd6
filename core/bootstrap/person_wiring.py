"""The assistant as each person may use it: their library, their conversations, their rights."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from core.accounts.person import Person
from core.accounts.sign_in_policy import SignInPolicy
from core.assistant import Assistant
from core.assistant.rights import AuditLog, guarded
from core.bootstrap.flow_wiring import Compose, flow, without_events
from core.bootstrap.learning_wiring import learning_of
from core.bootstrap.model_wiring import Engine
from core.domain import identify
from core.export.page_image import Illustrator
from core.flow.nodes import Nodes
from core.knowledge.base import KnowledgeBase
from core.knowledge.stores.documents.visibility import Viewer
from core.knowledge.viewer_library import ViewerLibraries
from core.ports import LLM, Embedder, Emit
from core.retrieval.gatherer import Gatherer
from core.retrieval.search_cache import SearchCache
from core.settings import Settings
from core.work.checks.health import SAMPLE_PASSAGES, HealthFinding
from core.work.runs.runner import Runner

MakeRunner = Callable[[KnowledgeBase, Compose, frozenset[str], Runner | None], Runner]


@dataclass(frozen=True)
class SharedParts:
    """What all people share."""

    settings: Settings
    library: KnowledgeBase
    embedder: Embedder
    engine: Engine
    runner: MakeRunner
    audit: AuditLog


class PersonalAssistants:
    """Gives each person an assistant of their own over the one library."""

    def __init__(self, shared: SharedParts, policy: SignInPolicy) -> None:
        self._shared, self._policy = shared, policy
        self._seen = ViewerLibraries(shared.library)
        self._memories: dict[frozenset[str], SearchCache] = {}
        self._made: dict[str, tuple[frozenset[str], Assistant]] = {}
        self._lock = threading.Lock()

    def assistant(self, whole: Assistant, person: Person) -> Assistant:
        """Return the assistant as a person may use it now. Raises AccountError."""
        hidden = self._policy.book().hidden(person)
        assistant = whole
        if person.name:
            self._seen.refresh(hidden)
            with self._lock:
                cached = self._made.get(person.name)
                if cached is None or cached[0] != hidden:
                    cached = (hidden, self._assistant_of(whole, Viewer(name=person.name, hidden=hidden)))
                    self._made[person.name] = cached
                assistant = cached[1]
        audit, closed = self._shared.audit, bool(hidden)
        library = assistant.library
        if person.name and (closed or not person.may("models")):
            library = replace(library, reembedding=None)  # its progress counts the whole library
        return replace(
            assistant,
            library=guarded(library, "library", person, closed, audit),
            questions=guarded(assistant.questions, "questions", person, closed, audit),
            learning=guarded(assistant.learning, "learning", person, closed, audit),
            admin=guarded(assistant.admin, "admin", person, closed, audit),
        )

    def close(self) -> None:
        """End the runs of all people."""
        for _, assistant in self._made.values():
            assistant.questions.close()

    def _assistant_of(self, whole: Assistant, viewer: Viewer) -> Assistant:
        shared, library = self._shared, self._seen.of(viewer)
        made = flow(
            shared.settings, library, shared.embedder, shared.engine.plain, self._memory(viewer.hidden)
        )

        def compose(llm: LLM, emit: Emit) -> Nodes:
            self._seen.refresh(viewer.hidden)
            return made(llm, emit)

        steps = without_events(compose, shared.engine.llm)

        def gatherer() -> Gatherer:
            return steps().gatherer

        doctor = whole.admin.doctor
        if viewer.hidden:
            doctor = replace(
                doctor,
                counts=library.counts,
                coming=lambda: whole.library.queue.coming(viewer.hidden),
                texts=lambda: library.sample_texts(SAMPLE_PASSAGES),
                earlier=lambda: 0,
                indexing=lambda: _without_notes(whole.admin.doctor.indexing()),
                findings=lambda: _without_details(whole.admin.doctor.findings()),
            )
        return Assistant(
            warm_up=whole.warm_up,
            library=replace(
                whole.library,
                knowledge=library,
                illustrator=Illustrator(library),
                suggester=replace(whole.library.suggester, knowledge=library),
                gatherer=gatherer,
                hidden=viewer.hidden,
            ),
            questions=replace(
                whole.questions,
                runner=shared.runner(library, compose, viewer.hidden, whole.questions.runner),
                store=library.runs,
                steps=steps,
            ),
            learning=learning_of(
                shared.settings,
                library,
                shared.embedder,
                shared.engine,
                compose,
                training_workspace=whole.learning.training_workspace,
                background=False,
                beside=whole.learning,
            ),
            admin=replace(whole.admin, knowledge=library, doctor=doctor, gatherer=gatherer),
            closing=lambda: None,
            people=whole.people,
        )

    def _memory(self, hidden: frozenset[str]) -> SearchCache:
        """Return the cache of searches, shared by people who see the same collections."""
        return self._memories.setdefault(hidden, SearchCache(era=identify(*sorted(hidden)) if hidden else ""))


def _without_notes(findings: Iterable[HealthFinding]) -> tuple[HealthFinding, ...]:
    """Leave out what counts the vectors of the whole library."""
    return tuple(each for each in findings if each.severity != "note")


def _without_details(findings: Iterable[HealthFinding]) -> tuple[HealthFinding, ...]:
    """Say that something is wrong, without naming what somebody may not see."""
    update = {"message": "The stores of the library are not whole."}
    return tuple(each.model_copy(update=update) for each in list(findings)[:1])
