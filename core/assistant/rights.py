"""Which right each method of the assistant needs, and the wrapper that checks it.

What is in no table is for the machine's owner alone. A method marked CHANGES is written into the audit;
one marked WHOLE tells of the whole library, and is closed to those to whom a part of it is.
"""

import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from core.accounts.person import Person, Right
from core.errors import NotAllowed


@dataclass(frozen=True)
class Rule:
    """What a method needs of a person."""

    right: Right
    changes: bool = False
    whole: bool = False
    acts: frozenset[str] = frozenset()  # methods of what it hands out that are changes


def _rules(
    right: Right, *names: str, changes: bool = False, whole: bool = False, acts: Collection[str] = ()
) -> dict[str, Rule]:
    return dict.fromkeys(names, Rule(right, changes, whole, frozenset(acts)))


RULES: dict[str, dict[str, Rule]] = {
    "library": {
        **_rules("ask", "contents", "path", "vocabulary", "jobs", "coming", "pace", "removal"),
        **_rules("ask", "serving_model", "suggestions", "page_image", "search", "in_trash", "margins"),
        **_rules("ask", "verified_questions", "has_demo"),
        **_rules("add", "takes_new_collections"),
        **_rules("add", "upload", "cancel", "pause", "resume", "retry", "dismiss", "mappings", changes=True),
        **_rules("add", "add_demo", "cancel_all", changes=True),
        **_rules("ask", "own_words", whole=True),
        **_rules("correct", "change_words", changes=True, whole=True),
        **_rules("delete", "delete_permanently", "move_to_trash", changes=True),
        **_rules("delete", "restore_from_trash", changes=True, whole=True),
        **_rules("correct", "revise", "put_back", "refile", "move", changes=True, whole=True),
        **_rules("add", "rereading", whole=True, acts=["start"]),
        **_rules("enrich", "enrichment", "background_enrichment", whole=True, acts=["switch", "request"]),
        **_rules("models", "drop_model", "drop_old_vectors", changes=True),
        **_rules("models", "old_models", "reembedding"),
    },
    "questions": {
        **_rules("ask", "ask", "rerun", "preview", "max_parts", "instruct", "compare", "shares", "events"),
        **_rules("ask", "run", "runs", "heads", "find_runs", "engines", "conversations", "title"),
        **_rules("ask", "rename", "stop", "answer_now", "wait", "forecast_again", "export_markdown"),
        **_rules("ask", "export_html", "read"),
        **_rules("ask", "short_answer", "examination_answer", "owns", "shared", "delete_conversation"),
        **_rules("ask", "share", changes=True),
    },
    "learning": {
        **_rules("ask", "feedback", "taught", "tag_pairs", "changes", "verified", "gaps", "updates"),
        **_rules("correct", "give_feedback", "undo", "retract", "dismiss", "accept", "reject", changes=True),
        **_rules("correct", "update", "cancel"),
        **_rules("ask", "classes", "factors", whole=True),
        **_rules("correct", "learn_words", changes=True),
        **_rules("correct", "learn_tags", "keep_classes", "keep_pairs", changes=True, whole=True),
        **_rules("measure", "questions", "self_test", "self_tests", "tester", whole=True),
        **_rules("measure", "keep_questions", changes=True, whole=True),
        **_rules("models", "training_workspace", whole=True),
    },
    "admin": {
        **_rules("ask", "answering"),
        **_rules("models", "health", "model_cards", "roles_named", "roles_chosen"),
        **_rules("models", "check_model", "choose_role", changes=True),
        **_rules("models", "pull", changes=True),
        **_rules("repair", "compact", changes=True),
        **_rules("measure", "evaluate", changes=True, whole=True),
        **_rules("measure", "retrieval_scores", "evaluation", whole=True),
        **_rules("measure", "evaluation_records", "stop_evaluation", whole=True),
    },
}


D = TypeVar("D")


class AuditLog(Protocol):
    """Keeps what was changed."""

    def must_be_ready(self) -> None:
        """Check, before a change is made, that it can be noted. Raises KnowledgeError."""

    def note(self, who: str, what: str, about: str = "") -> None:
        """Add a change."""


class _Noted:
    """Stands in for an object some of whose methods are changes."""

    def __init__(
        self, wrapped: object, acts: frozenset[str], noted: Callable[[Callable[..., Any]], Any]
    ) -> None:
        self._wrapped, self._acts, self._noted = wrapped, acts, noted

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._wrapped, name)
        return self._noted(found) if name in self._acts else found


class Guarded:
    """Checks the right before each use of one interface, and is used in its place."""

    def __init__(self, wrapped: object, name: str, person: Person, closed: bool, audit: AuditLog) -> None:
        self._wrapped, self._name, self._person = wrapped, name, person
        self._closed, self._audit = closed, audit

    def __getattr__(self, attribute: str) -> Any:
        rule = RULES[self._name].get(attribute)
        if self._person.name:
            if rule is None:
                raise NotAllowed(f"{attribute.replace('_', ' ').capitalize()} is for the terminal.")
            self._person.must(rule.right)
            if rule.whole and self._closed:
                raise NotAllowed("This is about the whole library, and parts of it are closed to you.")
        found = getattr(self._wrapped, attribute)
        if rule is None:
            return found
        if rule.acts:
            return self._handed_out(attribute, found, rule.acts)
        return self._noted(attribute, found) if rule.changes and callable(found) else found

    def _handed_out(self, attribute: str, found: Any, acts: frozenset[str]) -> Any:
        """Return what is handed out, or the method that does so, with each of its `acts` noted."""
        if inspect.ismethod(found):
            return functools.wraps(found)(lambda: self._handed_out(attribute, found(), acts))
        noted = functools.partial(self._noted, attribute)
        return found if found is None else _Noted(found, acts, noted)

    def _noted(self, attribute: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def noted(*values: Any, **named: Any) -> Any:
            self._audit.must_be_ready()
            made = method(*values, **named)
            about = next((str(value) for value in values if isinstance(value, str)), "")
            about = about or ", ".join(str(value) for value in (*values, *named.values()))
            self._audit.note(self._person.name or "this machine", f"{self._name}.{attribute}", about)
            return made

        return noted


def guarded(wrapped: D, name: str, person: Person, closed: bool, audit: AuditLog) -> D:
    """Return the interface as a person may use it."""
    return cast(D, Guarded(wrapped, name, person, closed, audit))
