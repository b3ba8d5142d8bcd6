"""The value a question asks for, found in the piece that states it."""

import re
from collections.abc import Iterator, Sequence

from core.domain import Evidence
from core.llm.builtin.answer.evidence_units import Unit, is_named, shown
from core.llm.builtin.answer.parsed_question import Kind, ParsedQuestion, attribute, names
from core.llm.builtin.answer.word_matching import Word, keys_of, likeness, matches_any, words_of
from core.text.brackets import with_whole_brackets
from core.text.how_often import asks_how_often, find_frequencies
from core.text.identifiers import as_words, without_unit
from core.text.periods import find_dates, is_year
from core.text.quantities import DURATIONS, find_counts, find_quantities
from core.text.tokens import is_cjk

_NAME = re.compile(r"\b[A-ZÀ-Þ][\w’'.-]*(?: (?:(?:de|van|von|der|of|la|du|bin|al) )?[A-ZÀ-Þ][\w’'.-]*)*")
_FIELD = re.compile(
    r"(?P<label>[^\s:：;|][^:：;|\n]{1,50}?)\s?[:：]\s+(?P<value>[^;|\n]+?)(?=\s{2,}|\s[A-Z]\w{1,20}:\s|[;|\n]|$)"
)
_FIELD_ZH = re.compile(  # "负责人：李雪。": no space behind the colon, and a sentence may go before
    r"(?<![^\s。；;，,、|）)])(?P<label>[\u4e00-\u9fff][\u4e00-\u9fff\w/（）()]{1,15})：(?P<value>[^\s；;|。][^；;|\n。]*)"
)
_REST = re.compile(r"(?:;\s*[^:：;|\n]{2,40})+(?=\n|$)")  # what a list continues
_DOER_ZH = re.compile("[人者员]$")  # who does what its label says: 负责人

_PLAIN = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_CLOCK = re.compile(
    r"(?<![\d:.])(?:[01]?\d|2[0-4])(?:\s?[:h]\s?[0-5]\d\b|\s?(?:[ap]\.?m\b|o'clock|Uhr|h)\b|\s?[点時时시])",
    re.IGNORECASE,
)
PARTED = re.compile(r"\s:\s|：")
_IN_YEAR = re.compile(
    r"(?:[a-z]\.?,|\b(?:in|of|since|by|until|from|to)) ((?:1[5-9]|20)\d\d)\b(?![.,]\d)", re.IGNORECASE
)
_COUNT_OF = re.compile(  # "No. of lots" counts, "Lot No." does not
    r"^(?:(?:#|no\b\.?|nr\b\.?)\s*\w|number\b)|\b(?:count|total|qty|quantity|anzahl|nombre)\b|(?<![序号])数|계|수$",
    re.IGNORECASE,
)
_MOMENT = frozenset({"date", "day", "time"})
_DESCRIBES = re.compile(
    r"\b(?:of|for|with|whose|where|in|at|on|from|having|that|de|von|für|mit|du|des|avec)\b"
)


def spans_of(parsed: ParsedQuestion, text: str) -> list[tuple[int, int]]:
    """Return where the text holds what is of the type asked for and does not stand in the question."""
    if parsed.kind in ("person", "place"):
        spans = [match.span() for match in _NAME.finditer(text)]
        if is_cjk(text):
            return spans or [(0, len(text))]
    elif parsed.kind == "date":
        spans = find_dates(text)
        if spans and all(_says_word_of(parsed, text[slice(*span)]) for span in spans):
            spans += [match.span() for match in _CLOCK.finditer(text)]  # "when does it begin from June on"
    elif parsed.kind == "time":
        spans = [match.span() for match in _CLOCK.finditer(text)]
    elif parsed.kind in ("duration", "count", "amount"):
        often = find_frequencies(text) if asks_how_often(parsed.question) else []
        spans = often or _figures(parsed.kind, text)
    else:
        return []
    return [span for span in spans if not repeats_question(parsed, text[slice(*span)])]


def _figures(kind: Kind, text: str) -> list[tuple[int, int]]:
    """Return where figures stand; of a duration those with a unit of time, where there are any."""
    clocks = [match.span() for match in _CLOCK.finditer(text) if ":" in match[0]]
    found = [q for q in find_quantities(text) if not any(a <= q.start < b for a, b in clocks)]
    every = [(quantity.start, quantity.end) for quantity in found]
    if kind == "count":
        days = [*find_dates(text), *(match.span(1) for match in _IN_YEAR.finditer(text))]
        counted = sorted({*every, *find_counts(text)})
        return [span for span in counted if not any(a < span[1] and span[0] < b for a, b in days)]
    if kind == "duration":
        dates = find_dates(text)
        timed = [(q.start, q.end) for q in found if q.unit in DURATIONS]
        return [span for span in timed if not any(a < span[1] and span[0] < b for a, b in dates)] or every
    return every


def _says_word_of(parsed: ParsedQuestion, value: str) -> bool:
    """Say whether the question says a word of the value that is no figure."""
    return any(not word.figure and matches_any(word.key, parsed.keys) for word in words_of(value))


def repeats_question(parsed: ParsedQuestion, value: str) -> bool:
    """Say whether the question says the value itself, with whichever unit."""
    written = rf"(?<!\w){re.escape(value.strip())}(?!\w)"
    repeated = all(matches_any(word.key, parsed.keys) for word in words_of(value))
    return repeated or re.search(written, parsed.question, re.IGNORECASE) is not None


def fields_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a text: label and value."""
    for label, value in _fields(text):
        label, value = with_whole_brackets(text, *label), with_whole_brackets(text, *value)
        yield text[slice(*label)], text[slice(*value)]


def _fields(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield where label and value stand; a list goes to the end of its line ("Inventors: A; B; C")."""
    for pattern in (_FIELD, _FIELD_ZH):
        for match in pattern.finditer(text):
            rest = _REST.match(text, match.end("value"))
            yield match.span("label"), (match.start("value"), rest.end() if rest else match.end("value"))


def field_of(parsed: ParsedQuestion, text: str) -> tuple[int, int] | None:
    """Return where the value of a field stands whose label the question says, and not as a name; a value
    that the question says itself is none."""
    plain = [word.key for word in parsed.words if not names(word, parsed.question)]
    for place, span in _fields(text):
        called, value = text[slice(*place)], text[slice(*span)]
        label = words_of(_DOER_ZH.sub("", called) if parsed.kind == "person" else called)
        likenesses = [max((likeness(key, one.key) for key in plain), default=0.0) for one in label]
        header = names_columns(value)
        if likenesses and min(likenesses) >= 0.8 and not header and not repeats_question(parsed, value):
            return span
    return None


def fits(parsed: ParsedQuestion, unit: Unit) -> float:
    """Return 1.0 where the piece holds a value of the type asked for, 0.0 where not, 0.5 for any type.

    Of "how many X" the figure must stand beside the X for the whole 1.0.
    """
    if parsed.kind not in ("date", "time", "duration", "count", "amount", "person", "place"):
        return 0.5
    if unit.kind == "row":
        columns = [name for name, value in unit.cells if spans_of(parsed, value)]
        if parsed.kind == "count" and columns and not any(_counts(parsed, name) for name in columns):
            return 0.4
        return float(bool(columns))
    spans = spans_of(parsed, unit.text)
    if not spans:
        return 0.0
    if parsed.kind == "count" and parsed.counted and unit.kind == "sentence":
        return 1.0 if _is_adjacent(unit.words, spans, parsed.counted) else 0.4
    return 1.0


def states_type(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a candidate answer is of the type asked for: the field or column by its name, else the
    sentence, or the only cell of a row that is of that type."""
    if unit.kind == "row":
        named = requested_columns(parsed, unit)
        typed = [value for _, value in named or unit.cells if spans_of(parsed, value)]
        return bool(typed) if named else len(typed) == 1 and fits(parsed, unit) >= 1.0
    field = field_of(parsed, unit.text)
    field_text = unit.text[slice(*field)] if field else ""
    return bool(spans_of(parsed, field_text)) if field else fits(parsed, unit) >= 1.0


def _counts(parsed: ParsedQuestion, column: str) -> bool:
    """Say whether a column counts what is asked for, or has no name to say what it counts."""
    counted = matches_any(parsed.counted, keys_of(as_words(column)))
    return counted or not is_named(column) or _COUNT_OF.search(column) is not None


def _is_adjacent(words: Sequence[Word], spans: Sequence[tuple[int, int]], counted: str) -> bool:
    """Say whether a figure stands within three words before the counted word, or one behind it."""
    places = [at for at, word in enumerate(words) if likeness(counted, word.key) >= 0.8]
    figures = [at for at, word in enumerate(words) if any(a <= word.start < b for a, b in spans)]
    return any(0 < place - figure <= 3 or 0 < figure - place <= 1 for place in places for figure in figures)


def value_of(parsed: ParsedQuestion, unit: Unit) -> tuple[int, int] | None:
    """Return where the value that answers is in the unit's text, None where that is not clear.

    A field whose label the question says gives its value; else the value of the type asked for that is
    nearest to the words asked.
    """
    return span_in(parsed, unit.text)


def span_in(parsed: ParsedQuestion, text: str) -> tuple[int, int] | None:
    """Return where the value that answers is in a text, None where that is not clear."""
    span = _span_in(parsed, text)
    return with_whole_brackets(text, *span) if span is not None else None


def _span_in(parsed: ParsedQuestion, text: str) -> tuple[int, int] | None:
    field = field_of(parsed, text)
    if field is not None:
        return field
    spans = spans_of(parsed, text)
    if not spans or spans == [(0, len(text))]:
        return None
    if parsed.kind in ("person", "place") and len({text[slice(*span)] for span in spans}) > 1:
        return None  # which of several names is meant, nearness does not tell
    own = words_of(text)
    anchors = [w.start for w in own if any(likeness(one.key, w.key) >= 0.8 for one in parsed.words)]
    if parsed.counted:
        near = [w.start for w in own if likeness(parsed.counted, w.key) >= 0.8]
        anchors = near or anchors
    if not anchors:
        return spans[0] if len(spans) == 1 else None
    outside = [place for place in anchors if not any(a <= place < b for a, b in spans)] or anchors
    return min(spans, key=lambda span: min(abs(span[0] - place) for place in outside))


def requested_columns(parsed: ParsedQuestion, unit: Unit) -> list[tuple[str, str]]:
    """Return the cells whose column the question names, all of its words; "when" says "date" itself, and "how
    many" the only column that counts."""
    found = [(name, value) for name, value in unit.cells if _names_column(parsed, name)]
    if not found and parsed.kind == "count":
        found = [(name, value) for name, value in unit.cells if _COUNT_OF.search(name)]
        return found if len(found) == 1 else []
    return found or (_requested_dates(parsed, unit) if parsed.kind == "date" else [])


def answer_columns(parsed: ParsedQuestion, unit: Unit) -> list[tuple[str, str]]:
    """Return the cells of `requested_columns` that do not only describe the row: not the opening of "old
    designation of the sieve with 0.075 mm opening"."""
    found, run = requested_columns(parsed, unit), attribute(parsed)
    describes = _DESCRIBES.search(parsed.question, run[-1].end) if run else None
    if describes is None:
        return found
    before = keys_of(parsed.question[: describes.start()])
    named = [(name, value, keys_of(without_unit(name))) for name, value in found]
    asked = [one for one in named if one[2] and one[2] <= before]
    whole = [(name, value) for name, value, keys in asked if not any(keys < each for *_, each in asked)]
    return whole or found


def names_columns(text: str) -> bool:
    """Say whether a line names the columns of what follows: "# Code : City : State"."""
    return len(PARTED.findall(text)) > 1


def is_one_of_counted(parsed: ParsedQuestion, unit: Unit) -> bool:
    """Say whether a row is one of what is counted: the column called so names it, and holds no figure."""
    if parsed.kind != "count" or not parsed.counted:
        return False
    return any(
        not re.search(r"\d", value) and matches_any(parsed.counted, keys_of(name))
        for name, value in unit.cells
    )


def asks_for_blank(parsed: ParsedQuestion, piece: Evidence, row: int) -> bool:
    """Say whether the question names a column that is empty in this row, all of its words."""
    cells = zip(piece.columns, piece.rows[row], strict=False)
    return any(not shown(cell) and _names_column(parsed, column.label()) for column, cell in cells)


def _names_column(parsed: ParsedQuestion, name: str) -> bool:
    """Say whether the question says a column's whole name, or all that the file says it stands for; words
    that frame a question do beside another ("old designation")."""
    framed = keys_of(parsed.question)
    for called in without_unit(name).split(" = "):
        own = words_of(called)
        matched = [matches_any(word.key, parsed.keys) for word in own]
        if any(matched) and all(one or word.key in framed for one, word in zip(matched, own, strict=True)):
            return True
    return False


def _requested_dates(parsed: ParsedQuestion, unit: Unit) -> list[tuple[str, str]]:
    """Return the dates whose column says what happened: "when was it shipped" of "shipped_date".

    A word that another column says, too, is the thing it happened to: "order" of "order_id".
    """
    heads = [(name, value, words_of(without_unit(name))) for name, value in unit.cells]
    found = []
    for name, value, own in heads:
        rest = [word for word in own if word.key not in _MOMENT]
        others = {word.key for other, _, head in heads if other != name for word in head}
        free = {key for key in parsed.keys if not matches_any(key, others)}
        asked = all(matches_any(word.key, free) for word in rest)
        if rest and len(rest) < len(own) and asked and re.search(r"\d", value):
            found.append((name, value))
    return found


def named_by(parsed: ParsedQuestion, unit: Unit) -> tuple[float, str]:
    """Return how well the question says one of a row's cells, and that cell; else the first one in words."""
    best, label = 0.0, ""
    for name, value in unit.cells:
        own = () if is_unrelated_figure(parsed, name, value) else words_of(value)
        matched_words = sum(matches_any(word.key, parsed.keys) for word in own)
        share = matched_words / len(own) - 0.01 * (_PLAIN.fullmatch(value) is not None) if own else 0.0
        if share > best:  # of two cells that are said, the one in words names the row
            best, label = share, value
    if best >= 0.5:
        return best, label
    return best, next((value for _, value in unit.cells if re.search(r"[^\W\d]", value)), "")


def is_unrelated_figure(parsed: ParsedQuestion, column: str, value: str) -> bool:
    """Say whether a cell is a figure of something the question does not mention.

    17 under "price" is not chromosome 17. Years, and columns without a name, stand for themselves.
    """
    figure = _PLAIN.fullmatch(value)
    if figure is None or is_year(value) or not is_named(column):
        return False
    return not any(matches_any(word.key, parsed.keys) for word in words_of(column))
