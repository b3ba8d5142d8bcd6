"""The rule for TagChunk: key phrases with a class, from the dictionary, from names and from what recurs."""

import re
from collections import Counter
from functools import lru_cache

from core.llm.extractive.lexicon import Term, by_stems, chinese_pattern, terms_in
from core.llm.extractive.names import names_in
from core.tasks import TagChunk, TagDraft, Tagged
from core.text.tokens import is_cjk, is_stopword, stem

MOST = 8
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'’-]*|[.,;:!?()\n]")
_DATE = re.compile(r"\b(?:19|20)\d{2}(?:-\d{2}(?:-\d{2})?)?\b|(?:19|20)\d{2}年(?:\d{1,2}月)?")
_RUN_ZH = re.compile(r"[\u4e00-\u9fff]{2,}")
_FUNCTION_ZH = re.compile(
    r"[的了和与及在是被把将从对为于由向到而并也都又就或等其该此各每个们这那不没有可能会应须需请已"
    r"未后前时中上下内外当如若则但]+"
)
_PLAIN_KINDS = {
    "thing": "topic",
    "title": "document",
    "acronym": "topic",
    "code": "topic",
    "alarm": "defect",
    "term": "topic",
}


def tag(task: TagChunk) -> Tagged:
    """Return up to 8 tags, the weightiest first: terms of the dictionary, names, codes, dates, phrases."""
    text = task.text
    head = text.split("\n", 1)[0] if "\n" in text else ""
    weights: Counter[str] = Counter()
    classes: dict[str, str] = {}
    for name, tag_class, weight in _candidates(text):
        weights[name] += weight + (weight if name in head else 0)
        classes.setdefault(name, tag_class)
    allowed = set(task.classes)
    tags = []
    for name, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0])):
        tag_class = classes[name]
        if allowed and tag_class not in allowed:
            if "topic" not in allowed:
                continue
            tag_class = "topic"
        tags.append(TagDraft(name=name, tag_class=tag_class))
        if len(tags) == MOST:
            break
    return Tagged(tags=tuple(tags))


def _candidates(text: str) -> list[tuple[str, str, int]]:
    """Return (name, class, weight) of everything that could be a tag, repeated as often as it stands."""
    found = [
        (n.name, _PLAIN_KINDS.get(n.kind, n.kind), 3 if n.kind != "thing" else 2) for n in names_in(text)
    ]
    found += _english(text)
    if is_cjk(text):
        found += _chinese(text)
    found += [(m.group(), "date", 1) for m in _DATE.finditer(text)]
    return found


@lru_cache(maxsize=100_000)
def _known(token: str) -> str:
    """Return the stem of a word that carries matter, "" for the others."""
    return "" if len(token) < 3 or is_stopword(token) else stem(token)


def _english(text: str) -> list[tuple[str, str, int]]:
    tokens = _WORD.findall(text.lower())
    stems = [_known(token) for token in tokens]
    found = [(term.english[0], term.tag_class, 2 + (end - start)) for start, end, term in terms_in(stems)]
    phrases: Counter[str] = Counter()
    begin = 0
    for at, stemmed in enumerate(stems):
        if stemmed:
            continue
        if 2 <= at - begin <= 3:
            phrases[" ".join(tokens[begin:at])] += 1
        begin = at + 1
    return found + [(phrase, "topic", count) for phrase, count in phrases.items() if count > 1]


def _chinese(text: str) -> list[tuple[str, str, int]]:
    table = by_stems()
    found = []
    for match in chinese_pattern().finditer(text):
        term: Term = table[(match.group(),)]
        found.append((match.group(), term.tag_class, 3))
    pieces: Counter[str] = Counter()
    for run in _RUN_ZH.findall(text):
        pieces.update(piece for piece in _FUNCTION_ZH.split(run) if 2 <= len(piece) <= 6)
    return found + [(piece, "topic", count) for piece, count in pieces.items() if count > 1]
