"""The fields of an XML element: its attributes, its short values, and the layout its siblings share."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from core.ingest.parsers.trees.xmlwords import local_name, spoken

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_REPEATED_CHARACTERS = 32  # characters; a longer value of a parent is written once, not in every row
MAX_VALUE_CHARACTERS = 200  # characters; a longer leaf is a text, not a value
_UNITS = ("unit", "units", "uom", "unitofmeasure")
NAMES = ("id", "name", "title", "label", "number", "no", "key", "code", "type")
OTHER_LANGUAGES = " in other languages"  # behind the name of a field that holds what they say
_LISTED = re.compile(r"; |, ")
Fields = dict[str, str]


def bare(tag: object) -> str:
    """Return a name without its namespace."""
    return local_name(str(tag))


def attributes(element: "_Element") -> Fields:
    """Return the attributes of an element without the reserved ones of XML ("xml:lang")."""
    return {
        bare(key): str(value).strip()
        for key, value in element.attrib.items()
        if str(value).strip() and not str(key).startswith("{http://www.w3.org/")
    }


def label(element: "_Element", fields: Fields, naming: str = "") -> str:
    """Return what an element is called: its tag and the value that names it, that of `naming` if given."""
    lower = {key.lower(): value for key, value in fields.items()}
    named = fields.get(naming) or next((lower[key] for key in NAMES if key in lower), "")
    return f"{spoken(bare(element.tag))} {named}".strip()


def own_fields(element: "_Element") -> Fields:
    """Return the attributes of an element and the plain values under it, those of one name as a list."""
    groups: dict[str, list[_Element]] = {}
    for child in element:
        if isinstance(child.tag, str):
            groups.setdefault(child.tag, []).append(child)
    fields = attributes(element)
    for tag, group in groups.items():
        if all(len(child) == 0 and text_of(child) and not beside_unit(child) for child in group):
            value = listed(map(_with_unit, group))
            if len(value) <= MAX_VALUE_CHARACTERS:
                fields.setdefault(bare(tag), value)
    return fields


def is_field(child: "_Element", fields: Fields) -> bool:
    """Say whether a child is one of its element's own fields, or one of the values of such a field."""
    if len(child) or not text_of(child):
        return False
    field_value, value = fields.get(bare(child.tag), ""), _with_unit(child)
    return field_value == value or value in _LISTED.split(field_value)


def _with_unit(child: "_Element") -> str:
    return f"{text_of(child)} {unit_of(child)}".strip()


def prefixed(element: "_Element", naming: str = "") -> Fields:
    """Return an element's own short values, and that of the field `naming`, under names that say whose they
    are."""
    tag = bare(element.tag)
    return {
        f"{tag} {key}": value
        for key, value in own_fields(element).items()
        if key == naming or (len(value) <= MAX_REPEATED_CHARACTERS and not key.endswith(OTHER_LANGUAGES))
    }


class Shape:
    """How records of one kind are laid out: which values come in lists, which have one unit throughout."""

    def __init__(self, items: Sequence["_Element"]) -> None:
        self.listed: set[str] = set()
        units: dict[str, set[str]] = {}
        for item in items:
            counts = Counter(bare(child.tag) for child in item if isinstance(child.tag, str))
            self.listed |= {tag for tag, often in counts.items() if often > 1}
            for child in item:
                if isinstance(child.tag, str):
                    units.setdefault(bare(child.tag), set()).add(unit_of(child))
        self.units = {tag: next(iter(seen)) for tag, seen in units.items() if len(seen) == 1}

    def fields(self, item: "_Element") -> Iterator[tuple[str, str]]:
        """Yield the values of a record by the name of their column."""
        yield from attributes(item).items()
        lists: dict[str, list[str]] = {}
        for child in item:
            if not isinstance(child.tag, str):
                continue
            tag, text = bare(child.tag), text_of(child)
            if tag in self.listed:
                lists.setdefault(tag, []).append(field_text(child))
                continue
            if len(child):
                inner = Shape([child]).fields(child)
                yield from ((f"{tag} {key}", value) for key, value in inner)
                continue
            unit = self.units.get(tag, "")
            if text:
                yield f"{tag} ({unit})" if unit else tag, text
            rest = attributes(child) if not unit else beside_unit(child)
            yield from ((f"{tag} {key}", value) for key, value in rest.items())
        for tag, values in lists.items():
            if any(values):
                yield tag, listed(filter(None, values))
        if not len(item) and text_of(item):
            yield bare(item.tag), text_of(item)


def listed(values: Iterable[str]) -> str:
    """Return values as one, parted so that none falls apart."""
    every = list(values)
    return ("; " if any("," in value for value in every) else ", ").join(every)


def field_text(element: "_Element") -> str:
    """Return a leaf as one phrase: its name, its text and unit, then what else it says of itself."""
    fields = beside_unit(element)
    name = next((fields.pop(key) for key in tuple(fields) if key.lower() in NAMES), "")
    more = ", ".join(f"{spoken(key)} {value}" for key, value in fields.items())
    return " ".join(filter(None, [name, text_of(element), unit_of(element), f"({more})" if more else ""]))


def unit_of(element: "_Element") -> str:
    """Return the unit that an element gives, without the prefix of a namespace that the file declares."""
    unit = next((value for key, value in attributes(element).items() if key.lower() in _UNITS), "")
    return without_prefix(unit, element)


def without_prefix(name: str, element: "_Element") -> str:
    """Return a name without the prefix of a namespace that is declared where an element stands."""
    prefix, _, local = name.partition(":")
    return local if local and prefix in element.nsmap else name


def beside_unit(element: "_Element") -> Fields:
    return {key: value for key, value in attributes(element).items() if key.lower() not in _UNITS}


def text_of(element: "_Element") -> str:
    return " ".join((element.text or "").split())
