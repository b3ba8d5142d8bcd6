"""Schema cards read back: tables, columns, sample values, and which of them a question speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.llm.extractive.lexicon import synonyms
from core.text.tokens import content_words, is_cjk, is_stopword, words

_HEAD = re.compile(r'^TABLE ("(?:[^"]|"")+"):? ?(.*?)(?: \((\d+) rows\))?$')
_COLUMN = re.compile(r'^- ("(?:[^"]|"")+") (\w+)(?: \[([^\]]*)\])?:? ?(.*)$')
_SAMPLE = re.compile(r"\s*'((?:[^'])*)'(?:,|$)|([^,]+)")


_COUNTED = re.compile(
    r"\b(?:how many|number of|count of|average|total|mean|highest|lowest|most|least)\s+"
    r"((?:[a-z][\w-]*\s?){1,2})"
    r"|(?:多少次|多少个|几次|平均|总|最[高低多少大小长短](?:的)?)([\u4e00-\u9fff]{2,4})",
    re.IGNORECASE,
)


_ABOUT = re.compile(r"log|list|table|data|records?|sheet|overview|export|report|register", re.IGNORECASE)


@dataclass(frozen=True)
class CardColumn:
    """A column of a card; `sql` is its quoted name."""

    sql: str
    name: str
    type: str
    unit: str
    samples: tuple[str, ...]

    @property
    def numeric(self) -> bool:
        return self.type in {"integer", "real"}

    @property
    def temporal(self) -> bool:
        return self.type in {"date", "datetime"} or (
            self.type == "text"
            and bool(self.samples)
            and all(re.match(r"\d{4}-\d{2}", s) for s in self.samples)
        )


@dataclass(frozen=True)
class Card:
    """A table's card; `sql` is its quoted name."""

    sql: str
    title: str
    columns: tuple[CardColumn, ...]

    @property
    def head(self) -> str:
        """Return what one row is, by the table's name: "alarm" of "alarm-log-2025-H1", "" if unsaid."""
        name = re.split(r" (?:of|per|by|in|for) |[,:(]", self.title, maxsplit=1)[0]
        name = re.sub(r"^(?:Table|Slide|Sheet|表) ?[\d.]+[.:]? ?", "", name)
        said = [
            word for word in re.findall(r"[A-Za-z]{3,}|[\u4e00-\u9fff]+", name) if not _ABOUT.fullmatch(word)
        ]
        return re.sub(r"(?:记录|日志|清单|列表|表)$", "", said[-1]) if said else ""


def read_card(text: str) -> Card | None:
    """Return a card of the form `core.tasks.WriteQuery` describes, None for anything else."""
    first, *rest = text.strip().split("\n")
    head = _HEAD.match(first)
    if head is None:
        return None
    columns = []
    for line in rest:
        match = _COLUMN.match(line)
        if match:
            samples = tuple((a or b).strip() for a, b in _SAMPLE.findall(match.group(4)) if (a or b).strip())
            name = match.group(1)[1:-1].replace('""', '"')
            columns.append(CardColumn(match.group(1), name, match.group(2), match.group(3) or "", samples))
    return Card(head.group(1), head.group(2), tuple(columns)) if columns else None


def says(question_words: set[str], name: str) -> float:
    """Return how much of a column's name the question says (0 to 1), words of the same meaning for less."""
    mine = content_words(re.sub(r"[(\[（][^()]*[)\]）]|_", " ", name)) or words(name)
    if not mine:
        return 0.0
    told = sum(_said(word, question_words) for word in mine)
    return told / len(mine)


def _said(word: str, said: set[str]) -> float:
    if word in said:
        return 1.0
    if any(akin(word, other) for other in said):
        return 0.8
    return 0.7 if not synonyms(word).isdisjoint(said) else 0.0


def akin(one: str, other: str) -> bool:
    """Say whether two words are of one stem: "weigh" and "weight", "ship" and "shipment", 缺陷 and 缺陷数."""
    short, long = sorted((one, other), key=len)
    if is_cjk(short):
        return len(short) > 1 and long.startswith(short) and len(long) - len(short) <= 1
    plain = len(short) > 3 and short.isalpha() and long.isalpha()
    if not plain or long == f"{short}tim":  # "down" is no "downtime"
        return False
    return long.startswith(short) and len(long) - len(short) <= 4


def named_values(question: str, card: Card) -> dict[str, list[str]]:
    """Return the sample values the question names, by column name; longer values win over their parts."""
    low, stems = question.lower(), f" {' '.join(words(question))} "
    found: list[tuple[str, str]] = []
    for column in card.columns:
        if column.numeric or column.temporal or column.type == "boolean":
            continue
        for sample in dict.fromkeys(column.samples):
            if _stands_in(sample.lower(), low) or _inflected(sample, stems):
                found.append((column.name, sample))
    kept = [
        (name, value)
        for name, value in found
        if not any(value != other and value.lower() in other.lower() for _, other in found)
    ]
    result: dict[str, list[str]] = {}
    taken: set[str] = set()
    for name, value in kept:
        if value not in taken or name in result:
            result.setdefault(name, []).append(value)
            taken.add(value)
    return result


def _stands_in(value: str, text: str) -> bool:
    if len(value) < 2 and not re.search(
        rf"\b(?:chamber|tool|lot|line|type|grade|class|zone|腔|腔体) {re.escape(value)}\b|"
        rf"\b{re.escape(value)} ?腔",
        text,
    ):
        return False
    if is_cjk(value):
        return value in text
    return re.search(rf"(?<![A-Za-z0-9-]){re.escape(value)}(?![A-Za-z0-9-])", text) is not None


def _inflected(value: str, stems: str) -> bool:
    """Say whether the question says a value in another form: "gaskets" for "gasket"."""
    mine = words(value)
    plain = value.replace(" ", "").isalpha() and value.isascii() and len(value) > 3
    return plain and not all(is_stopword(word) for word in mine) and f" {' '.join(mine)} " in stems


def ranked(question: str, cards: Sequence[Card]) -> list[Card]:
    """Return the cards the question may speak of, by values, columns and titles, the likeliest first."""
    asked = set(words(question))
    rated: list[tuple[float, Card]] = []
    for place, card in enumerate(cards):
        score = 2.0 * sum(len(v) for v in named_values(question, card).values())
        score += sum(says(asked, column.name) for column in card.columns if says(asked, column.name) >= 0.5)
        values = {
            word
            for found in named_values(question, card).values()
            for value in found
            for word in words(value)
        }
        title = {word for word in content_words(card.title) if word.isalpha() and word not in values}
        score += 1.0 * len(asked & title)
        counted = _COUNTED.search(question)
        if counted:
            thing = set(content_words(counted.group(1) or counted.group(2)))
            named = {word for column in card.columns for word in content_words(column.name)}
            score += 2.5 if thing & named else 1.5 if thing & title else 0.0
        score += 0.01 * (len(cards) - place)
        if score >= 0.6:
            rated.append((score, card))
    return [card for _, card in sorted(rated, key=lambda each: -each[0])]
