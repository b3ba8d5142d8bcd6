"""Whether what the OCR network reads in a line may be what is written there.

In a script it was not trained on it reads a few characters or none: far fewer than the line is long.
"""

from core.ingest.parsers.draft import Draft
from core.text.tokens import IS_CJK

_MIN_ASPECT = 5.0  # width by height of a box that surely holds a line
_MIN_HEIGHT_PIXELS = 14  # of one that could be read
_SURE = 0.95  # of a reading that is taken as it is
_MIN_FILLED = 0.5  # of the length of a line that its letters take
_LETTER_WIDTH = 0.5  # in heights of the line; a Chinese character is as wide as high


def is_legible(text: str, score: float, width: int, height: int) -> bool:
    """Say whether a text read in a box (pixels) with this certainty may be all that stands there."""
    filled = sum(1.0 if IS_CJK.match(sign) else _LETTER_WIDTH for sign in text.strip()) * height
    return score >= _SURE or width < _MIN_ASPECT * height or filled >= _MIN_FILLED * width


def is_line(width: int, height: int) -> bool:
    """Say whether a box (pixels) surely holds a line of text, read or not."""
    return width >= _MIN_ASPECT * height and height >= _MIN_HEIGHT_PIXELS


def note_illegible(draft: Draft, lines: int) -> None:
    """Say how many lines of a document's pictures could not be read."""
    if lines:
        draft.skipped.append(
            f"Lines in pictures that could not be read, perhaps of a script the OCR does not know: {lines}."
        )
