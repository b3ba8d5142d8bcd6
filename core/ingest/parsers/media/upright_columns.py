"""Chinese and Japanese set from the top to the bottom: lines of it are columns, the first at the right."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.ingest.parsers.media.ocr import OcrLine

_SIGNS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_MIN_SIGNS, _MIN_SHARE = 4, 0.8  # signs of a column, of its signs are Chinese or Japanese
_MIN_HEIGHT = 3.0  # widths


def with_upright_columns(lines: Sequence["OcrLine"], shape: float) -> list["OcrLine"]:
    """Return lines with the upright columns among them, two or more, as one in their reading order.

    `shape` is the picture's width by its height.
    """
    upright = [line for line in lines if _is_upright(line, shape)]
    if len(upright) < 2:
        return list(lines)
    text = "".join(line.text for line in sorted(upright, key=lambda line: -line.x1))
    whole = upright[0]._replace(
        text=text,
        x0=min(line.x0 for line in upright),
        y0=min(line.y0 for line in upright),
        x1=max(line.x1 for line in upright),
        y1=max(line.y1 for line in upright),
    )
    first = next(at for at, line in enumerate(lines) if line in upright)
    rest = [line for line in lines if line not in upright]
    return [*rest[:first], whole, *rest[first:]]


def _is_upright(line: "OcrLine", shape: float) -> bool:
    signs = len(_SIGNS.findall(line.text))
    if signs < max(_MIN_SIGNS, _MIN_SHARE * len(line.text)):
        return False
    return line.y1 - line.y0 > _MIN_HEIGHT * (line.x1 - line.x0) * shape
