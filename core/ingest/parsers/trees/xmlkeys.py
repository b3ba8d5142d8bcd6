"""XML that names its fields in an attribute is read as if the tags named them.

`<scalar dictRef="bo:mass" units="u">1.008</scalar><label dictRef="bo:name" value="Hydrogen"/>` in each of
many elements becomes `<mass units="u">1.008</mass><name>Hydrogen</name>`, and a value given in
several languages becomes one value with the others beside it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.ingest.parsers.cells import is_number
from core.ingest.parsers.trees.xmlfields import (
    MAX_VALUE_CHARACTERS,
    OTHER_LANGUAGES,
    Fields,
    attributes,
    bare,
    beside_unit,
    text_of,
    unit_of,
    without_prefix,
)
from core.ingest.parsers.trees.xmlwords import named_tag, spoken

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_KEY_CHARACTERS = 60
_MIN_ALONE = 0.8  # least share of a tag's fields whose key is unique within their element
_LOOKED_AT = 20  # values by which the kind of a field is judged
_VALUES = ("value", "val", "v", "content")  # attributes whose names say nothing of what they hold
_LANGUAGES = ("lang", "language", "locale")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_@.]\w{2,10})*")
_XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_SCHEMA_TYPE = re.compile(r"xsd?:\w+")


class _Key(NamedTuple):
    """The attribute that names the fields of one tag, and the one that holds their values ("": the text)."""

    attribute: str
    value: str


def with_named_fields(root: "_Element") -> None:
    """Give fields that an attribute names this name as their tag, and join what several languages say."""
    every = [
        element for element in root.iter() if isinstance(element.tag, str)
    ]  # kept, so that an id is not reused
    families: dict[str, dict[str, list[_Element]]] = {}
    for element in every:
        if len(element) == 0 and not text_of(element):
            _value_as_text(element)
        if (parent := element.getparent()) is not None:
            families.setdefault(str(parent.tag), {}).setdefault(str(element.tag), []).append(element)
    for children in families.values():
        _name(children)
    for element in every:
        if len(element) > 1:
            _join_languages(element)


def _value_as_text(element: "_Element") -> None:
    """Take `<mass value="5" unit="kg"/>` for `<mass unit="kg">5</mass>`."""
    keys = [key for key in beside_unit(element) if key.lower() not in _LANGUAGES]
    if len(keys) == 1 and keys[0].lower() in _VALUES:
        _take_value(element, keys[0])


def _take_value(element: "_Element", name: str) -> None:
    for key in element.attrib:
        if bare(key) == name:
            element.text = element.attrib.pop(key)
            return


# -- fields that an attribute names ----------------------------------------------------------------


def _name(children: dict[str, list["_Element"]]) -> None:
    """Rename the fields of all elements of one kind, `children` by their tag."""
    found = {tag: key for tag, fields in children.items() if (key := _key(fields)) is not None}
    by_attribute: dict[str, dict[str, dict[str, list[_Element]]]] = {}
    for tag, key in found.items():
        by_name = by_attribute.setdefault(key.attribute, {}).setdefault(tag, {})
        for field in children[tag]:
            by_name.setdefault(attributes(field)[key.attribute], []).append(field)
    for attribute, tags in by_attribute.items():
        alike = (
            len({_kind(fields, found[tag]) for tag, by_name in tags.items() for fields in by_name.values()})
            == 1
        )
        often = Counter(name for by_name in tags.values() for name in by_name)
        for tag, by_name in tags.items():
            for name, fields in by_name.items():
                # Where all values are of one kind the tag says which: "phone home", "score maths".
                whose = f"{bare(tag)} " if alike or often[name] > 1 or bare(name) in children else ""
                _rename(fields, found[tag], f"{whose}{without_prefix(name, fields[0])}", attribute)


def _key(fields: Sequence["_Element"]) -> _Key | None:
    """Return the attribute that names the fields of one tag, None where these are records of one kind."""
    parents = Counter(id(field.getparent()) for field in fields)
    if len(parents) < 2 or len(parents) == len(fields) or any(map(len, fields)):
        return None
    units = {unit_of(field) for field in fields}
    if len(units) == 1 and units != {""}:
        return None  # amounts in one unit are a list
    beside = [beside_unit(field) for field in fields]
    common = [key for key in beside[0] if all(key in each for each in beside)]
    for attribute in common:
        if attribute.lower() in (*_LANGUAGES, *_VALUES) or not _distinguishes(fields, beside, attribute):
            continue
        value = _value(fields, beside, attribute, common)
        if value is not None:
            return _Key(attribute, value)
    return None


def _distinguishes(fields: Sequence["_Element"], beside: Sequence[Fields], attribute: str) -> bool:
    """Say whether an attribute is a name that differs within an element and comes back in others."""
    names = {each[attribute] for each in beside}
    worded = sum(any(map(str.isalpha, name)) and len(name) <= _MAX_KEY_CHARACTERS for name in names)
    if len(names) < 2 or worded < len(names) or 2 * len(names) > len(fields):
        return False
    within = Counter(
        (id(field.getparent()), each[attribute], _language(field))
        for field, each in zip(fields, beside, strict=True)
    )
    return sum(often == 1 for often in within.values()) >= _MIN_ALONE * len(fields)


def _value(
    fields: Sequence["_Element"], beside: Sequence[Fields], attribute: str, common: Sequence[str]
) -> str | None:
    """Return what holds the values: "" the text, or an attribute that says nothing of what it holds."""
    if any(map(text_of, fields)):
        return ""
    others = [key for key in common if key != attribute]
    named = next((key for key in others if key.lower() in _VALUES), None)
    if named or len(others) != 1 or any(len(each) != 2 for each in beside):
        return named
    kinds: dict[str, set[bool]] = defaultdict(set)
    for each in beside:
        kinds[each[attribute]].add(is_number(each[others[0]]))
    return others[0] if len(set(map(frozenset, kinds.values()))) > 1 else None


def _kind(fields: Sequence["_Element"], key: _Key) -> tuple[bool, str]:
    """Return whether the values of a field are numbers, and in which unit."""
    values = [attributes(field).get(key.value, "") if key.value else text_of(field) for field in fields]
    filled = [value for value in values if value][:_LOOKED_AT]
    return 2 * sum(map(is_number, filled)) > len(filled), unit_of(fields[0])


def _rename(fields: Sequence["_Element"], key: _Key, name: str, attribute: str) -> None:
    for field in fields:
        if key.value:
            _take_value(field, key.value)
        for own in list(field.attrib):
            if bare(own) == attribute or _SCHEMA_TYPE.fullmatch(str(field.attrib[own])):
                del field.attrib[own]
        field.tag = named_tag(name)


# -- the same in several languages -----------------------------------------------------------------


def _language(field: "_Element") -> str:
    """Return the code of the language that a field says it is written in."""
    code = field.get(_XML_LANGUAGE) or next(
        (value for key, value in attributes(field).items() if key.lower() in _LANGUAGES), ""
    )
    return code if _LANGUAGE.fullmatch(code) else ""


def _join_languages(parent: "_Element") -> None:
    """Keep of a value that is given in several languages one, and the others in a field behind it."""
    for variants in _variants(parent):
        main = next(
            (each for each in variants if not _language(each)),
            next((each for each in variants if _language(each).lower().startswith("en")), variants[0]),
        )
        others = [f"{_language(each)} {text_of(each)}" for each in variants if each is not main]
        beside = main.makeelement(named_tag(f"{spoken(bare(main.tag))}{OTHER_LANGUAGES}"))
        beside.text, beside.sourceline = "; ".join(others), main.sourceline
        main.addnext(beside)
        for each in variants:
            if each is not main:
                parent.remove(each)


def _variants(parent: "_Element") -> Iterator[list["_Element"]]:
    """Yield the short values of one tag that differ in nothing but their language."""
    groups: dict[tuple[object, ...], list[_Element]] = {}
    for child in parent:
        if isinstance(child.tag, str) and len(child) == 0 and not (child.tail or "").strip():
            rest = {key: value for key, value in attributes(child).items() if key.lower() not in _LANGUAGES}
            groups.setdefault((child.tag, *sorted(rest.items())), []).append(child)
    for group in groups.values():
        languages = {_language(each) for each in group}
        short = all(0 < len(text_of(each)) <= MAX_VALUE_CHARACTERS for each in group)
        if len(group) > 1 and len(languages) == len(group) and short:
            yield group
