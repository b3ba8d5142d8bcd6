"""Whether a piece may be given as the answer at all, however likely it looks."""

import re
from collections import Counter
from statistics import mean

from core.llm.builtin.answer.lists import MAX_SECTION_CHARACTERS, list_after_colon
from core.llm.builtin.answer.parsed_question import NUMBER_WORDS, ParsedQuestion, gives_reason, names, sought
from core.llm.builtin.answer.quoting import answer_sentences
from core.llm.builtin.answer.rates import counts_per_one
from core.llm.builtin.answer.scorer import MIDDLE, TURNS, Scored
from core.llm.builtin.answer.stated_relation import misses_relation
from core.llm.builtin.answer.values import (
    field_of,
    is_one_of_counted,
    named_by,
    names_columns,
    requested_columns,
    spans_of,
    states_type,
)
from core.llm.builtin.answer.word_matching import (
    TRANSLATION_LIKENESS,
    Word,
    keys_of,
    likeness,
    matches_any,
    words_of,
)
from core.llm.builtin.answer.written_elsewhere import refers_elsewhere
from core.llm.builtin.questions.opposites import poles
from core.text.chinese_english import is_verb
from core.text.list_items import is_list
from core.text.tokens import is_cjk

_TOTAL = re.compile(
    r"(?:grand |sub)?totals?\b|sum\b|gesamt|summe|somme|合计|总[计和]|合計|합계|총계", re.IGNORECASE
)
_DEFINES = (
    r"[^.;:]{0,60}?(?:,|\)|\s)\s*(?:is|are|was|were|means?|refers? to|stands? for|denotes?)\s+"
    r"(?:an?|the|any|one)\b"
)
_SIGNS = "A-Za-z0-9_.-"
_OWNED = re.compile(
    rf"(?P<owner>[{_SIGNS}]*\d[{_SIGNS}]*)\s?的(?P<what>[\u4e00-\u9fff]{{2,8}}?)(?=是|为|有|多少|如何|怎|[？?。]|$)"
)

_NAMED_PLACE = re.compile(r"\b(?:which|what) (?:city|town|village|country|state|region|county|province)\b")
LITERAL_LIKENESS = 0.8  # how well a word is said that is said itself
MATCHED_LIKENESS = 0.5  # how well a word is met that is at least meant
_JOINS = re.compile(r"\b(?:and|et|und)\b|[和与及]")
NAME_GAP = 1  # words between those of a name
FEW_CELLS = 4  # of a row that may be quoted whole
MIN_SHARE_TO_ADMIT = 0.6  # share of the question's words that a piece says, or what stands over it
OPEN_ENDS = (":", "：", "?", "？")  # what ends so states nothing
TYPED = frozenset({"date", "time", "duration", "count", "amount"})


def admissible(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the piece states something new, of the type and year asked for, in a document that knows
    every name and figure of the question.

    A sum, a difference or a survey is stated by no single piece, unless by a row of totals or where a mean is
    said to be one; a comparison by one that says both sides.
    """
    if not _is_relevant(parsed, scored):
        return False
    computed = parsed.computed and parsed.kind in ("count", "amount", "duration", "other")
    if parsed.kind == "summary" or (computed and not _totals(scored) and not names_statistic(parsed, scored)):
        return False
    if parsed.kind == "compare":
        if scored.unit.kind == "row":
            return _has_both_columns(parsed, scored)
        covered = min(scored.signals["weakest"], scored.signals["own"])
        return covered >= LITERAL_LIKENESS and _figures(parsed, scored) >= 2
    if (parsed.kind == "list" or parsed.many) and not _lists(parsed, scored):
        return False
    if parsed.kind == "cause" and not gives_reason(
        parsed, " ".join(one.text for one in answer_sentences(parsed, scored))
    ):
        return False
    named = parsed.kind == "place" and _NAMED_PLACE.search(parsed.question.lower())
    if named and not spans_of(parsed, scored.unit.text):
        return False  # such a place has a name
    return parsed.kind not in TYPED or (_counts_it(parsed, scored) and states_type(parsed, scored.unit))


def _is_relevant(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the piece is about what is asked: the extreme and every year asked for, of a row every name
    and figure; a piece of prose has to state something, and not of another thing."""
    signals = scored.signals
    text = scored.unit.text
    if scored.unit.kind != "row" and (
        _is_owned_by_another(parsed.question, text) or refers_elsewhere(parsed, text)
    ):
        return False
    if misses_relation(parsed, scored):
        return False
    if signals["year"] or signals["alien"] or signals["turned"] or not _covers_question(parsed, scored):
        return False
    if (len(parsed.years) > 1 and signals["named"] < 1.0) or not _contains_names(parsed, scored):
        return False
    if scored.unit.kind == "row":
        shut = signals["bare"] or parsed.kind == "list" or signals["strange"] or signals["blank"]
        return not shut and _contains_figures(parsed, scored) and _names_a_cell(parsed, scored)
    return _is_statement(parsed, scored)


def _is_owned_by_another(question: str, text: str) -> bool:
    """Say whether what a Chinese question asks of a code, "A的良率", is in the text only as another's:
    "A 改装之后，B 的周良率是84%"."""
    asked = _OWNED.search(question)
    if asked is None:
        return False
    owners = re.findall(rf"([{_SIGNS}]+)\s?(?:的|之)?[\u4e00-\u9fff]{{0,2}}{asked['what']}", text)
    return bool(owners) and asked["owner"] not in owners


def _contains_names(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether every name of several words stands together in the passage, its headings or its document's
    title, in any order ("Fairbairn, Joyce"): "chat" and "legal" far apart are not "Chat Legal"."""
    here = [word.key for word in (*scored.unit.heading_words, *scored.unit.passage_words)]
    for name in _long_names(parsed):
        reach = len(name) + NAME_GAP
        if not any(name <= set(here[at : at + reach]) for at in range(len(here))):
            return False
    return True


def _long_names(parsed: ParsedQuestion) -> list[frozenset[str]]:
    """Return the names of two words and more: capitals side by side."""
    runs: list[list[Word]] = []
    for word in parsed.words:
        if word.figure or not names(word, parsed.question):
            continue
        if runs and not parsed.question[runs[-1][-1].end : word.start].strip():
            runs[-1].append(word)
        else:
            runs.append([word])
    return [frozenset(word.key for word in run) for run in runs if len(run) > 1]


def _covers_question(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the piece, or what stands over it, says all that is sought, every figure and most words of
    the question; of a yes or no all words, for then it has to be stated as it is asked."""
    here = {key: match for key, (_, match, _) in scored.word_matches.items()}
    if parsed.kind == "yesno":
        return min(here.values()) >= MATCHED_LIKENESS and not scored.unit.text.rstrip().endswith(OPEN_ENDS)
    if scored.signals["bare"]:
        return False
    if scored.signals["unread"] and _lacks_thing(parsed, scored):
        return False
    # An extreme goes by other words too: "turned" has seen to it.
    wanted = [word.key for word in sought(parsed) if not poles(word.text, *TURNS)]
    wanted += [word.key for word in parsed.words if word.figure and word.key not in parsed.years]
    if _looked_up(parsed, scored):
        return True
    return (
        all(here[key] >= MATCHED_LIKENESS for key in wanted)
        and mean(match >= MATCHED_LIKENESS for match in here.values()) >= MIN_SHARE_TO_ADMIT
    )


def _lacks_thing(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the document nowhere says a Chinese noun of the question, in a text in Chinese that no
    network reads."""
    return is_cjk(scored.unit.text) and any(
        is_cjk(word.text)
        and len(word.text) > 1
        and not is_verb(word.text)
        and not scored.word_matches[word.key][2]
        for word in parsed.words
    )


def _looked_up(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a row is named by one of its cells and has the column that is asked for.

    Every word of the question is in its document.
    """
    if (
        scored.signals["lookup"] < LITERAL_LIKENESS
        or min(best for *_, best in scored.word_matches.values()) < MATCHED_LIKENESS
    ):
        return False
    columns = {word.key for name, _ in requested_columns(parsed, scored.unit) for word in words_of(name)}
    return not columns.isdisjoint(word.key for word in sought(parsed))


def _names_a_cell(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the question names a column of a row with many cells, or says only what the row says.

    Otherwise the requested cell is ambiguous. A name is asked for by the whole name of a column.
    """
    unit = scored.unit
    if len(unit.cells) <= FEW_CELLS or requested_columns(parsed, unit):
        return True
    named = [word for name, _ in unit.cells for word in words_of(name) if word.key != "name"]
    if any(likeness(one.key, word.key) >= TRANSLATION_LIKENESS for one in parsed.words for word in named):
        return True
    return all(matches_any(key, unit.word_keys) for key in parsed.keys)


def _contains_figures(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether every figure of the question occurs as often in the row with its headings."""
    figures = Counter(word.key for word in words_of(parsed.question) if word.key.isdigit())
    required = Counter({key: times for key, times in figures.items() if key not in parsed.years})
    return required <= Counter(word.key for word in (*scored.unit.words, *scored.unit.heading_words))


def _is_statement(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a piece of prose is a sentence, a field, or is in a list: a title states nothing.

    What a thing is says only a sentence that defines it.
    """
    if parsed.defined:
        return (
            re.search(rf"\b{re.escape(parsed.defined)}\b{_DEFINES}", scored.unit.text, re.IGNORECASE)
            is not None
        )
    text = scored.unit.text.rstrip(" \"'”’)]")
    if names_columns(text):
        return False
    ended = text.endswith((".", "!", ";", "。", "！", "；", "．"))
    return ended or field_of(parsed, scored.unit.text) is not None or is_list(scored.unit.evidence.text)


def _counts_it(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a row counts what "how many" asks for: a column, its label or what stands over it says
    so. A row that is one of those counted does not say how many there are."""
    unit = scored.unit
    if counts_per_one(parsed, unit):
        return False
    if parsed.kind != "count" or not parsed.counted or unit.kind != "row":
        return True
    if is_one_of_counted(parsed, unit):
        return False
    heads = [word for name, _ in unit.cells for word in words_of(name)]
    heads += [word for _, value in unit.cells[:1] for word in words_of(value)]
    return matches_any(parsed.counted, (word.key for word in (*heads, *unit.heading_words)))


def _has_both_columns(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a row is named by one of its cells and has a figure in each of the columns that are
    compared: "penicillin versus neomycin for E. coli"."""
    asked = requested_columns(parsed, scored.unit)
    share, _ = named_by(parsed, scored.unit)
    return (
        share == 1.0 and len(asked) > 1 and all(any(sign.isdigit() for sign in value) for _, value in asked)
    )


def names_statistic(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether a mean or median is asked for, and a sentence or the column asked for says to be one."""
    unit = scored.unit
    columns = " ".join(name for name, _ in requested_columns(parsed, unit))
    return parsed.statistic and poles(parsed.question, MIDDLE) <= poles(
        columns if unit.kind == "row" else unit.text, MIDDLE
    )


def _totals(scored: Scored) -> bool:
    """Say whether the piece is the row of a table that adds up the others."""
    return scored.unit.kind == "row" and any(_TOTAL.match(value) for _, value in scored.unit.cells[:2])


def _lists(parsed: ParsedQuestion, scored: Scored) -> bool:
    """Say whether the piece is in a list that is quoted whole and is headed by what is sought, or lists
    things itself: as many as the question says there are, and says so."""
    unit = scored.unit
    listing = list_after_colon(unit)
    if listing.items:
        led = any(matches_any(one.key, keys_of(listing.lead)) for one in sought(parsed))
        return led and parsed.many in (0, len(listing.items))
    if parsed.many and not re.search(
        rf"\b(?:{NUMBER_WORDS[parsed.many]}|{parsed.many})\b", unit.text.lower()
    ):
        return False
    if is_list(unit.evidence.text):
        head = unit.heading_keys | keys_of(unit.evidence.text.strip().split("\n")[0])
        headed = any(matches_any(one.key, head) for one in sought(parsed))
        return headed and len(unit.evidence.text) <= MAX_SECTION_CHARACTERS
    joints = sum(unit.text.count(sign) for sign in ",;，、；・") + len(_JOINS.findall(unit.text))
    return joints >= max(parsed.many, 3) - 1


def _figures(parsed: ParsedQuestion, scored: Scored) -> int:
    """Return how many figures the piece says that the question does not."""
    known = {word.key for word in parsed.words}
    return len({word.key for word in scored.unit.words if word.figure and word.key not in known})
