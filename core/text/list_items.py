"""Items of a list in running text: lines that begin with a mark, a number or a box."""

import re

ITEM = re.compile(
    r"^\s*(?:[-*•·▪‣–—]\s(?!\s*[-–—])|\d{1,3}[.)、]\s?|[a-zA-Z][.)]\s|[（(]\d+[)）]|[☐☑☒✓✔]\s?)"
)
_COLONS = (":", "：")


def is_list(text: str) -> bool:
    """Say whether the text is mostly a list: two items or more."""
    return sum(ITEM.match(line) is not None for line in text.split("\n")) >= 2


def ends_in_list(text: str) -> bool:
    """Say whether the last line is an item, continues one, or leads to a list by a colon."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return False
    behind = len(lines) - 1
    while behind and lines[behind][:1].isspace() and not ITEM.match(lines[behind]):
        behind -= 1
    return ITEM.match(lines[behind]) is not None or lines[-1].rstrip().endswith(_COLONS)


def leading_items(text: str) -> list[str]:
    """Return the items that a text begins with, each on one line; a line that is indented continues the
    item before it."""
    items: list[str] = []
    for line in filter(str.strip, text.split("\n")):
        if ITEM.match(line):
            items.append(" ".join(line.split()))
        elif items and line[:1].isspace():
            items[-1] += f" {' '.join(line.split())}"
        else:
            break
    return items
