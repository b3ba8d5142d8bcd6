"""Reads evidence as a searcher would: which sentence says most about the question (BM25 and nearness)."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from core.llm.extractive.lexicon import own_terms, synonyms
from core.llm.extractive.listings import asked_kinds, is_record, lists
from core.llm.extractive.matching import likeness
from core.llm.extractive.questions import counted_noun, expected_kind, said_plainly
from core.ports import Vectors
from core.tasks import Evidence, Picked, PickSentences, Ranked, RankPassages, SentenceRef
from core.text.proper_names import sentences_of
from core.text.tokens import content_words, is_cjk, is_stopword, word_set, words

Embed = Callable[[Sequence[str]], Vectors]

_SYNONYM = 0.75  # what a word of the same meaning counts
_ONLY_COLUMNS = 0.7  # what a row counts of which only the names of the columns are asked about
_UNTOLD = 0.5  # what a Chinese word counts in another script where the dictionary has none for it
_FOREIGN = 0.1  # what it costs to answer an English question in Chinese
_PLACED = 0.06  # what it counts to stand in the first of the passages, half of it in the third
_LISTED = 0.6  # what it counts to list things of the kind asked for
_ASKED = 0.35  # what it counts to answer a question of the same words
_HEADED = 0.35  # what it counts that the heading is what is asked for
_MEANING = 1.2  # weight of the cosine where vectors are there
_ROW = re.compile(r"[:：]\s?\S.*[;；|]|^[-*•|]|^\d+[.)]")
_CAUSAL = re.compile(
    r"\bcaus|\bbecause\b|\bdue to\b|\breason|\bresult(?:ed|s)? (?:from|in)\b|\btraced to\b|\bso "
    r"that\b|\blets?\b|\bcomes? from\b|"
    r"原因|因为|由于|导致|引起|造成|所致",
    re.IGNORECASE,
)
_PROPERTY = word_set("property parameter item attribute quantity characteristic 项目 参数 属性 指标")
_VALUE = word_set("value 值 数值")
_CARD = re.compile(r"Columns?: |Table .{1,120}\d+ rows?\.?$")
_COMMON = word_set(
    """year time day first last one two three new name use make also may mani person peopl part known call
    work world state citi countri film song album serie book born date place type kind 做出 作出 进行 月 日"""
)


@dataclass(frozen=True)
class Line:
    """A sentence of a piece of evidence: `n` is Evidence.n, `at` its number there."""

    n: int
    at: int
    text: str
    score: float
    coverage: float  # share (0 to 1) of the question's weight that it or its source's title says
    headed: bool = False  # it stands under a heading that says what is asked for


@lru_cache(maxsize=4096)
def bag_of(text: str) -> tuple[str, ...]:
    """Return the content words of a text."""
    return tuple(content_words(text))


def lines_of(evidence: Evidence) -> list[str]:
    """Return the sentences of a piece of evidence in the order SentenceRef counts them."""
    return [evidence.text[start:end] for start, end in sentences_of(evidence.text)]


def heading_of(text: str) -> str:
    """Return the heading path a passage begins with, "" where its first line is text already."""
    first, newline, _ = text.partition("\n")
    ends = first.rstrip()[-1:] in ".!?。！？;；:："
    return first if newline and len(first) < 160 and not ends and not _ROW.search(first) else ""


def weights_of(question: str, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Weigh the question's words by how rare they are in the evidence and in general."""
    asked = dict.fromkeys(content_words(said_plainly(question))) or dict.fromkeys(words(question))
    total = max(1, len(evidence))
    seen: Counter[str] = Counter()
    for piece in evidence:
        seen.update(set(bag_of(piece.text)) | set(bag_of(piece.source)))
    sought = frozenset(content_words(counted_noun(question)))
    return {
        word: (math.log(1 + (total - seen[word] + 0.5) / (seen[word] + 0.5)) + 0.5)
        * (0.5 if word in _COMMON else 1.6 if word in sought else 1.0)
        for word in asked
    }


def _across(question: str, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Weigh a Chinese question's words for evidence in another script: those that can be said in it.

    Of a term of the dictionary the pieces of its name say nothing more; a word counts as seen where a
    word of its meaning is.
    """
    terms = own_terms(question)
    asked = [
        word
        for word in dict.fromkeys(content_words(said_plainly(question)))
        if word in terms or not is_cjk(word) or not any(_overlap(word, term) for term in terms)
    ]
    bags = [frozenset(bag_of(piece.text)) | frozenset(bag_of(piece.source)) for piece in evidence]
    total = max(1, len(bags))
    seen = {word: sum(_said(word, bag) > 0 for bag in bags) for word in asked}
    return {
        word: (math.log(1 + (total - n + 0.5) / (n + 0.5)) + 0.5)
        * (1.0 if not is_cjk(word) or synonyms(word) else _UNTOLD)
        for word, n in seen.items()
    }


def _overlap(word: str, term: str) -> bool:
    """Say whether a piece of two characters is cut from a term, or across its edge."""
    return word in term or word[-1] == term[0] or word[0] == term[-1]


def _said(word: str, bag: frozenset[str]) -> float:
    if word in bag:
        return 1.0
    return _SYNONYM if not synonyms(word).isdisjoint(bag) else 0.0


def _nearness(tokens: Sequence[str], weights: dict[str, float]) -> float:
    """Reward question words that stand close together (0 to 1)."""
    places = [at for at, word in enumerate(tokens) if word in weights]
    if len(places) < 2:
        return 0.0
    gaps = [min(b - a, 8) for a, b in pairwise(places)]
    return 1.0 - (sum(gaps) / len(gaps) - 1) / 8


def _asks_for(heading: str, title: frozenset[str], weights: dict[str, float]) -> float:
    """Say whether the question asks for what a heading announces ("D4 Root cause"): 1.0 if it says it all.

    A heading of one word ("2. Decisions") announces an answer where the title says the rest of the question.
    """
    said = [word for word in bag_of(heading) if word.isalpha() and len(word) > 1]
    if not said or not all(_said(word, frozenset(weights)) for word in said):
        return 0.0
    whole = title | frozenset(said)
    told = (_said(word, whole) for word in weights if word not in _COMMON and not word[0].isdigit())
    return 1.0 if len(said) > 1 or all(told) else 0.3


def _computed(row: str) -> bool:
    return (
        re.match(r"(?:number|average|total|highest|lowest|median|latest|earliest|found)\b", row) is not None
    )


def says_cause(text: str) -> bool:
    """Say whether a text says why something is so."""
    return _CAUSAL.search(text) is not None


def rows_began(text: str, header: str) -> bool:
    """Say whether a line of a table passage is a row: as many cells as the header has."""
    return text.count(" | ") == header.count(" | ")


def _as_row(text: str, header: str) -> str:
    """Return a row of a table with the name of its column before each cell; anything else as it is."""
    names, values = header.split(" | "), text.split(" | ")
    if len(values) < 2 or len(values) != len(names):
        return text
    if len(names) == 2 and names[0].strip().lower() in _PROPERTY and names[1].strip().lower() in _VALUE:
        return f"{values[0].strip(' |')}: {values[1].strip(' |')}"
    return "; ".join(
        f"{name.strip(' |')}: {value.strip(' |')}" for name, value in zip(names, values, strict=True)
    )


def score_lines(question: str, evidence: Sequence[Evidence], embed: Embed | None = None) -> list[Line]:
    """Return every sentence of the evidence with its score, best first."""
    plain = weights_of(question, evidence)
    chinese = is_cjk(question)
    across = _across(question, evidence) if chinese else plain
    asked = set(words(question))
    why = expected_kind(question) == "cause"
    kinds = asked_kinds(question)
    found: list[Line] = []
    for place, piece in enumerate(evidence):
        weights = plain if across is plain or is_cjk(piece.text) else across
        whole = sum(weights.values()) or 1.0
        heading = heading_of(piece.text)
        tail = heading.split(" > ")[-1]
        header = next((line.strip() for line in piece.text.split("\n") if " | " in line), "")
        title = frozenset(bag_of(piece.source)) | frozenset(bag_of(heading))
        headed = _HEADED * _asks_for(tail, title, weights)
        causal = why and not header
        headed += 0.25 if causal and _CAUSAL.search(tail) else 0.0
        record = frozenset(bag_of(piece.text)) if not header and is_record(piece.text) else title
        around = frozenset(bag_of(piece.text)) | title
        for at, text in enumerate(lines_of(piece)):
            text = text.removeprefix(heading).strip() if at == 0 else text
            repeated = heading and text in heading  # a heading may be cut into sentences itself
            if not text or repeated or _CARD.match(text) or text == header:
                continue
            if header and not rows_began(text, header):
                continue  # the caption of a table
            values = frozenset(bag_of(text))
            text = _as_row(text, header)
            tokens = bag_of(text)
            bag = frozenset(tokens)
            direct = sum(weight * _said(word, bag) for word, weight in weights.items())
            lending = title | record if direct else title  # what one field says holds of the others
            lent = sum(
                weight * 0.6 * _said(word, lending)
                for word, weight in weights.items()
                if not _said(word, bag)
            )
            context = sum(weight for word, weight in weights.items() if word in around)
            pair = sum(1 for a, b in _pairs(text) if a in asked and b in asked)
            score = (direct + lent + 0.15 * context + 0.3 * pair) / whole + 0.1 * _nearness(tokens, weights)
            score = score * (1.0 if len(tokens) >= 3 else 0.7) + headed
            score += 0.3 if causal and _CAUSAL.search(text) else 0.0
            if header and values.isdisjoint(weights) and not _computed(text):
                score *= _ONLY_COLUMNS
            score += _LISTED if lists(text, kinds) else 0.0
            score += _ASKED * likeness(question, text, piece.source)
            score += 0.0 if header else _PLACED * 2 / (2 + place)  # a table's rows lie over many passages
            score -= _FOREIGN if is_cjk(text) and not chinese else 0.0
            found.append(
                Line(
                    piece.n,
                    at,
                    text,
                    score - 0.002 * at,
                    max(min(1.0, (direct + lent) / whole), 0.5 if headed >= _HEADED else 0.0),
                    headed > 0.2,
                )
            )
    if embed is not None and found:
        found = _with_meaning(question, found, embed)
    return sorted(found, key=lambda line: -line.score)


def _pairs(text: str) -> list[tuple[str, str]]:
    tokens = [word for word in words(text) if not is_stopword(word)]
    return list(pairwise(tokens))


def _with_meaning(question: str, lines: list[Line], embed: Embed) -> list[Line]:
    vectors = embed([question, *(line.text for line in lines)])
    cosines = np.asarray(vectors[1:] @ vectors[0], dtype=np.float64)
    return [
        Line(
            line.n,
            line.at,
            line.text,
            line.score + _MEANING * float(cosine),
            max(line.coverage, float(cosine)),
            line.headed,
        )
        for line, cosine in zip(lines, cosines, strict=True)
    ]


def pick(task: PickSentences, embed: Embed | None = None) -> Picked:
    """Return the sentences that matter, best first: those near the best one in score."""
    lines = score_lines(task.question, task.evidence, embed)
    if not lines or lines[0].coverage <= 0.05:
        return Picked()
    threshold = max(0.5 * lines[0].score, 0.15)
    kept = [line for line in lines if line.score >= threshold and line.coverage > 0.1][:12]
    return Picked(sentences=tuple(SentenceRef(evidence=line.n, sentence=line.at) for line in kept))


def rank(task: RankPassages, embed: Embed | None = None) -> Ranked:
    """Order the passages by their best sentence, with what the whole passage says as the second voice."""
    weights = weights_of(task.question, task.evidence)
    whole = sum(weights.values()) or 1.0
    best: dict[int, float] = {}
    for line in score_lines(task.question, task.evidence, embed):
        best.setdefault(line.n, line.score)
    scores = {}
    mean = sum(len(bag_of(piece.text)) for piece in task.evidence) / max(1, len(task.evidence))
    for piece in task.evidence:
        counts = Counter(bag_of(piece.text))
        length = 0.25 + 0.75 * sum(counts.values()) / max(1.0, mean)
        bm25 = sum(
            w * counts[word] * 2.2 / (counts[word] + 1.2 * length)
            for word, w in weights.items()
            if counts[word]
        )
        scores[piece.n] = best.get(piece.n, 0.0) + 0.6 * bm25 / (2.2 * whole)
    order = sorted(scores, key=lambda n: (-scores[n], n))
    return Ranked(order=tuple(order))
