"""Names what a number in a sentence is a value of: the thing (entity) and its quantity (attribute)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.text.codes import THING_CODE
from core.text.periods import Dated
from core.text.quantities import Quantity
from core.text.tokens import is_cjk


@dataclass(frozen=True)
class SeriesName:
    """What a value measures: the thing ("product A77") and the quantity ("yield")."""

    entity: str
    attribute: str


@dataclass(frozen=True)
class ClauseSpans:
    """Where a clause's periods and quantities stand (characters)."""

    periods: tuple[tuple[int, int], ...]
    quantities: tuple[tuple[int, int], ...]

    def cut(self, start: int) -> "ClauseSpans":
        """Return the marks from `start` on, counted from there."""
        return ClauseSpans(
            *(
                tuple((a - start, b - start) for a, b in m if a >= start)
                for m in (self.periods, self.quantities)
            )
        )


_GENERIC = r"(?:product|tool|equipment|machine|line|chamber|unit|产品|机台|设备)"
_VERB = re.compile(
    r"\b(?P<verb>was|were|is|are|has been|had|has|have|rose|rises|fell|reached|stood|stands|amounted|averaged"
    r"|climbed|dropped|increased|decreased|grew|declined|raised|sold|produced|recorded|emitted|used|consumed"
    r"|totalled|totaled|there were|there was|hit|came|improved|made|shipped|saw|employed|processed"
    r"|remained|stayed|counted)\b",
    re.IGNORECASE,
)
_HANGING = re.compile(
    r"(?:\s*\b(?:from|to|up to|of|about|around|by|at|than|over|under|least|most))+$", re.IGNORECASE
)
_MEASURED = {"processed", "emitted", "used", "consumed", "produced", "sold", "shipped"}
_PREPOSITION = re.compile(
    r"\b(?:in|on|at|by|of|for|from|between|during|until|since|the end|end|early|mid|late|while"
    r"|and)(?:\s+the)?\s*$",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:and|while|but|the|a|an|after|before|its|our|their|also|then|or|[-,.:*•\s])+(?=\s|$)\s*",
    re.IGNORECASE,
)
_NO_NOUN = (
    r"(?!(?:in|on|at|by|for|from|to|and|per|of|after|with|during|each|while|but|as|or|had|has"
    r"|have|was|were)\b)"
)
_NOUN = re.compile(rf"\s+(?P<noun>{_NO_NOUN}[a-z][a-z-]+(?:\s{_NO_NOUN}[a-z][a-z-]+)?)")
_PRONOUN = re.compile(r"^(?:it|they|this|that|which)$", re.IGNORECASE)
_EVENT = re.compile(
    r"^(?P<subject>.*?)\b(?:was|were|has been|is)\s+(?:(?:\w+ly|last|first|again)\s+)?"
    r"(?P<verb>[a-z]+(?:ed|n|t|d))\b",
    re.IGNORECASE,
)
_EVENTS_ZH = "获批|获得批准|批准|上市|安装|投产|发布|成立|更换|维修|启用|关闭|发生|维护|验收|清洗|停机"
_EVENT_ZH = re.compile(rf"(?P<verb>{_EVENTS_ZH})")
_TRAIL_ZH = re.compile(
    r"(?:分别|各自|回升|升|降|增长|增加|提高|下降|减少|上升|达|到|至|为|是|约|共计|共|有|由|从|的|在|了|近|仅|只|于|合计|总计|[：:\s，、（(])+$"
)
_LEAD_ZH = re.compile(
    r"^(?:-|\*|•|·|截至|截止|底|起|末|初|年|在|于|从|由|至|到|的|和|及|与|、|，|。|：|:|\s|我们|全年|当年|当月|发生|生产|完成|新增|共|各|则|达)+"
)


def name(clause: str, quantity: Quantity, marks: ClauseSpans, lead: str, known: SeriesName) -> SeriesName:
    """Return what the quantity of this clause measures; `known` is what the one before it did."""
    if is_cjk(clause):
        return _chinese(clause, quantity, marks, lead, known)
    return _english(clause, quantity, marks, lead, known)


def _blank(text: str, marks: ClauseSpans, upto: int) -> str:
    """Return the text before `upto` without periods and quantities, and the prepositions that led to them."""
    pieces, at = [], 0
    for start, end in sorted(m for m in marks.periods + marks.quantities if m[0] < upto):
        piece = text[at:start]
        while _PREPOSITION.search(piece):
            piece = _PREPOSITION.sub("", piece)
        pieces.append(piece)
        at = end
    pieces.append(text[at:upto])
    return " ".join(pieces)


def _english(clause: str, quantity: Quantity, marks: ClauseSpans, lead: str, known: SeriesName) -> SeriesName:
    following = _NOUN.match(clause, quantity.end)
    noun = following["noun"] if following and not quantity.unit else ""
    before = _blank(clause, marks, quantity.start)
    head, colon, _ = before.strip(" -*•·").partition(":")
    verbs = list(_VERB.finditer(before))
    if colon and head.strip() and not verbs:
        return _split(head) if head.strip() else known
    verb = verbs[-1] if verbs else None
    subject = _subject(before[: verb.start()] if verb else before)
    if _PRONOUN.match(subject) or (not subject and verb is None):
        subject = ""
    if noun:
        if verb is not None and verb["verb"].lower().startswith("there"):
            return SeriesName("", noun)
        return SeriesName(subject or known.entity, noun)
    if verb is not None and verb["verb"].lower() in _MEASURED:
        return SeriesName(subject or known.entity, verb["verb"].lower())
    if subject:
        return _split(subject)
    return known if known.attribute else _split(lead)


def _subject(text: str) -> str:
    """Return the noun phrase at the end of the text before a verb."""
    text = re.split(r"[,;:]\s", text.strip().rstrip(","))[-1]
    text = _LEADING.sub("", text.strip()).strip(" ,.:-")
    text = _LEADING.sub("", re.sub(r"\s+", " ", text)).strip(" ,.:-")
    return _HANGING.sub("", text)


def _split(text: str) -> SeriesName:
    """Part "yield of product A77" and "A77 yield" into the thing and its quantity."""
    text = _subject(text)
    codes = THING_CODE.findall(text)
    if not codes:
        return SeriesName("", text[:1].lower() + text[1:] if text[:2] != text[:2].upper() else text)
    entity = codes[-1]
    rest = re.sub(
        rf"\s*(?:\b(?:of|for|on|at)\s+)?(?:the\s+)?(?:{_GENERIC}\s+)?{re.escape(entity)}(?:'s|’s)?\s*",
        " ",
        text,
        count=1,
    )
    rest = _LEADING.sub("", rest.strip(" ()（）,:的")).strip()
    return SeriesName(entity, rest[:1].lower() + rest[1:] if rest[1:2].islower() else rest)


def _chinese(clause: str, quantity: Quantity, marks: ClauseSpans, lead: str, known: SeriesName) -> SeriesName:
    starts = (
        [0] + [m.end() for m in re.finditer(r"，|,(?!\d{3})", clause)] + [end for _, end in marks.quantities]
    )
    starts = sorted(start for start in starts if start <= quantity.start)
    for start in reversed(starts):
        text = _blank(clause[start:], marks.cut(start), quantity.start - start).strip()
        text = _TRAIL_ZH.sub("", _LEAD_ZH.sub("", text)).strip()
        text = _LEAD_ZH.sub("", text)
        if text and not re.fullmatch(_EVENTS_ZH, text):
            found = _split_chinese(text)
            return SeriesName(found.entity or "", found.attribute)
        if start and known.attribute:
            break
    if quantity.unit == "次":
        following = re.match(r"[\u4e00-\u9fff]+", clause[quantity.end :])
        if following:
            return SeriesName("", following.group())
    if known.attribute:
        return known
    return _split_chinese(_LEAD_ZH.sub("", lead)) if is_cjk(lead) else _split(lead)


def _split_chinese(text: str) -> SeriesName:
    text = re.sub(r"^.*?[之以]后", "", text)
    codes = THING_CODE.findall(text)
    if codes:
        entity = codes[-1]
        rest = re.sub(rf"{_GENERIC}?\s*{re.escape(entity)}\s*的?\s*", "", text, count=1)
        return SeriesName(entity, _LEAD_ZH.sub("", rest.strip()))
    owner, has, owned = text.replace("拥有", "有").replace("持有", "有").partition("有")
    if has and owner and owned:
        return SeriesName(owner, owned)
    return SeriesName("", text)


def event(clause: str, periods: Sequence[Dated]) -> Iterator[tuple[Dated, SeriesName]]:
    """Yield the dated events of a clause without numbers: who, and what happened."""
    if is_cjk(clause):
        yield from _event_chinese(clause, periods)
        return
    found = _EVENT.match(clause[: periods[0].start])
    if not found:
        return
    subject, verb = _subject(found["subject"]), found["verb"].lower()
    if verb in {"not", "built-in"}:
        return
    for i, period in enumerate(periods):
        if i:
            between = clause[periods[i - 1].end : period.start]
            other = re.search(r"\b(?:and|,)\s+([A-Z][\w-]*(?:\s[A-Z\d][\w-]*)*)\s+(?:on|in)\s*$", between)
            subject = other.group(1) if other else subject
        yield period, SeriesName(subject, verb)


def _event_chinese(clause: str, periods: Sequence[Dated]) -> Iterator[tuple[Dated, SeriesName]]:
    for i, period in enumerate(periods):
        after = clause[period.end : periods[i + 1].start if i + 1 < len(periods) else len(clause)]
        found = _EVENT_ZH.search(after)
        if found:
            subject = re.sub(r"[于在]\s*$", "", clause[: period.start]).strip("，。 ")
            yield period, SeriesName(_LEAD_ZH.sub("", subject), found["verb"])
