"""What we ask of a model, typed. A task names its reply type and the role of model that does it.

Every task has a prompt (`llm/prompts/<language>/<task>.md`, whose blanks are the task's fields) and a
rule of the built-in engine (`llm/builtin/`), so both engines do the same jobs.
"""

from typing import ClassVar, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from core.domain import (
    AnswerKind,
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
    """A sub-question and what was found for it ("" for nothing); `open` is left to whoever answers."""

    id: int
    question: str
    answer: str = ""
    open: bool = False
    citations: tuple[int, ...] = ()


# -- reading the question ------------------------------------------------------------------


class PartDraft(Value):
    id: int
    question: str
    type: SubQuestionType = "factual"
    depends_on: tuple[int, ...] = ()


class TagPair(Value):
    """A word of the question, and how the library says it."""

    said: str
    meant: str


class Understood(Reply):
    """How a question is to be read. What a model need not write is not in its schema: each word costs."""

    question: str = ""  # as it stands alone, without the conversation; "" where it stands alone as asked
    level: Level
    reason: SkipJsonSchema[str] = ""
    kind: AnswerKind = "fact"
    composite: SkipJsonSchema[bool] = False  # needs the answer of one look-up for the next, or several
    intent: SkipJsonSchema[str] = ""
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    parts: tuple[PartDraft, ...]
    search: tuple[TagPair, ...] = ()  # what to search beside the words said, in each language of the library
    topics: tuple[str, ...] = ()
    certainty: SkipJsonSchema[float] = Field(default=1.0, exclude=True)  # of a rule, from 0 to 1


class Understand(Task):
    """Read a question once: follow-up, level, kind of answer, plan, what is known, words to search, topics.

    `languages` and `tags` are the library's; `library` holds cards of tables and titles the question touches.
    """

    reply = Understood
    role = "routing"
    question: str
    history: tuple[Turn, ...] = ()
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    examples: tuple[Plan, ...] = ()
    most: int = 5


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
    """What a part came to: an answer ("" for none), or what comes near it and what to search next."""

    id: int
    answer: str = ""  # short: a name, a number, a sentence
    citations: tuple[int, ...] = ()
    near_miss: str = ""
    search: str = ""


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


# -- perspectives (L4) ---------------------------------------------------------------------


class Viewpoint(Value):
    """Whose eyes a question is read with: what they care about, and words they look for."""

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


# -- enriching -----------------------------------------------------------------------------


class TagClass(Value):
    """A class of tags the corpus itself gave, with the terms that belong to it, the most central first."""

    name: str
    terms: tuple[str, ...] = ()


class Piece(Value):
    """A numbered piece of one document that is to be enriched."""

    n: int
    text: str
    heading: str = ""
    goes_on: bool = False  # it reads on from the piece before it
    prose: bool = True  # not rows of a table, not code


class TagDraft(Value):
    name: str
    tag_class: str = "topic"


class EntityDraft(Value):
    name: str
    kind: str = "thing"
    aliases: tuple[str, ...] = ()


class RelationDraft(Value):
    subject: str
    predicate: str
    object: str


class PieceFacts(Value):
    """What one piece answers, states, names and relates, its tags, and what it says in short."""

    n: int  # Piece.n
    questions: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    entities: tuple[EntityDraft, ...] = ()
    relations: tuple[RelationDraft, ...] = ()
    tags: tuple[TagDraft, ...] = ()
    summary: str = ""


class Enriched(Reply):
    pieces: tuple[PieceFacts, ...] = ()


class Enrich(Task):
    """Say what pieces of one document hold, so that they are found: everything about a piece in one call.

    `before` sums up what stands before the first piece; each summary knows the one before it (PIKE-RAG,
    arXiv 2501.11551, 5.2.1).
    """

    reply = Enriched
    role = "extraction"
    title: str
    classes: tuple[TagClass, ...] = ()
    before: str = ""
    pieces: tuple[Piece, ...] = ()


class Classified(Reply):
    classes: tuple[TagClass, ...] = ()


class ClassifyTags(Task):
    """Generalise the key terms of a library into at most `most` named classes (PIKE-RAG, arXiv 2501.11551,
    5.2.2)."""

    reply = Classified
    role = "extraction"
    terms: tuple[str, ...] = ()
    most: int = 8


class Described(Reply):
    text: str = ""


class Describe(Task):
    """Describe a picture (base64 PNG or JPEG). The built-in engine has no eyes and says so with ""."""

    reply = Described
    role = "vision"
    image: str
    caption: str = ""
