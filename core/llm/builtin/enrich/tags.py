"""The terms a piece would be looked for under: of the corpus's classes, names, its heading, what recurs."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from core.tasks import TagClass, TagDraft
from core.text.tokens import STOPWORDS_EN, is_cjk, segment, stem, word_set
from core.text.word_lists import word_list

MAX_TAGS = 8
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'’-]*|[.,;:!?()|\n]")
_RUN_ZH = re.compile(r"[\u4e00-\u9fff]{2,}")
_FUNCTION_ZH = re.compile(
    r"[的了和与及在是被把将从对为于由向到而并也都又就或等其该此各每个们这那不没有可能会应须需请已未后前时中上下内外当如若则但]+"
)
_NUMBERING = re.compile(r"^(?:[\d.]+\s+|第.{1,4}[章节条]\s*|[一二三四五六七八九十]+[、.]\s*)")
_NO_TERM = STOPWORDS_EN | word_list("enrichment", "no_term")
_LEADING = word_set("the a an each every this its")
_NO_NOUN = ("ed", "ly", "ing")  # how a lone word ends that is most often none


def tags_of(
    text: str, heading: str, names: Iterable[str], classes: Sequence[TagClass]
) -> tuple[TagDraft, ...]:
    """Return up to 8 tags, the weightiest first; one class for all that no class knows: "topic"."""
    known = {_key(term): (term, each.name) for each in classes for term in each.terms}
    weights: Counter[str] = Counter()
    written: dict[str, tuple[str, str]] = {}
    for name, weight in _candidates(text, heading, names, known):
        key = _key(name)
        if key:
            weights[key] += weight
            of_class = known.get(key) or known.get(key.rpartition(" ")[2])
            written.setdefault(key, (name, of_class[1] if of_class else "topic"))
    best = sorted(weights, key=lambda key: (-weights[key], key))[:MAX_TAGS]
    return tuple(TagDraft(name=written[key][0], tag_class=written[key][1]) for key in best)


def _key(name: str) -> str:
    """Return the form in which spellings of a term meet: case, plural and hyphens are gone."""
    return " ".join(stem(word) for word in re.split(r"[\s_-]+", name.lower()) if word)


def _candidates(
    text: str, heading: str, names: Iterable[str], known: dict[str, tuple[str, str]]
) -> Iterator[tuple[str, int]]:
    plain = _NUMBERING.sub("", heading).strip()
    lead = _lowered(plain, text)
    if plain and len(plain.split()) <= 4 and len(plain) <= 40 and not _is_junk(lead):
        yield lead, 3
    yield from ((name, 2) for name in names if len(name) > 1 and not _is_unit(name, text))
    yield from _english(text, known)
    if is_cjk(text):
        yield from _chinese(text, known)


def _lowered(name: str, text: str) -> str:
    """Return a heading as its text writes it: "Dry Pump" where the text says "dry pump" is no name."""
    low = name.lower()
    return low if low in text or name[1:].islower() or (name.isupper() and " " in name) else name


def _is_unit(name: str, text: str) -> bool:
    """Say whether a short name stands behind a number: "18,400 EUR"."""
    return len(name) < 5 and re.search(rf"\d\s?{re.escape(name)}(?![\w-])", text) is not None


def _is_junk(name: str) -> bool:
    return all(word in _NO_TERM or not word.isalpha() for word in name.lower().split())


def _english(text: str, known: dict[str, tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Yield runs of two or three words of matter that recur or follow an article, lone ones that recur more,
    and known terms."""
    tokens = _WORD.findall(text)
    carrying = [
        token[0].isalpha() and token.islower() and token not in _NO_TERM and len(token) > 2
        for token in tokens
    ]
    runs: Counter[str] = Counter()
    lone: Counter[str] = Counter()
    begin = 0
    for at in range(len(tokens) + 1):
        if at < len(tokens) and carrying[at]:
            lone[tokens[at]] += 1
            continue
        run = tokens[begin:at]
        led = begin > 0 and tokens[begin - 1].lower() in _LEADING
        while led and run and run[-1].endswith(_NO_NOUN):
            run.pop()
        if 2 <= len(run) <= 3:
            runs[" ".join(run)] += 2 if led else 1
        begin = at + 1
    yield from ((run, count) for run, count in runs.items() if count > 1)
    lone_nouns = (word for word, count in lone.items() if count > 2 and not word.endswith(_NO_NOUN))
    yield from ((word, 1) for word in lone_nouns if not _is_unit(word, text))
    if known:
        low = [stem(token.lower()) for token in tokens]
        for size in (3, 2, 1):
            spans = (" ".join(low[at : at + size]) for at in range(len(low) - size + 1))
            yield from ((known[span][0], 2 + size) for span in set(spans) & known.keys())


def _chinese(text: str, known: dict[str, tuple[str, str]]) -> Iterator[tuple[str, int]]:
    pieces: Counter[str] = Counter()
    for run in _RUN_ZH.findall(text):
        pieces.update(piece for piece in _FUNCTION_ZH.split(run) if 2 <= len(piece) <= 6)
    yield from ((piece, count) for piece, count in pieces.items() if count > 1)
    words = {word for run in _RUN_ZH.findall(text) for word in segment(run)}
    yield from ((known[word][0], 3) for word in sorted(words & known.keys()))
