"""What we ask of a model, typed. A task names its reply type and the role of model that does it.

Every task has a prompt (`llm/prompts/<language>/<task>.md`, whose blanks are the task's fields) and a
rule of the built-in engine (`llm/extractive/`), so both engines do the same jobs.
"""

from typing import ClassVar, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from core.domain import AnswerKind, Level, Plan, SubQuestionType, Support, Turn, Value

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


class Evidence(Value):
    """A numbered piece of foreign text, handed over as data."""

    n: int
    text: str
    source: str  # document title
    place: str = ""  # page, rows ...
    date: str = ""


class QuestionAnswer(Value):
    """A sub-question and what was found for it ("" for nothing)."""

    id: int
    question: str
    answer: str = ""


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
    """How a question is to be read."""

    question: str = ""  # as it stands alone, without the conversation
    level: Level
    reason: str = ""
    kind: AnswerKind = "fact"
    composite: bool = False  # needs the answer of one look-up for the next, or several answers
    intent: str = ""
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


class Reformed(Reply):
    question: str


class Reform(Task):
    """Say the question in other words for a second search, knowing what the first one found."""

    reply = Reformed
    role = "routing"
    question: str
    found: tuple[Evidence, ...] = ()


class ToolChoice(Reply):
    tool: Literal["search", "table", "entity", "enough"] = "enough"
    argument: str = ""
    reason: str = ""


class ChooseTools(Task):
    """What next: search again, query a table, look up an entity, or enough?"""

    reply = ToolChoice
    role = "routing"
    question: str
    found: tuple[Evidence, ...] = ()
    tables: tuple[str, ...] = ()


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


class SentenceRef(Value):
    evidence: int  # Evidence.n
    sentence: int  # 0-based index into its sentences


class Picked(Reply):
    sentences: tuple[SentenceRef, ...] = ()


class PickSentences(Task):
    """Relevance extraction: which sentences of the evidence matter for the question?"""

    reply = Picked
    role = "extraction"
    question: str
    evidence: tuple[Evidence, ...] = ()


class Answered(Reply):
    answer: str = ""  # short: a name, a number, a sentence
    citations: tuple[int, ...] = ()
    found: bool = False


class AnswerPart(Task):
    """Answer one sub-question from its evidence."""

    reply = Answered
    question: str
    evidence: tuple[Evidence, ...] = ()


class Written(Reply):
    text: str


class Synthesise(Task):
    """Write the final answer: every part addressed, [n] after every sentence, disagreements named."""

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
    index: int
    support: Support
    reason: str = ""


class Checked(Reply):
    claims: tuple[ClaimVerdict, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


class Check(Task):
    """Check each sentence against its citations, and whether every part is answered."""

    reply = Checked
    role = "extraction"
    question: str
    claims: tuple[Claim, ...] = ()
    parts: tuple[QuestionAnswer, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class Ranked(Reply):
    order: tuple[int, ...] = ()  # Evidence.n, best first


class RankPassages(Task):
    """Listwise reranking against the question."""

    reply = Ranked
    role = "extraction"
    question: str
    evidence: tuple[Evidence, ...] = ()


class Query(Reply):
    sql: str = ""
    reason: str = ""


class WriteQuery(Task):
    """Write one read-only DuckDB SELECT that answers the question from the tables.

    Each of `tables` is a card of this form (steps/tablequery.py makes it), most likely table first:

        TABLE "yield_3f9a1c": Monthly yield, FAB-2 (60 rows)
        - "Month" date: 2021-01-01, 2021-02-01
        - "Yield" real [%]: 93.1, 92.8
        - "Tool" text: 'ETCH-01', 'ETCH-02'

    Names are quoted as SQL wants them. Every table also has `_row`, the number of the row from 0; a query
    that lists or picks rows selects it too, so that they can be cited.
    """

    reply = Query
    question: str
    tables: tuple[str, ...] = ()
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
