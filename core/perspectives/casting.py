"""Casts the roles of a council: those that suit the question, and always a sceptic."""

from collections.abc import Sequence

from core.domain import Role
from core.perspectives.roles import LEAST, MOST, card, drafted, library
from core.ports import LLM
from core.tasks import Call, PlanRoles, RolesChosen
from core.trace import RolesPlanned

CAUSE = "convene"


def chosen_by_reader(roles: Sequence[Role]) -> RolesPlanned:
    """Return the reader's roles, each once, at most `MOST`."""
    kept = tuple({role.id: role for role in roles}.values())[:MOST]
    return RolesPlanned(cause=CAUSE, roles=kept, reason="chosen by the reader")


def cast(llm: LLM, question: str, tags: Sequence[str], most: int, language: str) -> RolesPlanned:
    """Return `LEAST` to `MOST` roles for the question, the last one a sceptic. Raises LLMError.

    The model may choose from the library of roles and add its own; where it names too few, the library's
    first ones fill up.
    """
    known = {role.id: role for role in library(language)}
    sceptic = next(role for role in known.values() if role.sceptic)
    others = [role for role in known.values() if not role.sceptic]
    task = PlanRoles(
        question=question,
        roles=tuple(card(role) for role in others),
        tags=tuple(tags),
        most=max(LEAST, min(most, MOST)) - 1,
        language=language,
    )
    reply = llm.run(task, RolesChosen)
    engine = _engine(reply.call)
    picked: dict[str, Role] = {}
    for draft in reply.roles:
        role = known.get(draft.id.strip())
        if role is None and draft.name.strip() and (draft.terms or draft.cares):
            role = drafted(draft.name.strip(), draft.voice, draft.cares, draft.terms, engine)
        if role is not None and not role.sceptic:
            picked[role.id] = role
    for role in others:
        if len(picked) < LEAST - 1:
            picked.setdefault(role.id, role)
    return RolesPlanned(
        cause=CAUSE,
        roles=(*tuple(picked.values())[: task.most], sceptic),
        reason=f"their lenses meet the question's words and the library's tags ({engine}); one is a sceptic",
        calls=(reply.call,) if reply.call else (),
    )


def _engine(call: Call | None) -> str:
    return call.engine if call else "built-in"
