"""Schema cards read back: tables, columns, sample values, and which of them a question speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.language import content_words, is_cjk, words
from core.llm.extractive.lexicon import synonyms

_HEAD = re.compile(r'^TABLE ("(?:[^"]|"")+"):? ?(.*?)(?: \((\d+) rows\))?$')
_COLUMN = re.compile(r'^- ("(?:[^"]|"")+") (\w+)(?: \[([^\]]*)\])?:? ?(.*)$')
_SAMPLE = re.compile(r"\s*'((?:[^'])*)'(?:,|$)|([^,]+)")


_COUNTED = re.compile(
    r"\b(?:how many|number of|count of|average|total|mean|highest|lowest|most|least)\s+"
    r"((?:[a-z][\w-]*\s?){1,2})"
    r"|(?:多少次|多少个|几次|平均|总|最[高低多少大小长短](?:的)?)([\u4e00-\u9fff]{2,4})",
    re.IGNORECASE,
)


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
    told = sum(
        1.0 if word in question_words else (0.7 if not synonyms(word).isdisjoint(question_words) else 0.0)
        for word in mine
    )
    return told / len(mine)


def named_values(question: str, card: Card) -> dict[str, list[str]]:
    """Return the sample values the question names, by column name; longer values win over their parts."""
    low = question.lower()
    found: list[tuple[str, str]] = []
    for column in card.columns:
        if column.numeric or column.temporal or column.type == "boolean":
            continue
        for sample in dict.fromkeys(column.samples):
            if _stands_in(sample.lower(), low):
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


def choose(question: str, cards: Sequence[Card]) -> Card | None:
    """Return the card the question speaks of most: by its values, its columns and its title."""
    asked = set(words(question))
    best, most = None, 0.0
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
        if score > most:
            best, most = card, score
    return best if most >= 0.6 else None
