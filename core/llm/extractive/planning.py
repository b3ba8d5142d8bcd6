"""The rule for Decompose: comparisons, several questions in one, lists, ranked sets, nested descriptions."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.domain import Plan, SubQuestionType
from core.llm.extractive.chains import unfold
from core.llm.extractive.comparing import compare
from core.llm.extractive.drafting import Drafting, renumber
from core.llm.extractive.planning_zh import plan_chinese
from core.llm.extractive.questions import SLOT, Question, expected_kind, read
from core.llm.extractive.skeletons import follow, habit
from core.llm.extractive.templates import apply, matching
from core.tasks import Decompose, PartDraft, PlanDraft
from core.text.tokens import content_words

_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_LEAD = r"(?:in|on|at|for|of|to|by|from|with)"
_NEXT_QUESTION = re.compile(
    rf"(?:,? and|,? as well as|;|,)\s+(?=(?:{_LEAD} )?{_WH} [\w\ue000-\uf8ff])|[?.]\s+(?=[\w\ue000-\uf8ff])",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:he|she|him|they|them)\b", re.IGNORECASE)
_OWNED = re.compile(r"\b(?:his|her|their|its)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|this|that one|these|those|there)\b", re.IGNORECASE)
_ITEM = r"(?:[^,;]+?)"
_LIST = re.compile(
    rf"(?P<items>(?:{_ITEM}, ){{1,8}}(?:{_ITEM},? )?(?:and|or|&) [^,;]+?)(?=$| (?:respectively|"
    rf"each|in order|from|in|is|are|was|were|have|has|did|do|won|located)\b)"
)
_LIST_LEAD = re.compile(
    r"^(?P<lead>.*?\b(?:of|for|in|by|did|do|does|have|has|are|were|is|about|teams won|from|with|"
    r"at)(?: each of)?(?: the)?(?: following)?(?: [a-z]+s:?)?|.*?:) (?=[\ue000-\uf8ff]|"
    r"[\w'\"]+,)"
)
_SET = re.compile(
    r"\b(?:of|for|in|by|from|did|do|does|have|has|at|to) (?:each (?:of )?)?(?P<set>(?:the |all |"
    r"each |every )(?:of the )?"
    r"(?:[\w\ue000-\uf8ff'-]+ ){0,6}?(?:(?:top|last|first|\d+|two|three|four|five|six|seven|"
    r"eight|nine|ten|most|least|largest|smallest|highest|longest|best|biggest|oldest|each|"
    r"every)\b|"
    r"[\w-]+est\b)(?: [\w\ue000-\uf8ff'’().,-]+)*)$",
    re.IGNORECASE,
)
_RESPECTIVE = re.compile(
    r"^(?P<first>(?:who|what|which|list|name|find|identify|give|provide)\b.+?),? (?:and|along "
    r"with|together with|as well as) (?P<second>(?:their|its|the|when|where|how|in what|in "
    r"which|what|who)\b.+)$",
    re.IGNORECASE,
)
# What is asked to be explained is what is spoken of after it: "what caused the leak and how was it mended".
_EXPLAINED = re.compile(
    rf"^(?:{_LEAD} )?what (?:has |have |had )?(?:caused?|causes|led to|leads to|triggere?[ds]|"
    r"explain(?:s|ed)|prevent(?:s|ed)|reduce[ds]|increase[ds]) (?P<what>.+)$|"
    r"^what (?:is|was|are|were) the (?:\w+ )?(?:cause|reason|origin|explanation)s? (?:of|for) (?P<of>.+)$",
    re.IGNORECASE,
)
_SINGULAR = re.compile(r"\b(?:was|is|has|does)\b(?= it\b)", re.IGNORECASE)
_AS_PLURAL = {"was": "were", "is": "are", "has": "have", "does": "do"}
_PLURAL = r"the (?:\w+ ){0,2}?\w+s\b"


def decompose(task: Decompose) -> PlanDraft:
    """Return at most `most` parts; a question that cannot be taken apart comes back as its only part.

    Where the question is built like one of the examples, it is planned like it; else as their habit is; else
    by the rules.
    """
    question = read(task.question)
    parts = _at_most(list(_learnt(task) or by_rules(task.question)), task.most)
    typed = tuple(part.model_copy(update={"type": _type(part, parts)}) for part in parts)
    known = tuple(dict.fromkeys(name.strip('"“”《》') for name in question.names))
    unknown = tuple(part.question for part in typed if any(part.id in other.depends_on for other in typed))
    return PlanDraft(intent=_intent(question), known=known, unknown=unknown, parts=typed)


@lru_cache(maxsize=4096)
def by_rules(text: str) -> tuple[PartDraft, ...]:
    """Return the parts the rules find, however many, without any example."""
    question = read(text)
    drafting = Drafting(question)
    if question.language == "zh":
        plan_chinese(question.frame, drafting)
    else:
        _plan_english(question.frame, drafting)
    return tuple(drafting.parts)


def _learnt(task: Decompose) -> tuple[PartDraft, ...]:
    """Return the parts the examples teach, () for none; what would not fit into a plan is not taken."""
    if not task.examples:
        return ()
    parts = apply(task.question, task.examples) or follow(task.question, task.examples, by_rules)
    return parts if len(parts) <= task.most else ()


def lessons(question: str, accepted: Sequence[Plan]) -> tuple[Plan, ...]:
    """Return those of many accepted plans that teach how to plan this question: built alike, or a habit."""
    return matching(question, accepted) or habit(question, accepted, by_rules)


def _intent(question: Question) -> str:
    kind = expected_kind(question.text)
    return f"想知道：{kind}" if question.language == "zh" else f"wants a {kind}"


def _plan_english(frame: str, drafting: Drafting) -> None:
    if compare(frame, drafting):
        return
    pieces = [piece.strip(" ,;") for piece in _NEXT_QUESTION.split(frame) if len(piece.split()) > 1]
    if len(pieces) > 1 and re.match(
        rf"(?:{_LEAD} )?{_WH}\b|list|name|find|identify|compare|give", pieces[0], re.IGNORECASE
    ):
        _several(pieces, drafting)
        return
    if _list(frame, drafting) or _shared(frame, drafting) or _set(frame, drafting):
        return
    unfold(frame, drafting)


def _several(pieces: list[str], drafting: Drafting) -> None:
    """Each question becomes a part; pronouns point to the first answer, or to the thing the first names."""
    first = unfold(pieces[0], drafting)
    kind = expected_kind(pieces[0] + "?")
    named = re.findall(r"[\ue000-\uf8ff]", pieces[0])
    for piece in pieces[1:]:
        asked_thing = kind in {"person", "list"} or re.match(
            rf"^(?:{_LEAD} )?(?:which|what (?!is|are|was|were|does|did|do|has)\w+) ", pieces[0], re.IGNORECASE
        )
        thing = f"#{first}" if asked_thing or not named else named[-1]
        text = piece
        explained = _EXPLAINED.match(pieces[0])
        if explained is not None:
            thing = explained["what"] or explained["of"]
            if re.match(_PLURAL, thing):
                text = _SINGULAR.sub(lambda verb: _AS_PLURAL[verb.group().lower()], text, count=1)
        if re.match(rf"^(?:{_LEAD} )?{_WH}$", piece, re.IGNORECASE):
            text = f"{piece}: {pieces[0]}"
        person = f"#{first}" if kind == "person" or not named else named[-1]
        text = _PERSON.sub(person if kind == "person" else thing, text, count=1)
        text = _OWNED.sub(f"{person if kind == 'person' else thing}'s", text, count=1)
        text = _THING.sub(thing, text, count=1)
        text = re.sub(
            r"\b(?:their respective|respective|each of (?:them|those|these)|each)\b",
            f"#{first}",
            text,
            flags=re.IGNORECASE,
        )
        unfold(text, drafting)


def _list(frame: str, drafting: Drafting) -> bool:
    """ "heights of A, B and C" asks the same of each."""
    lead = _LIST_LEAD.match(frame)
    if lead is None:
        return False
    match = _LIST.match(frame[lead.end() :])
    if match is None:
        return False
    items = [
        item.strip() for item in re.split(r",\s*(?:and |or |& )?| and | or ", match["items"]) if item.strip()
    ]
    before, after = frame[: lead.end()], frame[lead.end() + match.end() :]
    if len(items) < 3 and not (len(items) == 2 and all(re.search(SLOT, item) for item in items)):
        return False
    if any(len(item.split()) > 6 for item in items):
        return False
    before = re.sub(r"\b(?:each of )?(?:the )?following [a-z]+s:? $", "", before)
    for item in items:
        unfold(f"{before}{item}{re.sub(r' (?:respectively|each)', '', after)}", drafting, most=1)
    return True


def _shared(frame: str, drafting: Drafting) -> bool:
    """Split "Who are the laureates since 2020, and their birthplaces": the second asks of the first."""
    match = _RESPECTIVE.match(frame)
    if match is None or (
        match["first"].lower().startswith(("who is", "what is")) and "their" not in match["second"]
    ):
        return False
    second = match["second"]
    if not re.match(
        r"^(?:their|its|the (?:\w+ ){1,3}(?:of each|each|found|for each|in each)|when|where|how|"
        r"in wh|what|who|the (?:composers|years?|names?|titles?))",
        second,
        re.IGNORECASE,
    ):
        return False
    first = drafting.add(_asking(match["first"]), "bridging")
    second = re.sub(r"^their(?: respective)?|^its|^the respective", "the", second, flags=re.IGNORECASE)
    second = re.sub(r"\b(?:of|for|in) (?:each|these|those|them)\b.*$", "", second).strip()
    if re.match(rf"(?:{_LEAD} )?{_WH}\b", second, re.IGNORECASE):
        text = _PERSON.sub(f"#{first}", second, count=1)
        text = text if "#" in text else f"{second} (#{first})"
    else:
        attribute = re.sub(r" of (?:their|its|his|her) .*$", "", second)
        text = f"What {'are' if re.match(_PLURAL, attribute) else 'is'} {attribute} of #{first}"
    drafting.add(text)
    return True


def _asking(frame: str) -> str:
    match = re.match(r"^(?:list|name|find|identify|give|provide)(?: me)? ", frame, re.IGNORECASE)
    if match is None:
        return frame
    rest = frame[match.end() :]
    return f"What {'are' if re.match(_PLURAL, rest) else 'is'} {rest}"


def _set(frame: str, drafting: Drafting) -> bool:
    """ "capitals of the five largest countries": the set is found first, then asked about."""
    match = _SET.search(frame)
    if match is None or match.start() < 4:
        return False
    members = re.sub(
        r"^(?:each of |each |every |all (?:of )?)(?:the )?", "the ", match["set"], flags=re.IGNORECASE
    )
    if not re.search(r"\w{2,}s\b", members):
        return False
    first = unfold(f"What are {members}", drafting, most=2)
    start, end = match.span("set")
    rest = re.sub(r"\beach of $|\beach $", "", frame[:start])
    unfold(f"{_asking(rest)}#{first}{frame[end:]}", drafting, most=1)
    return True


def _at_most(parts: list[PartDraft], most: int) -> list[PartDraft]:
    """Merge the most alike parts that nothing depends on until there are at most `most`."""
    parts = list(parts)
    while len(parts) > max(1, most):
        needed = {n for part in parts for n in part.depends_on}
        free = [part for part in parts if part.id not in needed] or parts
        pairs = [(a, b) for at, a in enumerate(free) for b in free[at + 1 :]]
        if not pairs:
            parts = parts[: most - 1] + parts[-1:]
            break
        first, second = max(pairs, key=lambda pair: _alike(pair[0].question, pair[1].question))
        needs = tuple(sorted({*first.depends_on, *second.depends_on}))
        merged = first.model_copy(
            update={"question": _joined(first.question, second.question), "depends_on": needs}
        )
        parts = [merged if part is first else part for part in parts if part is not second]
    return list(renumber(parts))


def _alike(one: str, other: str) -> float:
    a, b = set(content_words(one)), set(content_words(other))
    return len(a & b) / max(1, len(a | b))


def _joined(one: str, other: str) -> str:
    """Join two questions; what they begin with in common is said once."""
    a, b = one.rstrip("?？ ").split(" "), other.rstrip("?？ ").split(" ")
    same = 0
    while same < min(len(a), len(b)) - 1 and a[same] == b[same]:
        same += 1
    if same >= 2:
        return f"{' '.join(a)} and {' '.join(b[same:])}?"
    return f"{one} {other}"


def _type(part: PartDraft, parts: list[PartDraft]) -> SubQuestionType:
    """Say what kind of work a part is."""
    if part.type in {"comparative", "global"}:
        return part.type
    text = part.question.lower()
    if re.match(r"^how (?:many|much|often)\b|.*\b(?:average|total|sum|number of)\b", text) or re.search(
        r"多少|几|平均|总", text
    ):
        return "quantitative"
    if re.search(r"\bwhat is known about\b|\bsummar|\boverall\b|概述|总结|总体", text):
        return "summarising"
    if any(part.id in other.depends_on for other in parts):
        return "bridging"
    return "reasoning" if re.match(r"^why\b|^how (?:did|does|do)\b", text) or "为什么" in text else "factual"
