"""Antonyms: "highest" and "maximum" stand at one pole of size, "lowest" and "minimum" at the other."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from core.text.quantities import ENGLISH_NUMBERS
from core.text.tokens import words

_FIGURE = rf"(?:an? |of |the )?[$€£¥]?\s?(?:\d|{'|'.join(ENGLISH_NUMBERS[:10])})"
_BOUNDS = {  # a figure stands behind them: "under the lid" bounds nothing
    "size more": re.compile(
        r"\b(?:up to|at most|not? more than|not exceed(?:s|ing)?|less than|under|below|within|bis zu"
        rf"|höchstens|weniger als|jusqu['’]à|au plus|moins de) {_FIGURE}"
        r"|(?:不超过|至多|少于)\s?\d|\d\S{0,4}(?:以内|以下)"
    ),
    "size less": re.compile(
        r"\b(?:at least|not? less than|more than|over|above|mindestens|mehr als|über|au moins|plus de)"
        rf" {_FIGURE}|(?:至少|不少于|多于|(?<!不)超过)\s?\d|\d\S{{0,4}}以上"
    ),
}

# "what does it mean" asks for no mean
_TO_MEAN = re.compile(
    r"\bmean(?:s|ings?)\b|\b(?:do|does|did)\b[^.?!]{0,80}?\bmean\b(?=\s*(?:[?.!,;)]|$))"
    r"|\b(?:to|not|it|they|this|that|which|you|we|would|will|can|may|might) mean\b",
    re.IGNORECASE,
)

FILE = Path(__file__).parent / "opposites.toml"


def poles(text: str, *kinds: str) -> frozenset[str]:
    """Return the poles the words of a text stand at, of some kinds only (tables of the file) if named."""
    text_words = words(_TO_MEAN.sub(" ", text))
    found = frozenset(pole for word in text_words if (pole := pole_of(word)) is not None)
    return frozenset(pole for pole in found if pole.split()[0] in kinds) if kinds else found


def bounds(text: str) -> frozenset[str]:
    """Return the poles of size that the bounds of a text stand at: "up to 5 %" says how much at most."""
    low = text.lower()
    return frozenset(pole for pole, pattern in _BOUNDS.items() if pattern.search(low))


def pole_of(word: str) -> str | None:
    """Return "kind side" of a word as `words` gives it, None for a word without an opposite."""
    return _opposites().get(word)


@lru_cache(maxsize=1)
def _opposites() -> dict[str, str]:
    table = tomllib.loads(FILE.read_text("utf-8"))
    return {
        key: f"{name} {side}"
        for name, sides in table.items()
        for side, side_words in sides.items()
        for word in side_words
        for key in words(word)
    }
