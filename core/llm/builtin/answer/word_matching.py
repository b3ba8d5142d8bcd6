"""Words of any script with their places, and how alike two of them are.

They are folded, stemmed and segmented by `core.text.tokens`; here each keeps its place, so that it can be
marked, and codes, figures and dates stay whole.
"""

import re
import unicodedata
from calendar import month_name
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from core.text.chinese_english import english_stems
from core.text.measure_words import segment_behind_number
from core.text.periods import as_period
from core.text.tokens import SHORT_TEXT_CHARACTERS, fold, is_cjk, is_stopword, segment, stem

SAME_WORD_LIKENESS = 0.8  # likeness from which two words are one
TRANSLATION_LIKENESS = 0.75  # what a word counts that a dictionary gives for it: close, but never the same
SYNONYM_LIKENESS = 0.8  # what a word of the same meaning counts, against 1 for the word itself
_WORD = re.compile(r"[^\W_]+(?:[-./'’\u2060][^\W_]+)*")  # \u2060 stands for a separator of thousands
# Runs of one script. Those of hiragana are left out: particles and endings, in which other words stand.
_SCRIPTS = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]+|[\u30a1-\u30ff]+|[^\u3400-\u9fff\uf900-\ufaff\u3041-\u309f\u30a1-\u30ff]+"
)
_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_IN_FIGURES = re.compile(r"\d+(?:[-./]\d+){1,2}")
_INITIALS = re.compile(r"(?:[A-Z]\.)+[A-Z]")
# An A that is no article: behind a word within a sentence, or the whole of a cell or of an item
_LABEL_A = re.compile(
    r"(?<=[\w,)(] )A(?![\w'’])|(?:(?<=[:|;] )|(?<![^\n]))A(?=[ \t]*(?:[;|,.)\d]|$))"
    r"|(?<=\w )a(?=\s+(?:of|or|and|in|on|at|is|was|are|were|had|has|have|did|does|do)\b|\s*[?,;)]|\s*$)"
    r"|(?<![A-Za-z0-9-])A(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])A(?![A-Za-z0-9-])",
    re.MULTILINE,
)
SYLLABIC = re.compile("[\uac00-\ud7a3\u3040-\u30ff]")


class _FoldedSigns(dict[int, int]):
    """The compatibility form of each sign, made when it is first met."""

    def __missing__(self, sign: int) -> int:
        folded = unicodedata.normalize("NFKC", chr(sign))
        self[sign] = ord(folded) if len(folded) == 1 else sign
        return self[sign]


_FOLDED_SIGNS = _FoldedSigns()


@lru_cache(maxsize=100_000)
def _has_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


@dataclass(frozen=True)
class Word:
    """A word as it is compared (`key`), as it stands, and where."""

    key: str
    text: str
    start: int
    end: int

    @property
    def figure(self) -> bool:
        """Say whether it is a number or a code: then only itself will do."""
        return _has_digit(self.key)


class WordMatch(NamedTuple):
    """The match (0 to 1) of a word of the question in a piece itself, near it, and anywhere."""

    word: Word
    own: float
    nearby: float
    anywhere: float  # in its document


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words in order, without those of grammar. Places count in the text as it is given."""
    return _words_of_short(text) if len(text) <= SHORT_TEXT_CHARACTERS else _words_of_long(text)


def _words_of(text: str) -> tuple[Word, ...]:
    whole = _THOUSANDS.sub("\u2060", text)
    found: list[Word] = []
    labels = {match.start() for match in _LABEL_A.finditer(text)} if "A" in text or " a" in text else ()
    for match in _WORD.finditer(whole if whole.isascii() else _folded(whole)):
        for run in _SCRIPTS.finditer(match.group()):
            start = match.start() + run.start()
            behind_number = whole[max(0, start - 1) : start].isdigit()
            found += [
                Word(key, written, start + first, start + end)
                for key, written, first, end in _cut(run.group(), behind_number)
            ]
            if start in labels:
                found.append(Word("a", text[start], start, start + 1))
    return tuple(found)


_words_of_short = lru_cache(maxsize=8192)(_words_of)  # names of columns and cells come back for every row
_words_of_long = lru_cache(maxsize=128)(_words_of)  # ... and passages for each of their pieces


@lru_cache(maxsize=512)  # one set for all pieces of a passage
def keys_of(text: str) -> frozenset[str]:
    """Return what the words of a text are compared by. Lines are kept: pieces of a passage share theirs."""
    return frozenset().union(*map(_keys_of_line, text.split("\n")))


@lru_cache(maxsize=4096)
def _keys_of_line(line: str) -> frozenset[str]:
    return frozenset(word.key for word in words_of(line))


def _folded(text: str) -> str:
    """Return the text in compatibility form where that keeps its length, so that places stay true."""
    return text.translate(_FOLDED_SIGNS)


@lru_cache(maxsize=32_768)
def _cut(run: str, behind_number: bool) -> tuple[tuple[str, str, int, int], ...]:
    """Return (key, text, start, end) of each word in a run of one script, without those of grammar."""
    return tuple(piece for piece in _pieces(run, behind_number) if not is_stopword(piece[0]))


def _pieces(run: str, behind_number: bool) -> Iterator[tuple[str, str, int, int]]:
    at = 0
    if is_cjk(run):
        for piece in segment_behind_number(run) if behind_number else segment(run):
            place = run.find(piece, at)
            at = run.find(piece) if place < 0 else place
            yield piece, piece, at, at + len(piece)
        return
    low = fold(run).replace("\u2060", "").removesuffix("'s")
    if _INITIALS.fullmatch(run):  # C.W.L.S. is CWLS
        yield key_of(low.replace(".", "")), run, 0, len(run)
    elif _has_digit(low):
        written = run.replace("\u2060", ",")
        yield from ((key, written, 0, len(run)) for key in (low, *_date(low)))
    elif re.fullmatch(r"[a-z]-[a-z]+", low):  # e-mail is email
        yield key_of(low.replace("-", "")), run, 0, len(run)
    else:
        for part in filter(None, re.split(r"[-./'’]", re.sub(r"['’][sS]$", "", run))):
            place = run.index(part, at)
            at = place + len(part)
            yield key_of(part), part, place, at


def _date(code: str) -> list[str]:
    """Return what a date in figures is called: year, month and day; [] for anything else."""
    if not _IN_FIGURES.fullmatch(code):
        return []
    year, month, day = (*(as_period(code) or "").split("-"), "", "")[:3]
    if not month.isdigit():
        return []
    return [year, key_of(month_name[int(month)]), *([day.lstrip("0")] if day else [])]


@lru_cache(maxsize=100_000)
def key_of(word: str) -> str:
    """Return what a word of letters is compared by: lower case, accents and English endings off."""
    return stem(fold(word))


@lru_cache(maxsize=50_000)  # of a few questions: other ones have other words
def likeness(question: str, text: str) -> float:
    """Return how far a word is another one (0 to 1): the same, another form of it, a slip of the pen, or what
    the dictionary calls it in the other language."""
    if question == text:
        return 1.0
    if _has_digit(question):
        return 1.0 if _same_code(question, text) else 0.0
    if is_cjk(question) != is_cjk(text):
        chinese, other = (question, text) if is_cjk(question) else (text, question)
        return TRANSLATION_LIKENESS if other in english_stems(chinese) else 0.0
    short, long = sorted((question, text), key=len)
    if is_cjk(short):
        return 0.9 if len(short) > 1 and short in long else 0.0
    if SYLLABIC.search(short):  # particles stand behind the word: 적립을, 적립
        shared = _shared(short, long)
        return 0.9 if shared >= 2 and shared >= len(short) - 1 else 0.0
    if not (short.isalpha() and long.isalpha()):
        return 0.0
    if len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 4:
        return 0.9
    if len(short) >= 6 and _shared(short, long) >= 0.75 * len(long):
        return 0.85
    slip = len(short) >= 5 and long[0] == short[0] and len(long) - len(short) <= 1
    return 0.8 if slip and SequenceMatcher(None, question, text).ratio() >= 0.85 else 0.0


@lru_cache(maxsize=16_384)  # a passage's words are compared for each of its pieces
def best_likeness(word: str, keys: frozenset[str]) -> float:
    """Return how far a word is the one of these that it is likest to, 0.0 where there is none."""
    return 1.0 if word in keys else max((likeness(word, key) for key in keys), default=0.0)


def matches_any(word: str, keys: Iterable[str]) -> bool:
    """Say whether a word matches one of these keys, in whichever inflection."""
    return any(likeness(word, key) >= SAME_WORD_LIKENESS for key in keys)


def _same_code(one: str, other: str) -> bool:
    """Say whether two codes or figures are one: as written, without separators, or the longer's beginning."""
    a, b = one.strip("#."), other.strip("#.")
    short, long = sorted((a, b), key=len)
    if short.isdigit() or re.fullmatch(r"\d+\.\d+", short):
        return _value(short) == _value(long) or (len(short) >= 3 and short in re.split(r"[-./]", long))
    if re.sub(r"[-./]", "", a) == re.sub(r"[-./]", "", b):
        return True
    return len(short) >= 5 and long.startswith(short) and not long[len(short)].isalnum()


def _value(figure: str) -> str:
    if not re.fullmatch(r"\d+(?:\.\d+)?", figure):
        return figure
    return figure.rstrip("0").rstrip(".") if "." in figure else figure.lstrip("0") or "0"


def _shared(one: str, other: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
