"""The rule for Check: a sentence is supported when its figures, names and words stand in what it cites."""

import re
from collections.abc import Sequence

from core.domain import Support
from core.llm.extractive.conflicts import disagreements, plain
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.reading import bag_of, lines_of
from core.tasks import Check, Checked, Claim, ClaimVerdict, Evidence, QuestionAnswer
from core.text.proper_names import names_in
from core.text.tokens import content_words, is_cjk, words

ENOUGH = 0.6  # share of a claim's words that must stand in its citations
_CITATION = re.compile(r"\s*\[\d+(?:\s*[,，]\s*\d+)*\]")
_DIGITS = re.compile(r"(?<![A-Za-z0-9_.#-])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|neither|nor|cannot|hardly)\b|n't\b|没有|未|并非|"
    r"不(?!同|良|过|断|仅|锈|足|均)|无(?!法|尘)",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\b(?:does not say|do(?:es)? not (?:answer|mention|contain|state|hold)|nothing in the "
    r"library|no answer|not found|could not be found|is not known)\b"
    r"|没有说明|没有(?:能够)?回答|未找到|没有找到|未提及|找不到|不清楚",
    re.IGNORECASE,
)
_OPPOSITES = (
    ("increas", "decreas"), ("rise", "fall"), ("rose", "fell"), ("above", "below"), ("before", "after"),
    ("open", "close"),
    ("higher", "lower"), ("more", "less"), ("first", "last"), ("start", "stop"), ("maximum", "minimum"),
    ("pass", "fail"),
    ("上升", "下降"), ("升高", "降低"), ("增加", "减少"), ("高于", "低于"), ("之前", "之后"),
    ("打开", "关闭"), ("最大", "最小"), ("合格", "不合格"),
)  # fmt: skip


def check(task: Check) -> Checked:
    """Judge every claim against the evidence it cites; name parts without an answer and sources at odds."""
    evidence = {piece.n: piece for piece in task.evidence}
    asked = set(words(task.question)).union(*(set(words(part.question)) for part in task.parts))
    answers = {word for part in task.parts for word in words(part.answer)}
    verdicts = tuple(_judge(claim, evidence, asked, answers) for claim in task.claims)
    return Checked(claims=verdicts, missing=_missing(task), conflicts=_conflicts(task))


def _judge(claim: Claim, evidence: dict[int, Evidence], asked: set[str], answers: set[str]) -> ClaimVerdict:
    text = _CITATION.sub("", claim.text).strip()
    cited = [evidence[n] for n in claim.citations if n in evidence]
    if not cited:
        if _GAP.search(text):
            return ClaimVerdict(index=claim.index, support=Support.SUPPORTED, reason="says what is missing")
        return ClaimVerdict(index=claim.index, support=Support.MISSING, reason="cites nothing")
    support, reason = _weigh(text, cited, asked, answers)
    return ClaimVerdict(index=claim.index, support=support, reason=reason)


def _weigh(text: str, cited: Sequence[Evidence], asked: set[str], answers: set[str]) -> tuple[Support, str]:
    bag = {
        word for piece in cited for word in (*bag_of(piece.text), *bag_of(piece.source), *bag_of(piece.date))
    }
    whole = " ".join(f"{piece.source} {piece.text} {piece.date}" for piece in cited)
    where = ", ".join(f"[{piece.n}]" for piece in cited)
    mine = [word for word in content_words(text) if not any(char.isdigit() for char in word)]
    best, share = _nearest(mine, cited)
    absent = sorted(_numbers(text) - _numbers(whole) - {n for n in _numbers(text) if n in asked})
    if absent:
        kind = Support.CONTRADICTED if share >= 0.75 and _numbers(best) else Support.MISSING
        return kind, f"{', '.join(absent)} does not stand in {where}"
    strange = [name for name in _names(text) if not _known(name, bag, whole)]
    if strange:
        return Support.MISSING, f"{', '.join(strange)} is not named in {where}"
    if share >= 0.7:
        if bool(_NEGATION.search(text)) != bool(_NEGATION.search(best)) and not _negated_anywhere(
            text, mine, cited
        ):
            return Support.CONTRADICTED, f"{where} says the opposite: “{best[:120]}”"
        opposite = _opposite(text, best)
        if opposite:
            return Support.CONTRADICTED, f"{where} says {opposite}"
    loose = [word for word in mine if word not in asked or word in bag or word in answers]
    covered = sum(
        1.0 if word in bag else (0.7 if not synonyms(word).isdisjoint(bag) else 0.0) for word in loose
    )
    ratio = covered / len(loose) if loose else 1.0
    if ratio >= ENOUGH:
        return Support.SUPPORTED, f"{ratio:.0%} of its words stand in {where}"
    return Support.MISSING, f"only {ratio:.0%} of its words stand in {where}"


def _nearest(mine: list[str], cited: Sequence[Evidence]) -> tuple[str, float]:
    """Return the cited sentence that shares most of the claim's words, and the share."""
    best, share = "", 0.0
    wanted = set(mine)
    for piece in cited:
        title = set(bag_of(piece.source))
        for line in lines_of(piece):
            here = len(wanted & (set(bag_of(line)) | title)) / max(1, len(wanted))
            if here > share:
                best, share = line, here
    return best, share


def _negated_anywhere(text: str, mine: list[str], cited: Sequence[Evidence]) -> bool:
    """Say whether another cited sentence of the same words agrees with the claim on its "not"."""
    wanted, mood = set(mine), bool(_NEGATION.search(text))
    return any(
        len(wanted & set(bag_of(line))) >= 0.6 * len(wanted) and bool(_NEGATION.search(line)) == mood
        for piece in cited
        for line in lines_of(piece)
    )


def _opposite(text: str, line: str) -> str:
    claim, said = text.lower(), line.lower()
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            if mine in claim and theirs in said and mine not in said and theirs not in claim:
                return f"“{theirs}”, not “{mine}”"
    return ""


def _numbers(text: str) -> set[str]:
    return {plain(found).lstrip("-") for found in _DIGITS.findall(text)} | {
        plain(n) for n in re.findall(r"(?<![A-Za-z0-9_.#-])\d+(?:\.\d+)?(?=[\u4e00-\u9fff])", text)
    }


def _names(text: str) -> list[str]:
    return [named.name for named in names_in(text) if named.start > 0 or " " in named.name]


def _known(name: str, bag: set[str], whole: str) -> bool:
    if name.lower() in whole.lower():
        return True
    parts = content_words(name)
    return bool(parts) and sum(part in bag for part in parts) >= 0.6 * len(parts)


def _missing(task: Check) -> tuple[str, ...]:
    """Return the questions of parts without an answer, or whose answer no claim says.

    Claims that cite answer the question that was asked, also where they say another value than its part did;
    a part is answered, too, where one claim says all it asks about and more.
    """
    told = {word for claim in task.claims for word in words(claim.text)}
    cited = [claim for claim in task.claims if claim.citations]
    return tuple(
        part.question
        for part in task.parts
        if not _addressed(part, told) and not (part.answer.strip() and _restated(part.question, task, cited))
    )


def _restated(question: str, task: Check, cited: Sequence[Claim]) -> bool:
    if cited and question.casefold().rstrip("?？. ") == task.question.casefold().rstrip("?？. "):
        return True
    asked = set(content_words(question))
    return any(asked < set(content_words(claim.text)) for claim in cited) if asked else False


def _addressed(part: QuestionAnswer, told: set[str]) -> bool:
    if not part.answer.strip():
        return False
    if part.answer.strip().lower() in {"yes", "no", "是", "否"}:
        return True
    wanted = set(content_words(part.answer)) or set(words(part.answer))
    return not wanted or len(wanted & told) >= 0.3 * len(wanted)


def _conflicts(task: Check) -> tuple[str, ...]:
    chinese = is_cjk(task.question)
    sources = {piece.n: piece for piece in task.evidence}
    found: dict[str, None] = {}
    for question in [task.question, *(part.question for part in task.parts)]:
        for conflict in disagreements(question, task.evidence):
            one, other = sources[conflict.one.n], sources[conflict.other.n]
            newer = sources[conflict.newer].source if conflict.newer else ""
            if chinese:
                text = f"{one.source}：{conflict.figure}；{other.source}：{conflict.other_figure}" + (
                    f"（{newer}较新）" if newer else ""
                )
            else:
                text = f"{one.source} says {conflict.figure}, {other.source} says {conflict.other_figure}" + (
                    f" ({newer} is newer)" if newer else ""
                )
            found[text] = None
    return tuple(found)
