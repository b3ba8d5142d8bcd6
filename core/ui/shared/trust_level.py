"""How far an answer may be trusted, computed from its sentences: never better than what was checked."""

from typing import NamedTuple

from core.domain import Outcome, Report, Sentence, Support
from core.i18n.escaping import Safe, layout
from core.i18n.messages import Message, mark, tn
from core.ui.shared import display_text

ANSWERED = (Outcome.ANSWER, Outcome.CAVEAT, Outcome.CONFLICT, Outcome.GAP)
SUPPORTS: dict[Support, tuple[Message, display_text.Colour]] = {
    Support.SUPPORTED: (mark("supported"), "green"),
    Support.CONTRADICTED: (mark("contradicted"), "red"),
    Support.MISSING: (mark("not supported"), "gray"),
}
COMPUTED: tuple[Message, display_text.Colour] = (mark("computed from the cited figures"), "green")


def of_sentence(sentence: Sentence) -> tuple[Message, display_text.Colour]:
    """Return how a sentence stands: borne out by what it cites, computed from it, or not."""
    return COMPUTED if sentence.made == "computed" else SUPPORTS[sentence.support]


class SupportStatus(NamedTuple):
    """A word with its colour and meaning, and how many sentences the sources bear out ("" where none are)."""

    word: Message
    colour: display_text.Colour
    meaning: Message
    counted: Safe
    sound: bool  # every sentence is supported


def of(report: Report) -> SupportStatus:
    """Say in a word and a count how the report stands."""
    word, colour, meaning = display_text.OUTCOMES[report.outcome]
    total = len(report.sentences)
    supported = sum(sentence.support is Support.SUPPORTED for sentence in report.sentences)
    if report.outcome not in ANSWERED or not total:
        return SupportStatus(word, colour, meaning, layout(""), sound=False)
    sound = supported == total
    if report.outcome is Outcome.ANSWER and not sound:
        word, colour, meaning = display_text.OUTCOMES[Outcome.CAVEAT]
    counted = tn(
        "{supported} of {n:,} sentence supported",
        "{supported} of {n:,} sentences supported",
        total,
        supported=supported,
    )
    return SupportStatus(word, colour, meaning, counted, sound)
