"""The states of a plan's part, as a reader sees them: a word, a colour and an icon."""

from typing import NamedTuple

from core.i18n.messages import Message, mark
from core.ui.shared import display_text


class PartState(NamedTuple):
    """How a state is shown."""

    word: Message
    colour: display_text.Colour
    icon: str


STATES = {
    "waiting": PartState(mark("waits"), "gray", ":material/radio_button_unchecked:"),
    "running": PartState(mark("working …"), "blue", ":material/pending:"),
    "found": PartState(mark("found"), "green", ":material/check_circle:"),
    "missing": PartState(mark("not found"), "orange", ":material/help:"),
    "failed": PartState(mark("failed"), "red", ":material/error:"),
    "left": PartState(mark("not finished"), "gray", ":material/radio_button_unchecked:"),
    "joined": PartState(mark("not asked by itself"), "gray", ":material/join:"),
    "forecast": PartState(mark("told by the forecast"), "gray", ":material/trending_up:"),
    "sides": PartState(mark("told by its sides"), "gray", ":material/compare_arrows:"),
}
