"""Which of PIKE-RAG's five levels a question is (arXiv 2501.11551, section 3), from its verbs and their mood.

A level above L2 must be asked for: an order to propose or to foretell, counsel asked of "we", a future of
something that is measured. A noun of the same family asks for nothing: "who are the inventors" is a fact.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.domain import Level
from core.llm.builtin.understand.answer_kind import form
from core.llm.builtin.understand.grammar import Question
from core.text.thing_questions import asks_documents
from core.text.tokens import word_set

_TABLE = tomllib.loads((Path(__file__).parent / "level_words.toml").read_text(encoding="utf-8"))
_WORDS = {kind: word_set(words) for kind, words in _TABLE.items()}
_DEGREES = re.compile(
    r"\b(?:within|consistent with|same|across|in common|versus|vs|than|differently)\b", re.IGNORECASE
)
_SPAN = re.compile(
    r"\b(?:between|from|since|during|per|each|in total|in (?:19|20)\d\d|in the (?:last|past))\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(?:will|won't|shall|going to|gonna)\b|'ll\b", re.IGNORECASE)
_AHEAD = re.compile(
    r"\bnext (?:[\w-]+ ){0,2}?(?:days?|weeks?|months?|quarters?|years?|decade|half|season|summer|winter"
    r"|shift|\w+'s)|"
    r"\b(?:coming|upcoming) (?:\w+ )?(?:days?|weeks?|months?|quarters?|years?)|\bahead\b|\bin the "
    r"future\b|\btomorrow\b|"
    r"\b(?:by|until|to|through) (?:the end of|mid-|early |late )?(?:20\d\d|when|next|the year|the "
    r"month)\b|^by when\b",
    re.IGNORECASE,
)
_WE = r"(?:we|i|you|one|us|our|the (?:team|company|plant|department))"


class Cue(NamedTuple):
    """A sign of a level, how strong, and how the reason says it in English and Chinese."""

    level: Level
    weight: float
    reason: str
    matches: Callable[["CueQuestion"], bool]


class CueQuestion(NamedTuple):
    """A question as the cues see it."""

    question: Question
    parts: int
    kind: str

    @property
    def frame(self) -> str:
        return self.question.frame

    def lemmas(self, letters: str) -> frozenset[str]:
        """Return the base forms of the words that stand for one of the letters."""
        return frozenset(word.lemma for word in self.question.words if word.letter in letters)

    def order(self) -> str:
        """Return the verb of an order, "" where none is given."""
        first = next((word for word in self.question.words[:2] if word.text.lower() != "please"), None)
        ordered = first is not None and (first.letter == "v" or first.tag in {"VVB", "VVI"})
        return first.lemma if first is not None and ordered else ""

    def has(self, pattern: str) -> bool:
        return re.search(pattern, self.frame, re.IGNORECASE) is not None


def _proposes(read: CueQuestion) -> bool:
    return read.order() in _WORDS["propose"] or read.has(
        r"^(?:please )?(?:come up with|think of|help me (?:design|plan))"
    )


def _counsel(read: CueQuestion) -> bool:
    """Say whether advice is asked: "how could we", "how can X be improved"; not "which oil should I use"."""
    if read.has(r"\bwhich\b.*\bshould (?:i|you|one)\b") or read.has(
        r"\b(?:if|when|after|before|once) (?:the |an? )?[\w\ue000-\uf8ff]+ (?:is|are|appears|occurs"
        r"|shows|fails|comes)\b"
    ):
        return False
    if read.has(rf"\b(?:how|what|which|where)\b.*\b(?:could|might|would|should) {_WE}\b") and not read.has(
        r"\bwhat should i do\b|\b(?:know|tell|find out)\b|\bhow (?:many|much|long|often|far)\b"
    ):
        return True
    changing = not read.lemmas("vieg").isdisjoint(_WORDS["change"])
    asks = rf"\bhow (?:can|could|might|should|do|to)\b(?: {_WE}\b|.*\bbe\b| )"
    better = any(word.tag == "AJC" or word.text == "better" for word in read.question.words)
    made = "make" in read.lemmas("vie")
    return (
        changing
        and (better or not made)
        and read.has(asks)
        and not read.has(r"^how do i (?:make|keep|save)\b")
    )


def _ideas(read: CueQuestion) -> bool:
    is_past = any(word.tag in {"VBD", "VHD", "VDD", "VVD"} for word in read.question.words)
    if (
        is_past
        or read.lemmas("nm").isdisjoint(_WORDS["ideas"])
        or not read.lemmas("nm").isdisjoint(_WORDS["stores"] - {"manual"})
    ):
        return False  # what was done or stands written is a fact
    return read.has(
        r"\b(?:any|some|new|fresh|more|your|other) (?:\w+ )?(?:ideas?|suggestions?|proposals?"
        r"|improvements?|alternatives?|"
        r"options?|advice|thoughts?)\b|\bideas? (?:for|on|to)\b|\bbest (?:way|approach|option|strategy)\b|"
        r"\b(?:roadmap|ways?|strategy|approach) (?:of|to|for)\b(?!.*\bin the\b)"
    )


def _foretells(read: CueQuestion) -> bool:
    if read.order() in _WORDS["foretell"] or (
        read.order() in {"estimate", "give", "show"} and _outlook(read)
    ):
        return True
    asked = read.has(rf"\b(?:can|do|should|could|may) {_WE} (?:expect|anticipate|foresee|predict)\b")
    return (
        asked
        or read.has(r"\b(?:is|are|be) (?:\w+ )*?(?:expected|likely|projected|predicted|forecast) to\b")
        or (
            read.has(
                r"^(?:what|how) (?:is|are) (?:the |our )?(?:forecast|outlook|projection|prediction)s? "
                r"(?:for|of)\b"
            )
        )
    )


def _outlook(read: CueQuestion) -> bool:
    return not read.lemmas("nmv").isdisjoint(_WORDS["outlook"])


def _will_be(read: CueQuestion) -> bool:
    """Say whether a measured thing's future is asked: how many will, what will it be, will it keep rising."""
    moving = not read.lemmas("vigj").isdisjoint(_WORDS["trend"])
    ahead = _AHEAD.search(read.frame) is not None
    if _WILL.search(read.frame):
        measured = read.kind == "number" or read.has(
            r"^(?:how (?:many|much|high|low|long|far)|what)\b.* be\b"
        )
        return measured or moving or (ahead and read.kind in ("yes_no", "number"))
    if read.has(r"^how likely\b|\b(?:likelihood|probability|chance|risk) of another\b"):
        return True
    permitted = rf"\b(?:may|must) {_WE}\b|\b(?:allowed|permitted)\b|^(?:until|till) when (?:may|must|can)\b"
    return ahead and moving and not read.has(rf"\b(?:did|was|were|had|has|have)\b|{permitted}")


def _if_continues(read: CueQuestion) -> bool:
    return read.has(
        r"\b(?:if|should|assuming|given|provided)\b.*\b(?:trend|goes? on|continu\w+|holds|keeps?)\b"
        r"|\b(?:run|running) out\b.*|"
        r"\bby when should\b|\bkeep (?:rising|falling|growing)\b|\bheading\b"
    ) and not read.has(r"\b(?:did|was|were)\b")


def _of_library(read: CueQuestion) -> bool:
    return read.kind == "library" or (
        read.kind != "overview"
        and read.has(
            r"^(?:how many|which|what|list|show)\b(?: all| me)?(?: the)? (?:documents?|files?|reports?"
            r"|sources?|collections?|manuals?)\b(?:.*\b(?:library|collection|corpus|there|mention|contain|name"
            r"|talk about|refer|deal|speak|cover|have)\w*\b|$)"
        )
    )


def _asks_wording(read: CueQuestion) -> bool:
    """Say whether the words of a document or a place in one are asked for; not what all documents say."""
    if read.kind == "overview" or asks_documents(read.question.text):
        return False
    according_to = read.has(r"^(?:according to|as (?:stated|said|written) in)\b") or (
        read.has(r"^what(?:'s| is| does| do| did| are| was)\b")
        and not read.lemmas("vie").isdisjoint(_WORDS["saying"])
        and bool(re.match(r"^what (?:does|do|did|is|are|was) ", read.frame, re.IGNORECASE))
        and not read.lemmas("nmN").isdisjoint(_WORDS["stores"] | _WORDS["spots"])
        and not read.has(r"\band\b.*\bsay\b|\bdifferently\b")
    )
    return according_to or read.has(r"^what (?:does|did|do) [\ue000-\uf8ff] (?:say|state|write)")


def _spot(read: CueQuestion) -> bool:
    spots = "|".join(sorted(_WORDS["spots"] - {"part"}))
    return read.has(
        rf"\b(?:{spots})s? (?:number |no\. ?)?(?:\d+|[A-Z]\b|[\ue000-\uf8ff])|\b(?:which|what) "
        r"(?:columns?|rows?|headings?|entries|fields)\b|"
        r"\b(?:entries|contents?|wording|full text|exact words|headings) (?:of|in)\b"
    )


def _code(read: CueQuestion) -> bool:
    """Say whether a code is looked up; to summarise what goes by one is to read a document."""
    return (
        read.kind != "summary"
        and re.fullmatch(
            r"(?:[a-z]+ )?(?:code |number )?[\ue000-\uf8ff][:,]? ?(?:what\b.*|meaning)?|what (?:is|does) "
            r"(?:[a-z]+ )?(?:code |number )?[\ue000-\uf8ff](?: mean)?",
            read.frame,
            re.IGNORECASE,
        )
        is not None
        and any(c.isdigit() for c in "".join(read.question.names))
    )


def _sums(read: CueQuestion) -> bool:
    counted = read.has(r"\bhow (?:many|often|much)\b") and _SPAN.search(read.frame) is not None
    return counted or (
        not read.lemmas("njaoms").isdisjoint(_WORDS["summing"]) and read.kind in ("number", "fact", "list")
    )


def _joins(read: CueQuestion) -> bool:
    linked = not read.lemmas("vin").isdisjoint(_WORDS["joining"]) and read.has(
        r"\b(?:and|to|with|between|how|from)\b"
    )
    changed = read.has(r"\bchang\w* (?:\w+ )?from\b|\bhow (?:has|have|did) .* chang")
    surveyed = read.has(
        r"\b(?:all|across) (?:the |all )?(?:reports?|documents?|incidents?|cases?|files?|sources?)\b"
    )
    return linked or changed or surveyed or _DEGREES.search(read.frame) is not None


_CUES = (
    Cue(Level.CREATIVE, 3, "asks for a proposal", _proposes),
    Cue(Level.CREATIVE, 3, "asks what could be done", _counsel),
    Cue(Level.CREATIVE, 3, "asks for ideas", _ideas),
    Cue(Level.PREDICTIVE, 3.5, "asks for a forecast", _foretells),
    Cue(Level.PREDICTIVE, 3, "asks how something measured will be", _will_be),
    Cue(Level.PREDICTIVE, 3, "carries a trend on", _if_continues),
    Cue(Level.DIRECT, 3, "asks about the library itself", _of_library),
    Cue(Level.DIRECT, 2.5, "asks to list what is written", lambda r: r.order() in _WORDS["show"]),
    Cue(Level.DIRECT, 3, "asks what a document says", _asks_wording),
    Cue(Level.DIRECT, 3, "names a place in a document", _spot),
    Cue(Level.DIRECT, 2.5, "looks up a code", _code),
    Cue(Level.LINKING, 2.5, "is made of parts", lambda r: r.parts > 1),
    Cue(Level.LINKING, 2.5, "counts or sums up", _sums),
    Cue(Level.LINKING, 2.5, "compares or links several facts", _joins),
    Cue(Level.LINKING, 3, "sums up what the documents say of a theme", lambda r: r.kind == "overview"),
)  # fmt: skip


def _zh(level: Level, weight: float, text: str, pattern: str) -> Cue:
    compiled = re.compile(pattern)
    return Cue(level, weight, text, lambda read: compiled.search(read.frame) is not None)


@cache
def _cues_zh() -> tuple[Cue, ...]:
    table = tomllib.loads((Path(__file__).parent / "levels_zh.toml").read_text(encoding="utf-8"))["cue"]
    read = [_zh(Level(cue["level"]), cue["weight"], cue["said"], cue["pattern"]) for cue in table]
    whole = Cue(Level.DIRECT, 3, "问资料库本身", lambda read: read.kind == "library")
    theme = Cue(Level.LINKING, 3.5, "概述各份文件对一个主题的说法", lambda read: read.kind == "overview")
    return (*read, whole, theme, Cue(Level.LINKING, 2.5, "由几部分组成", lambda read: read.parts > 1))


_WRITTEN_ZH = re.compile(r"(?:报告|手册|文件|规程|纪要|记录|合同)(?:里|中|上)|^谁")
_ORDER = (Level.CREATIVE, Level.PREDICTIVE, Level.DIRECT, Level.LINKING)
_ONE_FACT = {"en": "one fact answers it", "zh": "一个事实即可回答"}


class LevelDecision(NamedTuple):
    """A level, the reason, and by how much it leads the next."""

    level: Level
    reason: str
    lead: float


def level_of(question: Question, parts: int) -> LevelDecision:
    """Return the level whose cues weigh most; without cues a question is factual."""
    chinese = question.language == "zh"
    read = CueQuestion(question, parts, form(question))
    scores: dict[Level, float] = dict.fromkeys(_ORDER, 0.0)
    reasons: dict[Level, list[str]] = {level: [] for level in _ORDER}
    for cue in _cues_zh() if chinese else _CUES:
        if cue.matches(read):
            scores[cue.level] += cue.weight
            reasons[cue.level].append(cue.reason)
    if chinese and _WRITTEN_ZH.search(question.frame):
        scores[Level.CREATIVE] = scores[Level.PREDICTIVE] = 0.0  # what stands written is a fact
    scores[Level.DIRECT] -= parts > 1
    best = max(_ORDER, key=lambda level: scores[level])
    if scores[best] < 2:
        return LevelDecision(Level.FACTUAL, _ONE_FACT["zh" if chinese else "en"], 2 - scores[best])
    both = {Level.DIRECT, Level.LINKING}  # the parts of a plan are looked up in either
    rivals = set(_ORDER) - (both if parts > 1 and best in both else {best})
    return LevelDecision(best, "; ".join(reasons[best]), scores[best] - max(scores[one] for one in rivals))
