"""Schema linking: which words of a question are a table's values, columns or dates, and which are none."""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from core.domain import ColumnCard, TableCard, column_meaning
from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.parsed_question import FIGURE_KINDS, ParsedQuestion, names, sought
from core.llm.builtin.answer.word_matching import (
    SAME_WORD_LIKENESS,
    TRANSLATION_LIKENESS,
    Word,
    matches_any,
    words_of,
)
from core.llm.builtin.tables.blank_conditions import conditions_on_blanks, denying
from core.llm.builtin.tables.compared_columns import conditions_on_columns
from core.llm.builtin.tables.date_conditions import MOMENT, TEMPORAL, conditions_on_dates, start_and_end
from core.llm.builtin.tables.extremes import ranked
from core.llm.builtin.tables.figure_conditions import (
    DIFFERS,
    NO_SPAN,
    Condition,
    abbreviates,
    bare,
    conditions_on_figures,
    is_measure,
)
from core.llm.builtin.tables.full_names import FullNames, by_initial
from core.llm.builtin.tables.name_likeness import is_name, name_likeness
from core.llm.builtin.tables.stated_states import conditions_on_states
from core.llm.builtin.tables.value_conditions import conditions_on_values
from core.llm.builtin.understand.grammar import tagged
from core.text.identifiers import as_words
from core.text.tokens import is_cjk, stem
from core.text.vocabulary import families

MIN_COLUMN_COSINE = 0.45  # nearness of meaning from which a column is what a word means
# Cosine of a verb and the name of what comes of it: produce, generation 0.41; cost, generation 0.17
MIN_DONE_COSINE = 0.35
MIN_AGENT_COSINE = 0.4  # cosine of a verb and who does it: deliver, supplier 0.43; replace, supplier 0.37
_CONTAINER_NOUNS = frozenset(
    {"log", "regist", "histori", "record", "data"}
)  # what holds the rows is none of them
_COMPARES = re.compile(r"\s+(?:no(?:t)? )?(?:more|less|over|above|under|below|at (?:least|most)|up to)\b")
_LEAD = re.compile(r"^\s*(?:table|tab\.|tabelle|tableau|表)\s*[\dIVX]+\s*[.:)、]?\s*", re.IGNORECASE)
_BEHIND = re.compile(
    r"\b(?:of|for|in|by|from|on|at|per|with|to|during|between|and|or)\b|[:;,(（：；，|]| [–-] "
)


@dataclass(frozen=True)
class Linked:
    """A question linked to one table. `rest` are the words of the question that match nothing in it."""

    card: TableCard
    conditions: tuple[Condition, ...]
    columns: tuple[ColumnCard, ...]  # that the question names, best first
    rest: tuple[Word, ...]
    subject: frozenset[str] = field(default_factory=frozenset)  # words of what a row is
    has_rank: bool | None = None  # the column by which a superlative ranks; False: only other figures

    @property
    def measures(self) -> tuple[ColumnCard, ...]:
        """Return the named columns whose figures may be added up or compared."""
        return tuple(column for column in self.columns if is_measure(column))


def link(
    parsed: ParsedQuestion, card: TableCard, meaning: Meaning, people: FullNames = MappingProxyType({})
) -> Linked:
    """Link the words of the question to the table; `people` are known by the last word of their names."""
    blanks = conditions_on_blanks(parsed, card)
    denied = {key for one in blanks for key in one.words}  # "not delivered" is no row of "delivered"
    about = words_about(card)
    dates = conditions_on_dates(parsed, card, about)
    dated = frozenset(key for one in dates for key in one.words)
    values_named = conditions_on_values(parsed, card, head_of(card), dated)
    values_named = values_named if blanks else denying(parsed, values_named)
    conditions = dates + [one for one in values_named if not one.words & denied]
    conditions += conditions_on_columns(parsed, card) + blanks + conditions_on_states(parsed, card)
    condition_keys = {key for condition in conditions for key in condition.words}
    conditions += conditions_on_figures(parsed, card, frozenset(condition_keys))
    condition_keys |= {key for condition in conditions for key in condition.words}
    left = [word for word in parsed.words if word.key not in condition_keys]
    columns, used = _columns([*left, *(one for one in parsed.typed if one not in left)], card, meaning)
    columns, superlative, has_rank = ranked(parsed.question, left, columns, card.columns)
    used |= superlative
    for word in [word for word in left if word.key not in used]:
        measured = [c for c in card.columns if is_measure(c) and c.unit.lower() == word.text.lower()]
        if len(measured) == 1:  # "total kWh"
            columns, used = (*columns, *(c for c in measured if c not in columns)), used | {word.key}
    moment, asking = _moment([*left, *parsed.typed], used, card)
    columns, used = (*columns, *(one for one in moment if one not in columns)), used | asking
    subject = frozenset(word.key for word in words_of(_titled(card)))
    column_keys = {word.key for column in card.columns for own in _called_by(column) for word in own}
    open_words = [
        word
        for word in left
        if word.key not in used and not called(word.key, about) and not matches_any(word.key, column_keys)
    ]
    equal = (one for one in conditions if one.operator in ("=", DIFFERS))
    values = [str(value).casefold() for one in equal for value in one.values]
    known = {key for value in values for key in (*people.get(value, ()), *by_initial(value, parsed))}
    rest = [word for word in open_words if word.key not in known and not _apposed(word, parsed, about)]
    measures = [column for column in card.columns if is_measure(column)]
    figures = parsed.kind in FIGURE_KINDS or parsed.computed  # "what was bought" asks for no figure
    if conditions and figures and len(measures) == 1 and measures[0] not in columns:
        own = [word.text.lower() for word in words_of(bare(measures[0]))]
        # "did Iowa produce", of its "net generation"
        doing = _verbs_near(own, MIN_DONE_COSINE, open_words, parsed, meaning)
        columns += (measures[0],) if doing else ()
        rest = [word for word in rest if word not in doing]
    if conditions and rest:
        # "which supplier delivers", of a column that is asked for by its whole name, "supplier"
        asked = {word.key for word in sought(parsed)}
        named = [words_of(bare(column)) for column in columns]
        own = [word.text.lower() for name in named if {w.key for w in name} <= asked for word in name]
        acting = _verbs_near(own, MIN_AGENT_COSINE, rest, parsed, meaning)
        # "which parts cost more than 500 EUR", of a price
        compared = [bare(one.column) for one in conditions if one.operator not in NO_SPAN]
        beside = [word for word in rest if _COMPARES.match(parsed.question, word.end)]
        own = [word.text.lower() for name in compared for word in words_of(name)]
        acting += _near(own, MIN_AGENT_COSINE, {w.text.lower(): w.key for w in beside}, beside, meaning)
        rest = [word for word in rest if word not in acting]
    return Linked(card, tuple(conditions), columns, tuple(rest), subject, has_rank)


def _moment(
    left: Sequence[Word], used: Collection[str], card: TableCard
) -> tuple[tuple[ColumnCard, ...], frozenset[str]]:
    """Return the column that tells when a row was, where the question asks for its day or time by that word
    only, and the word."""
    words = frozenset(word.key for word in left if word.key in MOMENT and word.key not in used)
    both = start_and_end(card)
    times = [column for column in card.columns if column.type in TEMPORAL]
    column = both[0] if both else times[0] if len(times) == 1 else None
    return ((column,), words) if words and column is not None else ((), frozenset())


def _verbs_near(
    names: Sequence[str], least: float, words: Sequence[Word], parsed: ParsedQuestion, meaning: Meaning
) -> list[Word]:
    """Return the verbs among the words that are `least` as near in meaning to one of the names."""
    if not names or parsed.language != "en" or parsed.kind in ("yesno", "compare"):
        return []
    bases = {word.text.lower(): word.lemma for word in tagged(parsed.question) if word.letter in "vieg"}
    verbs = [word for word in words if word.text.lower() in bases]
    return _near(names, least, bases, verbs, meaning)


def _near(
    names: Sequence[str], least: float, bases: Mapping[str, str], words: Sequence[Word], meaning: Meaning
) -> list[Word]:
    """Return the words whose base form is `least` as near in meaning to one of the names."""
    meaning.prepare([bases[word.text.lower()] for word in words] + [*names])
    cosines = (
        (max((meaning.cosine(bases[w.text.lower()], name) for name in names), default=0.0), w) for w in words
    )
    return [word for cosine, word in cosines if cosine >= least]


def words_about(card: TableCard) -> frozenset[str]:
    """Return the words of a table's title and of its document's name."""
    names = (_titled(card), card.document, _apart(card.document))
    return frozenset(word.key for name in names for word in words_of(name))


def head_of(card: TableCard) -> str:
    """Return the word that says what a row of the table is: the last of its title before "of", "by" ...; of
    a log what is logged."""
    title = _LEAD.sub("", _titled(card))
    words = [word.key for word in words_of(_BEHIND.split(title)[0]) or words_of(title) if not word.figure]
    return next(
        (word for word in reversed(words) if word not in _CONTAINER_NOUNS), words[-1] if words else ""
    )


def rows_called(card: TableCard) -> str:
    """Return what the rows of the table are called: its title before "of", "by" and the like."""
    return _BEHIND.split(_LEAD.sub("", card.title), maxsplit=1)[0].strip() or card.title


def _apposed(word: Word, parsed: ParsedQuestion, about: Iterable[str]) -> bool:
    """Say whether the word only explains a name of the document: "the Chinook music store database". A figure
    never does, nor does a Chinese word, which stands beside the next whatever it says."""
    if word.figure or is_cjk(word.key):
        return False
    end = word.start
    for before in sorted((w for w in parsed.words if w.end <= word.start), key=lambda w: -w.end):
        if parsed.question[before.end : end].strip():
            return False
        if names(before, parsed.question) and matches_any(before.key, about):
            return True
        end = before.start
    return False


def _titled(card: TableCard) -> str:
    """Return what the table is called, names of several words taken apart: "TrackList", "alarm-log"."""
    title = re.sub(r"[-_]+", " ", card.title) if " " not in card.title.strip() else card.title
    return as_words(title)


def _apart(name: str) -> str:
    """Return the words and figures of a file's name apart: "acs2012_5yr" says acs, 2012, 5 and yr."""
    return re.sub(r"(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])|[-_.]+", " ", name)


def called(key: str, names: Iterable[str]) -> bool:
    """Say whether one of the names is the word, or is written together with it ("cars" of "mtcars"), or, of a
    Chinese word, is a translation."""
    return any(
        is_name(key, name) or (len(key) >= 3 and len(name) > len(key) and name.endswith(key))
        for name in names
    )


def _columns(
    left: Sequence[Word], card: TableCard, meaning: Meaning
) -> tuple[tuple[ColumnCard, ...], set[str]]:
    """Return the columns these words name, best first, and the words that do."""
    named = [(place, column, own) for place, column in enumerate(card.columns) for own in _called_by(column)]
    meaning.prepare([w.key for w in left] + [w.key for *_, own in named for w in own])
    rated: list[tuple[float, int, ColumnCard, set[str]]] = []
    asked_whole: set[str] = set()  # columns whose whole name is said
    for place, column, own in named:
        matched: set[str] = set()
        worth = 0.0
        for part in own:
            if run := _written_together(part.key, left):
                worth += 1.0
                matched |= run
                continue
            best = max(
                ((_alike(word.key, part.key, meaning, column), word.key) for word in left), default=(0.0, "")
            )
            if best[0] < MIN_COLUMN_COSINE and len(part.key) == 1 and part.key.isalpha():
                best = _initial(part.key, left, own)
            if best[0] >= MIN_COLUMN_COSINE:
                worth += best[0]
                matched.add(best[1])
        share = worth / len(own)
        if share >= 0.99:
            asked_whole.add(column.name)
        if share >= 0.5:
            rated.append((share * len(matched), place, column, matched))
    rated.sort(key=lambda one: (-one[0], one[1]))
    selected: list[tuple[ColumnCard, set[str]]] = []
    for _, _, column, matched in rated:  # a column that says less of the same words is not the one meant
        if not any(
            matched < other or (matched <= other and column.name not in asked_whole) for _, other in selected
        ):
            selected.append((column, matched))
    columns = dict.fromkeys(column for column, _ in selected)
    return tuple(columns), {key for *_, matched in rated for key in matched}


def _called_by(column: ColumnCard) -> Iterator[Sequence[Word]]:
    """Yield the words of the column's name, and of what the file says that it stands for."""
    for called in (bare(column), column_meaning(column.note)):
        if own := words_of(called):
            yield own


def _written_together(part: str, left: Sequence[Word]) -> set[str]:
    """Return the neighbouring words that a name writes as one: "defect area" is said by "DEFECTAREA"."""
    for count in (2, 3):
        for at in range(len(left) - count + 1):
            run = left[at : at + count]
            beside = all(second.start == first.end + 1 for first, second in itertools.pairwise(run))
            if beside and stem("".join(word.text for word in run).lower()) == part:
                return {word.key for word in run}
    return set()


def _initial(letter: str, left: Sequence[Word], own: Sequence[Word]) -> tuple[float, str]:
    """Return the word a letter of a column's name stands for: one that begins with it beside another of the
    name's words, as "T" does for "autoignition temperature" in "T_autoignition"."""
    for first, second in itertools.pairwise(left):
        for word, beside in ((first, second), (second, first)):
            if word.key.startswith(letter) and matches_any(beside.key, (one.key for one in own)):
                return SAME_WORD_LIKENESS, word.key
    return 0.0, ""


def _alike(word: str, part: str, meaning: Meaning, column: ColumnCard) -> float:
    plain = name_likeness(word, part)
    if plain >= TRANSLATION_LIKENESS:
        return plain
    kin = column.type not in TEMPORAL and part in families().get(word, ())  # "bought" is asked of no day
    if kin or abbreviates(part, word):
        return SAME_WORD_LIKENESS
    return meaning.near(word, part)
