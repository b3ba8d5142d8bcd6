"""How sure it is that a piece answers the question: few general signals, logistic weights from data.

The weights and thresholds of `piece_weights.json` are fitted by `bench/fit_answerability.py` (logistic
regression) on public question sets, and reported on what they were not fitted on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.llm.builtin.answer.evidence_units import Unit
from core.llm.builtin.answer.fitted_weights import piece_weights
from core.llm.builtin.answer.meaning import Meaning, Nearness
from core.llm.builtin.answer.parsed_question import ParsedQuestion, focus, names
from core.llm.builtin.answer.passage_readings import NOT_READ, Readings, ReadingScores
from core.llm.builtin.answer.preselection import preselect
from core.llm.builtin.answer.values import (
    asks_for_blank,
    field_of,
    fits,
    is_unrelated_figure,
    named_by,
    requested_columns,
)
from core.llm.builtin.answer.word_matching import (
    SAME_WORD_LIKENESS,
    SYNONYM_LIKENESS,
    Word,
    WordMatch,
    best_likeness,
    keys_of,
)
from core.llm.builtin.questions.opposites import bounds, poles
from core.llm.encoders.span_extractor import SpanExtractor
from core.text.periods import is_year
from core.text.tokens import query_words

SIGNALS = (
    "own",  # share of the question's words that occur in the piece itself
    "around",  # ... with its neighbours, headings and column names
    "all",  # ... with its passage and document
    "weakest",  # the best match of the question word that matches worst
    "attribute",  # the same near the piece, over the words that are no names
    "named",  # share of the question's names, codes and figures that occur near the piece
    "focus",  # how well the words for what is sought match near the piece
    "strange",  # share of names, codes and figures that are absent from its document
    "absent",  # 1 where a figure or code of the question occurs neither in the piece nor near it
    "year",  # 1 where another year than the one asked for is named
    "type",  # whether it holds what is of the type asked for
    "untyped",  # 1 where it holds nothing of the type asked for
    "meaning",  # cosine of question and piece
    "first",  # 1 / rank of its passage
    "length",  # words of the question, up to ten, as a share
    "field",  # whether it has a field or column by the name that is asked for
    "long",  # words of the piece, up to sixty, as a share
    "row",  # whether it is a row of a table
    "whole",  # the square of the first: to say all of it is more than to say most
    "late",  # late interaction: the mean best match of the question's tokens
    "unmet",  # ... one less the worst of these matches
    "new",  # words in neither question nor headings, up to eight, as a share
    "bare",  # 1 where it adds no such word, or only announces what follows
    "column",  # 1 where a column whose name is asked for holds something new
    "labelled",  # of a row, how well the question names it by one of its cells
    "lookup",  # where the question names a row by a cell, and one of its columns: the share of names said
    "unsought",  # 1 where a word for what is sought is absent near the piece
    "behind",  # how far another piece is ahead by the first signal
    "outdone",  # ... by the second
    "held",  # share of the question's words that its document holds in whichever passage
    "alien",  # share of names, codes and figures that its document holds nowhere
    "rival",  # how far another document is ahead in the share of words held
    "entry",  # of a row or field named by its label: the share of words its document holds
)

MIDDLE = "middle"  # means and medians
TURNS = ("size", MIDDLE, "order", "sequence")  # extremes, means, ends and "next" are found by what says so
MAX_EMBEDDED_CHARACTERS = 240  # characters that are embedded: about what an embedder reads at once


@dataclass(frozen=True)
class Scored:
    """A piece, how likely it answers (0 to 1), its signals, and the question's words it lacks.

    `word_matches` holds the match (0 to 1) of each word of the question: in the piece itself, in it or its
    headings, and anywhere in its document.
    """

    unit: Unit
    chance: float
    signals: Mapping[str, float]
    lacking: tuple[str, ...] = ()
    word_matches: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    read: ReadingScores = NOT_READ


@dataclass(frozen=True)
class Scorer:
    """Scores pieces against a question; `meaning` weighs them by the embedder, `extractor`, where there
    is one, reads them."""

    meaning: Meaning
    extractor: SpanExtractor | None = None

    def score(self, parsed: ParsedQuestion, pieces: Sequence[Unit], limit: int = 24) -> list[Scored]:
        """Return the pieces that cover most of the question and those with an extracted span, the
        likeliest to answer first.

        What only announces something, as a heading does, comes behind all that states something.
        """
        if not parsed.words:
            return []
        readings = Readings.of(self.extractor, parsed.question, pieces)
        chosen = preselect(parsed, pieces, limit)
        chosen += [unit for unit in readings.likely(pieces) if not any(unit is one for one in chosen)]
        texts = [
            f"{' > '.join(u.evidence.heading[-1:])[:80]}\n{u.text}"[:MAX_EMBEDDED_CHARACTERS] for u in chosen
        ]
        near = self.meaning.compare(parsed.question[:MAX_EMBEDDED_CHARACTERS], parsed.words, texts)
        documents = _keys_by_document(pieces)
        read = [readings.read(unit) for unit in chosen]
        signals = [
            self._signals(parsed, unit, Nearness.of(near, at, len(parsed.words)), documents)
            for at, unit in enumerate(chosen)
        ]
        most = max((one["own"] for one, *_ in signals), default=0.0)
        best_held = max((one["held"] for one, *_ in signals), default=0.0)
        around = max((one["around"] for one, *_ in signals), default=0.0)
        passages = {unit.evidence.n: one.passage for unit, one in zip(chosen, read, strict=True)}
        scored = []
        for unit, mine, (one, lacking, likenesses) in zip(chosen, read, signals, strict=True):
            one |= {"behind": most - one["own"], "outdone": around - one["around"]}
            one |= {"rival": best_held - one["held"]}
            # For telling alone: what reading it gave.
            one |= {"unread": float(mine is NOT_READ)}
            other = max((best for n, best in passages.items() if n != unit.evidence.n), default=0.0)
            one |= {"read": mine.chance, "held in": mine.passage, "read lead": mine.passage - other}
            scored.append(Scored(unit, piece_weights().chance(one), one, lacking, likenesses, mine))
        return sorted(
            scored,
            key=lambda one: (
                one.signals["bare"],
                -one.chance,
                one.unit.evidence.n,
                one.unit.start,
                one.unit.row,
            ),
        )

    def _signals(
        self, parsed: ParsedQuestion, unit: Unit, near: Nearness, documents: Mapping[str, frozenset[str]]
    ) -> tuple[dict[str, float], tuple[str, ...], dict[str, tuple[float, float, float]]]:
        """Return the signals of a piece by itself, the words of the question that are absent near it, and the
        matches of each word."""
        own, above = _stated_keys(parsed, unit), unit.heading_keys
        whole = unit.passage_keys | documents.get(unit.evidence.document, frozenset())
        beside = unit.neighbour_keys
        matches: list[WordMatch] = []
        for word, likeness in zip(parsed.words, near.word_likeness, strict=True):
            plain = best_likeness(word.key, own)
            mine = plain if word.figure else max(plain, SYNONYM_LIKENESS * likeness)
            around = max(mine, 0.9 * best_likeness(word.key, beside), 0.95 * best_likeness(word.key, above))
            matches.append(WordMatch(word, mine, around, max(around, 0.85 * best_likeness(word.key, whole))))
        known = frozenset(unit.evidence.document_words)
        anywhere = [max(match.anywhere, float(_contained(match.word, known))) for match in matches]
        lacking = tuple(match.word.text for match, best in zip(matches, anywhere, strict=True) if best < 0.4)
        found = self._named(parsed, unit, matches) | self._shares(matches) | self._stated(parsed, unit, own)
        plain_own = [best_likeness(word.key, own) for word in parsed.words]
        best = [max(one) for one in zip(near.word_likeness, plain_own, strict=True)]
        sought = {word.text for word in focus(parsed)}
        here = [max(match.own, best_likeness(match.word.key, above)) for match in matches]
        return (
            found
            | {
                # For admission alone: whether another extreme is meant, or the cell asked for is empty.
                "turned": float(
                    not poles(parsed.question, *TURNS) <= poles(unit.labelled, *TURNS) | bounds(unit.labelled)
                ),
                "blank": float(unit.kind == "row" and asks_for_blank(parsed, unit.evidence, unit.row)),
                "lookup": found["lookup"] * found["named"],
                "held": _mean(anywhere),
                "alien": _mean(
                    [
                        float(best < 0.5)
                        for match, best in zip(matches, anywhere, strict=True)
                        if names(match.word, parsed.question)
                    ]
                ),
                "entry": _mean(anywhere)
                * float(max(found["labelled"], found["field"]) >= SAME_WORD_LIKENESS),
                "unsought": float(any(word in sought for word in lacking)),
                "meaning": near.cosine,
                "late": _mean(near.word_likeness) if near.readable else _mean(plain_own),
                "unmet": 1.0 - min(best),
                "first": 1.0 / unit.evidence.n,
                "length": min(len(matches), 10) / 10,
                "long": min(len(unit.words), 60) / 60,
                "row": float(unit.kind == "row"),
            },
            lacking,
            {
                one.word.key: (one.own, near_best, best)
                for one, near_best, best in zip(matches, here, anywhere, strict=True)
            },
        )

    def _stated(self, parsed: ParsedQuestion, unit: Unit, own: frozenset[str]) -> dict[str, float]:
        """Return how much a piece states that the question and the headings do not say."""
        known = {word.key for word in parsed.words} | unit.heading_keys
        new = [
            word
            for word in unit.words
            if word.key in own and not best_likeness(word.key, frozenset(known)) >= SAME_WORD_LIKENESS
        ]
        column = any(_adds_words(value, known) for _, value in requested_columns(parsed, unit))
        labelled = named_by(parsed, unit)[0] if unit.kind == "row" else 0.0
        return {
            "new": min(len(new), 8) / 8,
            "bare": float(not new or unit.text.rstrip().endswith((":", "：", "?", "？"))),
            "column": float(column),
            "labelled": labelled,
            "lookup": float(column and labelled >= SAME_WORD_LIKENESS),
        }

    def _shares(self, matches: Sequence[WordMatch]) -> dict[str, float]:
        own = _mean([match.own for match in matches])
        return {
            "own": own,
            "whole": own**2,
            "around": _mean([match.nearby for match in matches]),
            "all": _mean([match.anywhere for match in matches]),
            "weakest": min(match.anywhere for match in matches),
        }

    def _named(self, parsed: ParsedQuestion, unit: Unit, matches: Sequence[WordMatch]) -> dict[str, float]:
        named = [match for match in matches if names(match.word, parsed.question)]
        others = [match for match in matches if not names(match.word, parsed.question)]
        years = [match for match in named if match.word.key in parsed.years]
        other_years = any(
            key not in parsed.years and is_year(key) for key in unit.word_keys | unit.heading_keys
        )
        sought, whole = {word.key for word in focus(parsed)}, unit.passage_keys
        # Rows beside a row do not say its names; the title of what they stand in does.
        title = unit.title_keys if unit.kind == "row" else frozenset()
        near = [max(match.nearby, best_likeness(match.word.key, title)) for match in named]
        fit = fits(parsed, unit)
        return {
            "focus": _mean([match.nearby for match in matches if match.word.key in sought], 1.0),
            "attribute": min((match.nearby for match in others), default=1.0),
            "named": _mean(near, 1.0),
            "strange": _mean(
                [
                    float(max(best, match.anywhere if unit.kind != "row" else 0.0) < 0.5)
                    for match, best in zip(named, near, strict=True)
                ]
            ),
            "absent": float(
                any(
                    match.word.figure and max(match.nearby, best_likeness(match.word.key, whole)) < 0.5
                    for match in named
                )
            ),
            "year": float(any(match.nearby < 0.5 for match in years) and other_years),
            "type": fit,
            "untyped": float(fit == 0.0),
            "field": float(field_of(parsed, unit.text) is not None),
        }


def _stated_keys(parsed: ParsedQuestion, unit: Unit) -> frozenset[str]:
    """Return the keys of the words in a piece, without figures of a row that measure something else."""
    strange = [value for name, value in unit.cells if is_unrelated_figure(parsed, name, value)]
    return unit.word_keys.difference(*map(keys_of, strange))


def _adds_words(value: str, known: set[str]) -> bool:
    """Say whether a cell holds a word that the question does not."""
    return any(best_likeness(key, frozenset(known)) < SAME_WORD_LIKENESS for key in keys_of(value))


def _keys_by_document(pieces: Sequence[Unit]) -> dict[str, frozenset[str]]:
    """Return, per document, the words of all that was found of it."""
    found: dict[str, set[str]] = {}
    for number, unit in {unit.evidence.n: unit for unit in pieces}.items():
        if unit.evidence.document and number:
            found.setdefault(unit.evidence.document, set()).update(unit.passage_keys | unit.heading_keys)
    return {document: frozenset(words) for document, words in found.items()}


def _contained(word: Word, document_words: frozenset[str]) -> bool:
    """Say whether all of a word is among those its document holds."""
    return bool(document_words) and document_words.issuperset(query_words(word.text))


def _mean(values: Sequence[float], empty: float = 0.0) -> float:
    return sum(values) / len(values) if values else empty
