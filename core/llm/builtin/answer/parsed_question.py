"""What a question asks: the words that an answer must be about, and the type of what is sought."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from stop_words import get_stop_words

from core.llm.builtin.answer.counted_noun import counted_noun
from core.llm.builtin.answer.question_text import SPACED, asking_sentence, asks_worth
from core.llm.builtin.answer.word_matching import Word, words_of
from core.text.brackets import PARENTHESISED
from core.text.languages import language_of_question
from core.text.measure_words import only_quantifies
from core.text.periods import BARE_YEAR, find_periods
from core.text.quantities import ENGLISH_NUMBERS
from core.text.tokens import is_cjk, is_stopword

Kind = Literal[
    "yesno", "summary", "compare", "cause", "manner", "date", "time", "duration", "count", "amount", "person",
    "place", "list", "other",
]  # fmt: skip
FIGURE_KINDS: frozenset[str] = frozenset({"date", "duration", "count", "amount"})
ASKING_LAST = ("zh", "ja", "ko")  # languages that ask at the end
# Answered by a list or a section, not a sentence
KINDS_ANSWERED_BY_SECTION: frozenset[str] = frozenset({"list", "manner", "summary"})

_YEAR = re.compile(rf"(?<![\d.,-]){BARE_YEAR}(?![\d.,-]*\d)")
NUMBER_WORDS = ("", *ENGLISH_NUMBERS[:10])  # each at its number
_BEFORE_LETTER = re.compile(r"([^\W\d_]{3,})(?:\s+\w,?\s+(?:or|and|oder|und))?\s$")  # "chamber a or" b
_DOER_ZH = re.compile(r"(?:请问)?(?:是)?(?:谁|哪位|何人)(?!的|是)")
_DONE = re.compile(r"[a-z]{3}ings$")  # "findings" are no order to find
_ASIDE = re.compile(PARENTHESISED)  # "(in thousands, please)"; names and figures count there, too
_SEVERAL = re.compile(rf"\b(?:which|what|name|list) (?:the )?({'|'.join(NUMBER_WORDS[2:])}|[2-9]) ")
_ORDER: tuple[Kind, ...] = (
    "summary", "compare", "yesno", "cause", "time", "duration", "list", "count", "date", "place", "person",
    "manner", "amount",
)  # fmt: skip


@dataclass(frozen=True)
class ParsedQuestion:
    """A question, read. `words` carry its matter, each once; `counted` is the word behind "how many"."""

    question: str
    language: str
    kind: Kind
    words: tuple[Word, ...]
    years: frozenset[str]
    counted: str = ""
    negated: bool = False
    many: int = 0  # how many things it says it asks for: "which four files"
    defined: str = ""  # the thing whose definition is asked for
    computed: bool = False  # a sum, a mean, a difference: a figure no sentence need hold
    tabular: bool = False  # a table is said to hold it
    typed: tuple[Word, ...] = ()  # the word for its type, no passage need say it: "in which city"
    statistic: bool = False  # ... a mean or median, which a sentence or a column may name

    @cached_property
    def keys(self) -> frozenset[str]:
        """Return what its words are compared by."""
        return frozenset(word.key for word in self.words)


def focus(parsed: ParsedQuestion) -> tuple[Word, ...]:
    """Return the words that say what is sought of the thing: the first ones that are no names; where it is
    asked at the end, the last; of what is done where the doer is asked, that."""
    plain = [word for word in parsed.words if not names(word, parsed.question)]
    if parsed.language not in ASKING_LAST:
        return tuple(plain[:2])
    return attribute(parsed) if _asks_doer(parsed) else tuple(plain[-2:])


def sought(parsed: ParsedQuestion) -> tuple[Word, ...]:
    """Return the words that say what is sought: the run behind the question word ("what alarm limit has").

    Without a question word all that are no names; in a language that asks at the end the last ones.
    """
    if parsed.language in ASKING_LAST:
        return focus(parsed)
    plain = tuple(word for word in parsed.words if not names(word, parsed.question))
    pattern = _patterns()[0][parsed.language].get("asking")
    asking = pattern.search(parsed.question.lower()) if pattern else None
    if asking is None:
        return plain
    run: list[Word] = []
    for word in (word for word in parsed.words if word.start >= asking.end()):
        if run and (word not in plain or parsed.question[run[-1].end : word.start].strip()):
            break
        run += [word] if word in plain else []
    return tuple(run)


def attribute(parsed: ParsedQuestion) -> tuple[Word, ...]:
    """Return the run of words that says what is sought: "alarm limit" of "the alarm limit of the leak"; the
    last run where it is asked at the end."""
    last = parsed.language in ASKING_LAST and not _asks_doer(parsed)
    run: list[Word] = []
    for word in reversed(parsed.words) if last else parsed.words:
        first, second = (word, run[-1]) if last and run else (run[-1] if run else word, word)
        if names(word, parsed.question) or (run and parsed.question[first.end : second.start].strip()):
            break
        run.append(word)
    return tuple(reversed(run)) if last else tuple(run)


def _asks_doer(parsed: ParsedQuestion) -> bool:
    """Say whether a Chinese question begins with who did something: 谁编制了."""
    return _DOER_ZH.match(parsed.question) is not None


def names(word: Word, question: str) -> bool:
    """Say whether the word is a name: a figure, a code, or a capital that is not the sentence's own."""
    if word.figure:
        return True
    return word.start > 0 and word.text[:1].isupper() and not _shouted(question) and not _german(question)


def labels(word: Word, question: str) -> bool:
    """Say whether a letter names a thing: "chamber B" or "chamber b", but no initial, no pronoun and, written
    small, nothing but what stands behind a noun."""
    inside = word.start > 0 or is_cjk(question)
    alone = inside and question[word.end : word.end + 1] not in (".", "'", "’")
    if word.text.islower():
        behind = _BEFORE_LETTER.search(question[: word.start])
        noun = behind is not None and not is_stopword(behind[1].lower())
        return alone and noun and language_of(question) in ("en", "de") and word.text not in "ist"
    return alone and word.text != "I" and (is_cjk(question) or not _shouted(question))


def number_of(text: str) -> int:
    """Return the number a figure or an English word stands for."""
    return NUMBER_WORDS.index(text) if text in NUMBER_WORDS else int(text)


def _german(question: str) -> bool:
    """Say whether every noun has a capital there, so that it says nothing."""
    return language_of(question) == "de"


def _shouted(question: str) -> bool:
    return question.upper() == question


@lru_cache(maxsize=1)
def _patterns() -> tuple[dict[str, dict[str, re.Pattern[str]]], str]:
    """Return the patterns by language and kind, and the words that only frame a question."""
    tables = tomllib.loads((Path(__file__).parent / "asking.toml").read_text("utf-8"))
    frame = tables.pop("frame")["words"]
    return {
        language: {kind: re.compile(pattern) for kind, pattern in kinds.items()}
        for language, kinds in tables.items()
    }, frame


@lru_cache(maxsize=2)
def _frame(chinese: bool) -> frozenset[str]:
    """Return the keys of the words that only frame a question, the Chinese ones where they are asked for."""
    frame_words = [word for word in _patterns()[1].split() if chinese or not is_cjk(word)]
    return frozenset(word.key for word in words_of("\n".join(frame_words)))


@lru_cache(maxsize=len(SPACED))
def _grammar(language: str) -> frozenset[str]:
    """Return the keys of the words of a language's grammar; those of English and Chinese are known to every
    index, those of other scripts carry endings."""
    if language not in SPACED or language == "en":
        return frozenset()
    return frozenset(word.key for word in words_of("\n".join(get_stop_words(language))))


def language_of(question: str) -> str:
    """Return the language a question is asked in."""
    return language_of_question(question, SPACED)


@lru_cache(maxsize=1_000)
def read(question: str) -> ParsedQuestion:
    """Return what the question asks."""
    patterns, frame = _patterns()[0], _frame(is_cjk(question))
    language = language_of(question)
    low, asking = question.lower().strip(), asking_sentence(question).lower().strip()
    own_patterns = patterns[language]
    kind = _kind(asking, own_patterns)
    if kind == "other":
        kind = _kind(low, own_patterns)
    by_key: dict[str, Word] = {}
    for word in words_of(question):
        if (
            (word.key not in frame or _DONE.search(word.text))
            and word.key not in _grammar(language)
            and not only_quantifies(word.text, question[max(0, word.start - 3) : word.start])
            and not (word.text == "年" and question[: word.start].rstrip()[-1:].isdigit())  # "2024年"
            and (len(word.key) > 1 or not word.key.isascii() or word.figure or labels(word, question))
        ):
            by_key.setdefault(word.key, word)
    aside = [match.span() for match in _ASIDE.finditer(question)]
    by_key = {
        key: word
        for key, word in by_key.items()
        if names(word, question) or not any(start < word.start < end for start, end in aside)
    } or by_key
    typed: tuple[Word, ...] = ()
    if "typed" in own_patterns and (match := own_patterns["typed"].search(low)):
        at = match.start(1) + len(question) - len(question.lstrip())
        typed = tuple(word for word in by_key.values() if word.start == at)
        by_key = {key: word for key, word in by_key.items() if word.start != at} or by_key
    words = tuple(_without_subwords(list(by_key.values())))
    counted = counted_noun(question, own_patterns.get("count"), words, names) if kind in FIGURE_KINDS else ""
    dated = (one.period[:4] for one in find_periods(question) if len(one.period) > len("1855"))
    years = frozenset([*_YEAR.findall(question), *dated])
    negated = re.search(r"\bnot\b|\bwithout\b|\bexcept\b|\bno longer\b|n't\b|不|没|除", low) is not None
    computed = "computed" in own_patterns and own_patterns["computed"].search(low) is not None
    computed = computed or asks_worth(low)
    statistic = (
        "statistic" in own_patterns and not computed and own_patterns["statistic"].search(low) is not None
    )
    tabular = "tabular" in own_patterns and own_patterns["tabular"].search(low) is not None
    defined = own_patterns["defined"].search(question.strip()) if "defined" in own_patterns else None
    several = _SEVERAL.search(low)
    many = 0 if several is None else number_of(several[1])
    thing = defined.group(1) if defined else ""
    return ParsedQuestion(
        question,
        language,
        kind,
        words,
        years,
        counted,
        negated,
        many,
        thing,
        computed=computed or statistic,
        statistic=statistic,
        tabular=tabular,
        typed=typed,
    )


def _kind(low: str, patterns: Mapping[str, re.Pattern[str]]) -> Kind:
    """Return the first kind of answer whose pattern the question, in small letters, has."""
    return next((kind for kind in _ORDER if kind in patterns and patterns[kind].search(low)), "other")


def gives_reason(parsed: ParsedQuestion, text: str) -> bool:
    """Say whether a text says that one thing is so because of another."""
    pattern = _patterns()[0][parsed.language].get("because")
    return pattern is None or pattern.search(text.lower()) is not None


def _without_subwords(words: list[Word]) -> list[Word]:
    """Leave out pieces of longer Chinese words that stand for the same characters."""
    return [
        word
        for word in words
        if not any(
            other is not word
            and other.start <= word.start
            and word.end <= other.end
            and len(other.key) > len(word.key)
            for other in words
        )
    ]
