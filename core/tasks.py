"""What we ask of a model, typed. A task names its reply type and the role of model that does it.

Every task has a prompt (`llm/prompts/<language>/<task>.md`, whose blanks are the task's fields) and a
rule of the built-in engine (`llm/extractive/`), so both engines do the same jobs.
"""

from typing import ClassVar, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from core.domain import (
    Cell,
    Evidence,
    Level,
    Outcome,
    Plan,
    Sentence,
    SubQuestionType,
    Support,
    TableCard,
    Turn,
    Value,
)

Role = Literal["routing", "extraction", "generation", "vision"]


class Call(Value):
    """How a reply was made: kept in the trace, never sent to a model."""

    task: str
    engine: str  # "built-in" or the model's name
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    repairs: int = 0
    failed: int = 0  # conversations with a server that came to nothing before this reply
    trimmed: int = 0  # evidence pieces left out so that the prompt fits the window
    cached: bool = False
    fallback: str = ""  # why the built-in engine answered instead of the model
    prompt: str = ""
    prompt_hash: str = ""
    reply: str = ""
    notes: tuple[str, ...] = ()  # what to know: shortened evidence, a prompt the server cut ...


class Reply(Value):
    """Base of every reply. `call` says how it was made and stands outside the JSON schema."""

    call: SkipJsonSchema[Call | None] = Field(default=None, exclude=True, repr=False)


class Task(Value):
    """Base of every task."""

    reply: ClassVar[type[Reply]]
    role: ClassVar[Role] = "generation"
    prose: ClassVar[bool] = False  # the reply is one text: streamed as it is, no JSON schema

    language: str = "en"


class QuestionAnswer(Value):
    """A sub-question and what was found for it ("" for nothing)."""

    id: int
    question: str
    answer: str = ""
    citations: tuple[int, ...] = ()


# -- routing and planning ------------------------------------------------------------------


class Routed(Reply):
    level: Level
    reason: str = ""
    seeks: Literal["factual", "reasoning", "global"] = "factual"  # a fact, what leads to what, or a survey


class Route(Task):
    """Which of the five levels is this question?"""

    reply = Routed
    role = "routing"
    question: str
    library: tuple[str, ...] = ()  # table cards and titles that match, for the L0/L2 distinction


class Gated(Reply):
    composite: bool
    reason: str = ""


class Gate(Task):
    """Is the question simple, or made of parts that must be looked up one by one?"""

    reply = Gated
    role = "routing"
    question: str


class PartDraft(Value):
    id: int
    question: str
    type: SubQuestionType = "factual"
    depends_on: tuple[int, ...] = ()


class PlanDraft(Reply):
    intent: str = ""
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    parts: tuple[PartDraft, ...] = ()


class Decompose(Task):
    """Split a composite question into at most `most` self-contained parts."""

    reply = PlanDraft
    role = "routing"
    question: str
    examples: tuple[Plan, ...] = ()
    most: int = 5


class Resolved(Reply):
    question: str


class ResolveFollowUp(Task):
    """Rewrite a follow-up so that it stands alone."""

    reply = Resolved
    role = "routing"
    question: str
    history: tuple[Turn, ...] = ()


class Topics(Reply):
    topics: tuple[str, ...] = ()


class FindTopics(Task):
    """Which of the library's tags is the question about?"""

    reply = Topics
    role = "routing"
    question: str
    tags: tuple[str, ...] = ()


class TagPair(Value):
    said: str
    meant: str


class TagsMapped(Reply):
    pairs: tuple[TagPair, ...] = ()


class MapTags(Task):
    """Map the question's words to the library's tags ("heart races" -> "palpitations")."""

    reply = TagsMapped
    role = "routing"
    question: str
    tags: tuple[str, ...] = ()


# -- the knowledge-aware loop --------------------------------------------------------------


class Proposals(Reply):
    questions: tuple[str, ...] = ()
    enough: bool = False


class Propose(Task):
    """Propose atomic questions, from different angles, that would bring the answer nearer (Algorithm 1)."""

    reply = Proposals
    question: str
    context: tuple[Evidence, ...] = ()
    asked: tuple[str, ...] = ()
    most: int = 3


class Selection(Reply):
    index: int | None = None  # into candidates, None for none of them
    reason: str = ""


class Select(Task):
    """Choose the candidate atomic question whose chunk helps most."""

    reply = Selection
    question: str
    context: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()


class NextQuestion(Reply):
    question: str = ""
    enough: bool = False


class ProposeNext(Task):
    """The next atomic question at once: what a trained decomposer does for lines 3 to 5 of Algorithm 1."""

    reply = NextQuestion
    question: str
    context: tuple[Evidence, ...] = ()
    asked: tuple[str, ...] = ()


# -- reading and answering -----------------------------------------------------------------


class PartAsked(Value):
    """A part of a plan with the numbers of the pieces that were found for it."""

    id: int
    question: str
    evidence: tuple[int, ...] = ()


class BridgedPart(Value):
    """What a part came to: an answer, or what comes near it, or what to search or compute next."""

    id: int
    answer: str = ""  # short: a name, a number, a sentence
    citations: tuple[int, ...] = ()
    found: bool = False
    near_miss: str = ""
    search: str = ""
    compute: bool = False


class Bridged(Reply):
    parts: tuple[BridgedPart, ...] = ()


class Bridge(Task):
    """Answer parts of a plan from their evidence, so that parts which depend on them can be asked."""

    reply = Bridged
    question: str
    parts: tuple[PartAsked, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Written(Reply):
    """An answer as prose. The built-in engine also says how far it goes: `outcome` None means unsaid."""

    text: str
    outcome: SkipJsonSchema[Outcome | None] = None
    sentences: SkipJsonSchema[tuple[Sentence, ...]] = ()
    confidence: SkipJsonSchema[float | None] = None  # 0 to 1


class Answer(Task):
    """Write the answer: every part addressed, [n] after every sentence, a wrong premise or conflict named."""

    reply = Written
    prose = True
    question: str
    parts: tuple[QuestionAnswer, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Claim(Value):
    index: int
    text: str
    citations: tuple[int, ...] = ()


class ClaimVerdict(Value):
    """`sure` is False where rules leave the verdict to a model."""

    index: int
    support: Support
    reason: str = ""
    sure: SkipJsonSchema[bool] = True


class Reviewed(Reply):
    claims: tuple[ClaimVerdict, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


class Review(Task):
    """Does each claim's cited piece state it, and does the claim answer the part it stands for?"""

    reply = Reviewed
    role = "extraction"
    question: str
    claims: tuple[Claim, ...] = ()
    parts: tuple[QuestionAnswer, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Query(Reply):
    """One SELECT; values of the question stand in `parameters`, a `?` each, never in the text."""

    sql: str = ""
    parameters: tuple[Cell, ...] = ()
    reason: str = ""


class WriteQuery(Task):
    """Write one read-only DuckDB SELECT that answers the question from the tables, most likely table first.

    Every table also has `_row`, the number of the row from 0; a query that lists or picks rows selects it
    too, so that they can be cited.
    """

    reply = Query
    question: str
    tables: tuple[TableCard, ...] = ()
    failed: str = ""  # the query that was tried before
    failure: str = ""  # and why it was refused: write it anew


# -- the council ---------------------------------------------------------------------------


class RoleDraft(Value):
    id: str = ""  # of a role that was offered, "" for a new one
    name: str = ""
    voice: str = ""
    cares: str = ""
    terms: tuple[str, ...] = ()


class RolesChosen(Reply):
    roles: tuple[RoleDraft, ...] = ()


class PlanRoles(Task):
    """Which points of view does the question need? Each of `roles` reads "id | name | cares | lens words"."""

    reply = RolesChosen
    role = "routing"
    question: str
    roles: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # of the library
    most: int = 4


class StatementDraft(Value):
    text: str
    citations: tuple[int, ...] = ()


class ProposalDraft(Value):
    text: str
    effect: str = ""
    risk: str = ""
    effort: str = ""
    first_step: str = ""
    citations: tuple[int, ...] = ()


class Argued(Reply):
    argument: tuple[StatementDraft, ...] = ()
    proposals: tuple[ProposalDraft, ...] = ()


class Argue(Task):
    """Argue from one perspective ("id | name | cares | lens words") and make at most `most` proposals."""

    reply = Argued
    question: str
    perspective: str
    evidence: tuple[Evidence, ...] = ()
    most: int = 2


class ObjectionDraft(Value):
    proposal: int  # Claim.index
    text: str
    citations: tuple[int, ...] = ()
    fatal: bool = False


class Objections(Reply):
    objections: tuple[ObjectionDraft, ...] = ()


class Criticise(Task):
    """Hold counter-evidence against another role's proposals."""

    reply = Objections
    question: str
    perspective: str
    proposals: tuple[Claim, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class DisagreementDraft(Value):
    proposal: int  # Claim.index
    decides: str = ""


class Settlement(Reply):
    common: tuple[StatementDraft, ...] = ()
    disagreements: tuple[DisagreementDraft, ...] = ()
    order: tuple[int, ...] = ()  # Claim.index of the proposals, best first


class Settle(Task):
    """Find common ground, rank the proposals, and say what would decide each disagreement.

    `statements` are numbered by the role that makes them, `objections` by the proposal they are against.
    """

    reply = Settlement
    question: str
    statements: tuple[Claim, ...] = ()
    proposals: tuple[Claim, ...] = ()
    objections: tuple[Claim, ...] = ()
    evidence: tuple[Evidence, ...] = ()


# -- distilling ----------------------------------------------------------------------------


class Atoms(Reply):
    questions: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()


class Atomise(Task):
    """List the atomic questions the text answers and its self-contained statements."""

    reply = Atoms
    role = "extraction"
    title: str
    heading: str
    text: str


class Summary(Reply):
    summary: str = ""


class Summarise(Task):
    """Summarise the text, knowing the summary of what came before."""

    reply = Summary
    role = "extraction"
    title: str
    before: str
    text: str


class TagDraft(Value):
    name: str
    tag_class: str = "topic"


class Tagged(Reply):
    tags: tuple[TagDraft, ...] = ()


class TagChunk(Task):
    """Tag a text with terms of known classes."""

    reply = Tagged
    role = "extraction"
    text: str
    classes: tuple[str, ...] = ()


class RelationDraft(Value):
    subject: str
    predicate: str
    object: str


class EntityDraft(Value):
    name: str
    kind: str = "thing"
    aliases: tuple[str, ...] = ()


class Extracted(Reply):
    entities: tuple[EntityDraft, ...] = ()
    relations: tuple[RelationDraft, ...] = ()


class ExtractRelations(Task):
    """Extract named entities and what the text says about how they relate."""

    reply = Extracted
    role = "extraction"
    title: str
    text: str


class Described(Reply):
    text: str = ""


class DescribeImage(Task):
    """Describe a picture (base64 PNG or JPEG). The built-in engine has no eyes and says so with ""."""

    reply = Described
    role = "vision"
    image: str
    caption: str = ""
