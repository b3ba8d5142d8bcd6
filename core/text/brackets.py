"""Brackets of a text, and pieces cut from it that hold both signs of a bracket or none."""

PARENTHESISED = r"[(（][^()（）]*[)）]"  # a pattern: round brackets of either width with what is inside
CLOSING = {"(": ")", "（": "）", "[": "]", "【": "】", "《": "》", "「": "」", "“": "”"}
_WIDTHS = str.maketrans("（）", "()")  # a bracket may open in one width and close in the other
MAX_REST_CHARACTERS = 40  # up to which the rest of a bracket is taken into a piece that ends in it


def bracket_pairs(text: str) -> list[tuple[int, int]]:
    """Return where brackets open and close, inner ones first; a sign without its other is left out."""
    open_ones: list[int] = []
    pairs: list[tuple[int, int]] = []
    for at, sign in enumerate(text):
        if sign in CLOSING:
            open_ones.append(at)
        elif open_ones and CLOSING[text[open_ones[-1]]].translate(_WIDTHS) == sign.translate(_WIDTHS):
            pairs.append((open_ones.pop(), at))
    return pairs


def with_whole_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the piece [start, end) with no bracket cut: "ESC" of "ESC) of chamber B", "chuck (ESC)" of
    "chuck (ES"."""
    for opens, closes in bracket_pairs(text):
        if opens < start <= closes < end:
            inside = any(sign.isalnum() for sign in text[start:closes])
            start, end = (start, closes) if inside else (closes + 1, end)
        elif opens == start and closes >= end:
            start += 1
        elif start < opens < end <= closes:
            short = closes - end <= MAX_REST_CHARACTERS and "\n" not in text[end:closes]
            end = closes + 1 if short else opens
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
