"""Patents in XML of WIPO Standard ST.32: its codes are given the names that WIPO Standard ST.9 gives them.

Such a file has no words for what it says: each text lies in an element for plain data, each field of the
first page in one named by its INID code ("B731" is the assignee, code 73).
"""

import re
from typing import TYPE_CHECKING

from core.ingest.parsers.trees.xmlwords import line_of, named_tag, tag_of, words

if TYPE_CHECKING:
    from lxml.etree import _Element

_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)")
_PLAIN = ("PDAT", "STEXT")  # the inner one first
_MAX_FIELD_CHARACTERS = 300
_PARTS = {"SDOAB": "Abstract", "SDODE": "Description", "SDOCL": "Claims"}
_FIELDS = {
    "B110": "Number of the patent",
    "B130": "Kind of document",
    "B140": "Date of publication",
    "B190": "Publishing country",
    "B210": "Application number",
    "B220": "Filing date",
    "B310": "Priority application number",
    "B320": "Priority date",
    "B330": "Priority country",
    "B511": "International classification",
    "B521": "National classification",
    "B522": "Further national classification",
    "B540": "Title of the invention",
    "B561": "Cited patent",
    "B562": "Cited literature",
    "B577": "Number of claims",
    "B578US": "Exemplary claim",
    "B582": "Field of search",
    "B595": "Number of drawing sheets",
    "B596": "Number of figures",
    "B680US": "Provisional application",
    "B711": "Applicant",
    "B721": "Inventor",
    "B731": "Assignee",
    "B741": "Attorney or agent",
    "B746": "Primary examiner",
    "B747": "Assistant examiner",
    "B748US": "Art unit",
}


def is_patent(root: "_Element") -> bool:
    """Say whether the tree is a patent of ST.32."""
    return tag_of(root) == "PATDOC"


def title_of(root: "_Element") -> str:
    """Return the title of the invention, with the patent's number."""
    found = {name: words(part) for name in ("B540", "B110", "B190") for part in root.iter(name)}
    number = f"{found.get('B190', '')} {found.get('B110', '').lstrip('0')}".strip()
    return f"{found.get('B540', '')} ({number})" if number else found.get("B540", "")


def name_parts(root: "_Element") -> None:
    """Change the tree: fields with their names and values, parts and headings as other articles have them."""
    from lxml import etree

    for tag in _PLAIN:
        etree.strip_tags(root, tag)
    for element in list(root.iter(*_FIELDS)):
        value = _value(element)
        if len(value) > _MAX_FIELD_CHARACTERS:
            continue
        for child in list(element):
            element.remove(child)
        element.text, element.tag = value, named_tag(_FIELDS[tag_of(element)])
    for element in root.iter("H"):
        element.tag = "heading"
    for tag, name in _PARTS.items():
        for part in root.iter(tag):
            heading = etree.Element("heading")
            heading.text, heading.sourceline = name, line_of(part)[0] + 1
            part.insert(0, heading)


def _value(element: "_Element") -> str:
    """Return what a field says: names of a person as one, dates as they are written, the rest by commas."""
    parts: list[str] = []
    for each in element.iter():
        if not tag_of(each) or any(map(tag_of, each)):
            continue  # an entity, or what holds others
        text, before = words(each), each.getprevious()
        if tag_of(each) == "DATE":
            text = _DATE.sub(_written, text)
        if tag_of(each) == "SNM" and before is not None and tag_of(before) == "FNM":
            parts[-1] += f" {text}"
        else:
            parts.append(text)
    return ", ".join(filter(None, parts))


def _written(date: re.Match[str]) -> str:
    """Return a date as ISO 8601 writes it, as far as it is given: the file writes a missing day as "00"."""
    return "-".join(part for part in date.groups() if part != "00")
