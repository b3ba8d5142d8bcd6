"""The rule for ExtractRelations: names become entities, and set phrases between them become relations."""

import re
from collections import Counter

from core.llm.extractive.names import Named, acronyms_in, names_in, sentences_of, thing_at_start
from core.tasks import EntityDraft, Extracted, ExtractRelations, RelationDraft
from core.text.tokens import is_cjk

MOST_ENTITIES = 30
MOST_RELATIONS = 20

# predicate: the phrases that say it; the subject stands before, the object after
_PHRASES = {
    "directed by": "directed by",
    "written by": "written by|authored by|screenplay by",
    "produced by": "produced by",
    "composed by": "composed by|music by",
    "performed by": "performed by|recorded by|sung by",
    "starring": "starring|stars",
    "founded by": "founded by|established by|co-founded by",
    "created by": "created by|developed by|designed by|invented by",
    "made by": "manufactured by|made by|supplied by|built by",
    "published by": "published by|released by|distributed by",
    "owned by": "owned by|operated by|acquired by|bought by",
    "caused by": "caused by|due to|resulted from|attributed to|traced to|triggered by|because of",
    "causes": "causes|caused|leads to|led to|results in|resulted in",
    "located in": "located in|situated in|found in|lies in|located at|situated on",
    "part of": "part of|subsidiary of|division of|branch of|component of",
    "member of": "member of",
    "based in": "based in|headquartered in",
    "capital of": "capital of",
    "married to": "married to|married|wife of|husband of|spouse of|widow of",
    "child of": "son of|daughter of|child of|born to",
    "parent of": "father of|mother of|parent of",
    "sibling of": "brother of|sister of|sibling of",
    "born in": "born in|born at|native of",
    "died in": "died in|died at",
    "studied at": "educated at|studied at|graduated from|attended|alumnus of",
    "works for": "worked at|worked for|works for|works at|employed by|professor at",
    "plays for": "plays for|played for",
    "named after": "named after|named for",
    "replaced by": "replaced by|replaced with|superseded by",
    "connected to": "connected to|attached to|mounted on|installed in|installed on",
    "used in": "used in|used for|used on",
    "follows": "according to|in accordance with|as described in|described in|see",
    "reported by": "reported by|raised by|approved by|signed by",
    "succeeded by": "succeeded by|followed by",
    "borders": "borders|bordered by|adjacent to",
    "requires": "requires|depends on|needs",
}
_CANONICAL = {phrase: name for name, phrases in _PHRASES.items() for phrase in phrases.split("|")}
_VERB = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(map(re.escape, _CANONICAL), key=len, reverse=True)) + r")(?![\w-])"
)
_LIFE = re.compile(
    r"\(\s?(?:[^()]{0,60}?[;,]\s)?(?:born|b\.)\s([^();]{4,40}?)(?:\s(?:in|at)\s([^();]{3,50}))?[);]"
)
_GAP = re.compile(
    r"^[\s,\"“‘'(]*(?:(?:the|a|an|its|his|her|their|then|by|actor|actress|director|singer)\s+){0,3}[\"“‘']?$"
)
_LIST_GAP = re.compile(r"^[\"”’']?\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)[\"“‘']?$")
_PHRASE_OBJECT = re.compile(
    r"\s+((?:(?!and\b|which\b|that\b|who\b|when\b|after\b|but\b|on\b|in\b)[\w’'-]+[ ]?){1,6})"
)
_PRONOUN = re.compile(
    r"(?:He|She|It|They|His|Her|Its|This \w+|The (?:film|song|album|company|book|tool|system))\b"
)
_APPOSITION = re.compile(r"^\s*(?:\([^()]*\))?\s*,\s*(?:(?:the|a|an|\w+)\s+){0,3}$")
_WORK_PREDICATES = {"directed by", "written by", "produced by", "composed by", "performed by", "starring"}
_ZH = re.compile(
    r"([^，。；、\s：:]{2,20}?)(?:是|被)?(由于|由|位于|属于|导致|引起|造成|出生于|毕业于|隶属于|"
    r"依据|参照|替换为|包括)([^，。；\n]{2,24})"
)
_ZH_PREDICATES = {
    "由于": "caused by", "由": "made by", "位于": "located in", "属于": "part of", "隶属于": "part of",
    "导致": "causes", "引起": "causes", "造成": "causes", "出生于": "born in", "毕业于": "studied at",
    "依据": "follows", "参照": "follows", "替换为": "replaced by", "包括": "includes",
}  # fmt: skip
_ZH_TAIL = re.compile(r"(引起|导致|造成|负责|生产|制造|提供|编写|批准|完成)的?$")
_ZH_BY = {"引起": "caused by", "导致": "caused by", "造成": "caused by", "负责": "responsible"}


def extract(task: ExtractRelations) -> Extracted:
    """List the named things of a text with their kinds and other names, and how the text relates them."""
    text = task.text
    names = names_in(text)
    title = re.sub(r"\s*\([^()]*\)$", "", task.title).strip()
    relations = _chinese(text) if is_cjk(text) else []
    relations += _english(text, names, title)
    entities = _entities(text, names, title, relations)
    return Extracted(entities=entities, relations=tuple(dict.fromkeys(relations))[:MOST_RELATIONS])


def _entities(
    text: str, names: tuple[Named, ...], title: str, relations: list[RelationDraft]
) -> tuple[EntityDraft, ...]:
    counts = Counter(named.name for named in names)
    kinds = {named.name: named.kind for named in reversed(names)}
    aliases: dict[str, list[str]] = {}
    for long, short in acronyms_in(text):
        aliases.setdefault(long, []).append(short)
        counts[long] += counts.pop(short, 0) + 1
        kinds.setdefault(long, "term")
    if title and (title in text or any(title in (r.subject, r.object) for r in relations)):
        counts[title] += 1
        kinds.setdefault(title, "title")
    for relation in relations:
        for name in (relation.subject, relation.object):
            counts[name] += 1
            kinds.setdefault(name, "term")
    best = sorted(counts, key=lambda name: -counts[name])[:MOST_ENTITIES]
    return tuple(
        EntityDraft(name=name, kind=kinds[name], aliases=tuple(aliases.get(name, ())))
        for name in best
        if name in kinds
    )


def _english(text: str, names: tuple[Named, ...], title: str) -> list[RelationDraft]:
    found: list[RelationDraft] = []
    at = 0
    for start, end in sentences_of(text):
        while at < len(names) and names[at].end <= start:
            at += 1
        upto = at
        while upto < len(names) and names[upto].start < end:
            upto += 1
        inside = names[at:upto]
        subject = _subject(text, start, inside, title)
        found += _life(text, start, end, subject)
        for match in _VERB.finditer(text, start, end):
            found += _relate(text, match, inside, subject, end, title)
    return found


def _subject(text: str, start: int, inside: tuple[Named, ...], title: str) -> str:
    """Return what the sentence is about: the name it begins with, else the title behind its pronoun."""
    if inside and inside[0].start - start <= 5:
        first = inside[0].name
        return title if title and first in title else first
    return title if _PRONOUN.match(text, start) else thing_at_start(text, start)


def _life(text: str, start: int, end: int, subject: str) -> list[RelationDraft]:
    if not subject or "born" not in text[start:end]:
        return []
    match = _LIFE.search(text, start, end)
    if match is None:
        return []
    found = [RelationDraft(subject=subject, predicate="born on", object=match.group(1).strip(" ,"))]
    if match.group(2):
        found.append(RelationDraft(subject=subject, predicate="born in", object=match.group(2).strip(" ,")))
    return found


def _relate(
    text: str, match: re.Match[str], inside: tuple[Named, ...], subject: str, end: int, title: str
) -> list[RelationDraft]:
    predicate = _CANONICAL[match.group(1)]
    owner = _owner(text, match.start(), inside, subject)
    if not owner:
        return []
    if predicate in _WORK_PREDICATES and owner[:1].islower() and title:
        owner = title
    after = [n for n in inside if n.start >= match.end()]
    objects: list[str] = []
    position, gap = match.end(), _GAP
    for named in after:
        if not gap.match(text[position : named.start]):
            break
        objects.append(named.name)
        position, gap = named.end, _LIST_GAP
    if not objects and predicate in {"caused by", "causes", "replaced by", "requires"}:
        phrase = _PHRASE_OBJECT.match(text, match.end(), end)
        if phrase:
            objects = [re.sub(r"^(?:the|a|an)\s", "", phrase.group(1).strip())]
    return [
        RelationDraft(subject=owner, predicate=predicate, object=thing)
        for thing in objects
        if thing and thing != owner
    ]


def _owner(text: str, at: int, inside: tuple[Named, ...], subject: str) -> str:
    """Return whose relation the phrase at `at` tells: the name beside it, or the subject."""
    before = [n for n in inside if n.end <= at]
    if before and _APPOSITION.match(text[before[-1].end : at]):
        return before[-1].name
    return subject or (before[-1].name if before else "")


def _chinese(text: str) -> list[RelationDraft]:
    found = []
    for match in _ZH.finditer(text):
        subject, verb, rest = match.groups()
        predicate = _ZH_PREDICATES[verb]
        tail = _ZH_TAIL.search(rest)
        if tail and verb in {"由", "由于"}:
            predicate = _ZH_BY.get(tail.group(1), predicate)
            rest = rest[: tail.start()]
        subject = re.sub(r"^(?:该|此|这|其|本次|经查|因此|所以|但)|(?:主要|均|都|已)$", "", subject)
        thing = re.sub(r"^(?:了|一个|一种)|(?:的|等)$", "", rest).strip()
        if 2 <= len(subject) <= 20 and 2 <= len(thing) <= 20:
            found.append(RelationDraft(subject=subject, predicate=predicate, object=thing))
    return found
