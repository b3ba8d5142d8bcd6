"""What stands on a page of a PDF or of a picture: words, links, areas, and what was read in its pictures."""

from dataclasses import dataclass
from typing import NamedTuple

from core.ingest.parsers.pdf.tables.grids import RulingLine


class PageWord(NamedTuple):
    """A word; edges in points from the top left of the page as displayed."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    upright: bool = True
    typed: bool = False  # in a font of one pitch
    cut: bool = False  # the line ended within it: the rest stands on the next one

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


class PageLink(NamedTuple):
    """A link's target and area."""

    target: str
    x0: float
    y0: float
    x1: float
    y1: float


class Area(NamedTuple):
    """A rectangle in points from the top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    def contains(self, word: PageWord) -> bool:
        """Say whether the middle of the word lies inside."""
        return self.x0 <= (word.x0 + word.x1) / 2 <= self.x1 and self.y0 <= word.middle <= self.y1

    def is_near(self, other: "Area", apart: float = 0.0) -> bool:
        """Say whether the areas overlap, or are at most so many points apart."""
        beside = max(self.x0, other.x0) - min(self.x1, other.x1) <= apart
        return beside and max(self.y0, other.y0) - min(self.y1, other.y1) <= apart

    def with_(self, other: "Area") -> "Area":
        """Return the area that holds both."""
        low = (min(a, b) for a, b in zip(self[:2], other[:2], strict=True))
        return Area(*low, *(max(a, b) for a, b in zip(self[2:], other[2:], strict=True)))

    @property
    def size(self) -> float:
        return (self.x1 - self.x0) * (self.y1 - self.y0)


class Region(NamedTuple):
    """A picture inside a page and the words read in it."""

    area: Area
    words: tuple[PageWord, ...]


@dataclass(frozen=True)
class Page:
    """What stands on a page, sizes in points as displayed."""

    number: int
    width: float
    height: float
    words: tuple[PageWord, ...]
    links: tuple[PageLink, ...]
    images: tuple[Area, ...]
    rulings: int  # straight lines and thin boxes drawn on it
    edges: tuple[RulingLine, ...] = ()  # their lines, where they are enough for a table
    drawn: tuple[Area, ...] = ()  # its paths, the first of many
    regions: tuple[Region, ...] = ()  # what was read in its pictures
    comments: tuple[tuple[str, Area], ...] = ()
    hidden: tuple[PageWord, ...] = ()  # words nobody sees on it
    without_unicode: int = 0  # letters of words left out, since their font does not tell which they are
