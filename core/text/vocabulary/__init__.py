"""Words as data: TOML files that readers can see and change; no code holds a trade's words.

Terms of one meaning are in one line of a file beside this one, by class:

    material = [
      { en = "coolant, cooling water", zh = "冷却液" },
    ]

A table `quantities` gives what figures are called in both languages. In a library's folder `vocabulary.toml`,
of the same form, adds terms and replaces those whose first English name is the same; `without = ["coolant"]`
at its top takes terms away.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from core.text.chinese_english import in_english
from core.text.tokens import is_cjk, words

FOLDER = Path(__file__).parent
TRADES = ("semiconductor", "workplace", "medicine")
MIN_CONTRACTED, MAX_CONTRACTED = 2, 3  # signs of a Chinese word that shortens a longer one
_CHINESE_RUN = re.compile("[\u4e00-\u9fff]+")
OWN_FILE = "vocabulary.toml"  # in the library's folder


class Term(NamedTuple):
    """One meaning: its names, the preferred one of each language first, and the class of its tag."""

    tag_class: str
    english: tuple[str, ...]
    chinese: tuple[str, ...]

    def names(self) -> tuple[str, ...]:
        return self.english + self.chinese


class Relations(NamedTuple):
    """Relational nouns ("wife of", "capital of"); `steps`: a noun that is two of them in a row."""

    people: frozenset[str]
    places: frozenset[str]
    seats: frozenset[str]
    steps: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Vocabulary:
    """Terms of one meaning, and where the names of a term are in a text."""

    terms: tuple[Term, ...] = ()

    @cached_property
    def by_words(self) -> dict[tuple[str, ...], Term]:
        """Terms by the words of each of their names; the first term that has a name keeps it."""
        found: dict[tuple[str, ...], Term] = {}
        for term in self.terms:
            for name in term.names():
                found.setdefault((name,) if is_cjk(name) else tuple(words(name)), term)
        return found

    @cached_property
    def chinese(self) -> re.Pattern[str] | None:
        """Finds every Chinese name of two characters or more, the longest first."""
        names = sorted({n for term in self.terms for n in term.chinese if len(n) > 1}, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, names))) if names else None

    @cached_property
    def _longest(self) -> int:
        return max((len(key) for key in self.by_words), default=0)

    def stated_in(self, text: str) -> list[tuple[str, Term]]:
        """Return (as said, term) for the names in a text, the longest where they overlap."""
        found: list[tuple[str, Term]] = []
        tokens = re.findall(r"[A-Za-z][\w'-]*", text)
        stems = [(words(token) or [token.lower()])[0] for token in tokens]
        at = 0
        while at < len(stems):
            for length in range(min(self._longest, len(stems) - at), 0, -1):
                term = self.by_words.get(tuple(stems[at : at + length]))
                if term is not None:
                    found.append((" ".join(tokens[at : at + length]), term))
                    at += length - 1
                    break
            at += 1
        if self.chinese is not None:
            found += [
                (match.group(), self.by_words[(match.group(),)]) for match in self.chinese.finditer(text)
            ]
        return found

    def contracted_in(self, text: str) -> list[tuple[str, Term]]:
        """Return (as said, term) for Chinese words of the text that shorten names of one term.

        First and last sign stand, some between are left out: 交期 for 交货期. A known word shortens none.
        """
        found: dict[str, set[Term]] = {}
        for run in _CHINESE_RUN.findall(text):
            spans = {run[at : at + n] for n in range(2, MAX_CONTRACTED + 1) for at in range(len(run) - n + 1)}
            for short in spans:
                candidates = self._by_ends.get((short[0], short[-1]), ())
                terms = {term for name, term in candidates if _shortens(short, name)}
                if terms and (short,) not in self.by_words and not in_english(short):
                    found[short] = terms
        return [(short, next(iter(terms))) for short, terms in found.items() if len(terms) == 1]

    @cached_property
    def _by_ends(self) -> dict[tuple[str, str], list[tuple[str, Term]]]:
        """Chinese names of three signs or more with their terms, by their first and last sign."""
        found: dict[tuple[str, str], list[tuple[str, Term]]] = {}
        for term in self.terms:
            for name in term.chinese:
                if len(name) > MIN_CONTRACTED:
                    found.setdefault((name[0], name[-1]), []).append((name, term))
        return found

    def names_of(self, phrase: str) -> list[str]:
        """Return what a phrase is called: as it is said, by the other names of the term it is, and, where it
        is several terms in a row, in the other language."""
        stated = self.stated_in(phrase)
        terms = [term for _, term in stated]
        chinese = is_cjk(phrase)
        if ("" if chinese else " ").join(surface for surface, _ in stated).casefold() != phrase.casefold():
            return [phrase]
        if len(terms) == 1:
            return list(dict.fromkeys((phrase, *terms[0].names())))
        names = [term.english if chinese else term.chinese for term in terms]
        other = (" " if chinese else "").join(each[0] for each in names) if all(names) else ""
        return [phrase, *filter(None, [other])]

    def pairs(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield (as said, another name) for each name in a text, those of the other language first."""
        for surface, term in (*self.stated_in(text), *self.contracted_in(text)):
            names = [name for name in term.names() if name.casefold() != surface.casefold()]
            for name in sorted(names, key=lambda name: is_cjk(name) == is_cjk(surface)):
                yield surface, name


NO_WORDS = Vocabulary()


def _shortens(short: str, name: str) -> bool:
    """Say whether a word is what is left of a longer name without some of its signs."""
    signs = iter(name)
    return len(short) < len(name) and all(sign in signs for sign in short)


def packaged() -> Vocabulary:
    """Return the terms that come with Strata."""
    return _packaged()


@lru_cache(maxsize=1)
def _packaged() -> Vocabulary:
    return Vocabulary(tuple(term for trade in TRADES for term in _terms(_read(FOLDER / f"{trade}.toml"))))


def vocabulary_of(folder: Path) -> Vocabulary:
    """Return the terms for a library: the packaged ones as its own file changes them.

    Raises ValueError where the file cannot be read.
    """
    path = folder / OWN_FILE
    if not path.is_file():
        return packaged()
    table = _read(path)
    own = tuple(_terms(table))
    without = {name.casefold() for name in _without(table, path.name)}
    replaced = without | {term.english[0].casefold() for term in own if term.english}
    unchanged = [
        term
        for term in packaged().terms
        if not replaced.intersection(name.casefold() for name in term.names()[:1])
    ]
    return Vocabulary((*own, *unchanged))


def write_own(folder: Path, text: str) -> None:
    """Keep a library's own terms; an empty text takes the file away. Raises ValueError where it could not
    be read."""
    path = folder / OWN_FILE
    if not text.strip():
        path.unlink(missing_ok=True)
        return
    _without(_parse(text, OWN_FILE), OWN_FILE)
    new = path.with_suffix(".new")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        return _parse(path.read_text(encoding="utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is no UTF-8 text: {error}") from error


def _parse(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name} is no TOML: {error}") from error


def _without(table: Mapping[str, Any], name: str) -> list[str]:
    """Return the names of terms that are taken away. Raises ValueError."""
    names = table.get("without", [])
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise ValueError(f'{name}: `without` is no list of names, such as ["coolant"]')
    return names


def _terms(table: Mapping[str, Any]) -> Iterator[Term]:
    for tag_class, lines in table.items():
        for line in lines if isinstance(lines, list) else ():
            if isinstance(line, dict):
                yield Term(tag_class, _names(line, "en"), _names(line, "zh"))


def _names(line: Mapping[str, Any], language: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in str(line.get(language, "")).split(",") if name.strip())


@lru_cache(maxsize=1)
def quantity_names() -> Mapping[str, str]:
    """Return what figures are called in Chinese, with their English names."""
    tables = (_read(FOLDER / f"{trade}.toml").get("quantities", {}) for trade in TRADES)
    return {chinese: english for table in tables for chinese, english in table.items()}


@lru_cache(maxsize=2)
def relations(language: str) -> Relations:
    """Return the relational nouns of a language, en or zh."""
    table = _read(FOLDER / "relations.toml")[language]
    steps = {noun: (first, second) for noun, (first, second) in table.get("steps", {}).items()}
    people, places, seats = (frozenset(table[kind].split()) for kind in ("people", "places", "seats"))
    return Relations(people, places, seats, steps)


@lru_cache(maxsize=1)
def families() -> Mapping[str, frozenset[str]]:
    """Return for each stem the other stems of its word family."""
    table = _read(FOLDER / "families.toml")
    lines = [line.split() for line in table["families"].strip().splitlines()]
    lines += [[word, measure] for word, measure in table["measures"].items()]
    found: dict[str, set[str]] = {}
    for line in lines:
        stems = {word for form in line for word in words(form)}
        for word in stems:
            found.setdefault(word, set()).update(stems - {word})
    return {word: frozenset(kin) for word, kin in found.items()}
