"""Creative questions: proposals of several viewpoints, and what is decided between them."""

from core.domain import Evidence, Value
from core.tasks.task_base import Reply, Task


class Viewpoint(Value):
    """A point of view from which a question is read: what it cares about, and words it looks for."""

    id: str
    name: str
    cares: str = ""
    words: tuple[str, ...] = ()


class StatementDraft(Value):
    text: str
    citations: tuple[int, ...] = ()  # Evidence.n, as every number of these tasks


class ProposalDraft(Value):
    text: str
    effect: str = ""
    risk: str = ""
    effort: str = ""
    first_step: str = ""
    citations: tuple[int, ...] = ()
    objection: str = ""  # the strongest one, of another viewpoint
    objector: str = ""  # Viewpoint.id
    against: tuple[int, ...] = ()  # what the objection rests on


class PerspectiveDraft(Value):
    viewpoint: str  # Viewpoint.id
    says: tuple[StatementDraft, ...] = ()
    proposals: tuple[ProposalDraft, ...] = ()


class PerspectivesGiven(Reply):
    perspectives: tuple[PerspectiveDraft, ...] = ()
    recommended: str = ""  # the text of the best proposal
    reason: str = ""


class Perspectives(Task):
    """Read a creative question from several viewpoints at once: what the evidence says, and at most `most`
    proposals in all, each with what it rests on and an objection of another viewpoint."""

    reply = PerspectivesGiven
    question: str
    evidence: tuple[Evidence, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()
    most: int = 5


class Idea(Value):
    """A proposal that is deliberated on, named by a letter."""

    id: str
    viewpoint: str  # Viewpoint.id
    text: str
    citations: tuple[int, ...] = ()


class CritiqueDraft(Value):
    idea: str  # Idea.id
    by: str = ""  # Viewpoint.id
    text: str
    citations: tuple[int, ...] = ()
    fatal: bool = False


class DecisionDraft(Value):
    idea: str  # Idea.id
    text: str


class Deliberated(Reply):
    critique: tuple[CritiqueDraft, ...] = ()
    common: tuple[StatementDraft, ...] = ()
    decides: tuple[DecisionDraft, ...] = ()
    order: tuple[str, ...] = ()  # Idea.id, best first


class Deliberate(Task):
    """Hold the evidence against every proposal, find common ground, and put the proposals in order."""

    reply = Deliberated
    question: str
    evidence: tuple[Evidence, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()
    ideas: tuple[Idea, ...] = ()
