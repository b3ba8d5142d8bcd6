"""Units of measurement in the headers of tables."""

import re
from collections.abc import Iterable

from core.text.word_lists import word_file, word_list

_KNOWN = word_list("units", "known")
_NOTE = re.compile(r"\(([a-z])\)$")
_INNER = re.compile(r"[(\[（【](?P<unit>[^()\[\]（）【】]{1,20})[)\]）】]\s")
_WORDS = word_list("units", "word")
_BRACKETED = re.compile(r"^(?P<name>.*\S)\s*[(\[（【](?P<unit>[^()\[\]（）【】]{1,20})[)\]）】]\s*$", re.S)
_SEPARATED = re.compile(r"^(?P<name>.*\S)\s*(?:/|,|;)\s+(?P<unit>\S{1,12})$", re.S)
_TRAILING = re.compile(r"^(?P<name>.*\w)\s*(?P<unit>%|％|℃|°C|°F)$", re.S)
_QUOTIENT = re.compile(r"^(?P<name>.*[^\W\d])\s+(?P<unit>[^\s/]+(?:/[^\s/]+)+)$", re.S)
_LAST = re.compile(r"(?<=[^\W_])[_ ](?P<unit>[A-Za-zµμ°Å%]+)$")
_PER = re.compile(
    r"(?<=[^\W_])_(?P<over>[a-zµμ]{1,3}[23]?)_(?:per_)?(?P<under>[a-z]{1,5}[23]?)$", re.IGNORECASE
)
_CERTAIN_UNITS = word_list("units", "certain")
_OVER, _UNDER = word_list("units", "over"), word_list("units", "under")
_BESIDE: dict[str, list[str]] = word_file("units")["beside"]  # unit: quantity it stands behind, spelling
_ATOMS = re.compile(r"[·*/×\s]|\^?[-+]?[0-9²³⁻¹]+")


def has_note_marks(headers: Iterable[str]) -> bool:
    """Say whether letters in brackets refer to notes: "(a)" is among them, or two that follow each other."""
    marks = {match[1] for header in headers if (match := _NOTE.search(header.strip()))}
    return "a" in marks or any(chr(ord(mark) + 1) in marks for mark in marks if mark < "f")


def split_unit(header: str, *, notes: bool = False) -> tuple[str, str]:
    """Return the name and the unit of a header: "Thickness (nm)" gives ("Thickness", "nm").

    With `notes` a small letter in brackets is the mark of a note.
    """
    header = " ".join(header.split())
    if notes and _NOTE.search(header):
        return header, ""
    if match := _BRACKETED.match(header):
        unit = match["unit"].strip().removeprefix("in ").strip()
        square = header.rstrip().endswith(("]", "】"))
        if _is_unit(unit) or (square and re.fullmatch(r"[^\d\s,;]\S{0,11}", unit)):
            return match["name"].strip(), unit
    if (
        (match := _SEPARATED.match(header))
        and _is_unit(match["unit"])
        and match["unit"].lower() not in _WORDS
    ):
        return match["name"].strip(), match["unit"]
    if (match := _QUOTIENT.match(header)) and _is_unit(match["unit"]):  # "Conductivity mS/cm"
        return match["name"].strip(), match["unit"]
    if match := _TRAILING.match(header):
        return match["name"].strip(), match["unit"].replace("％", "%")
    inner = [match for match in _INNER.finditer(header) if _is_unit(match["unit"].strip())]
    if len(inner) == 1:  # of a label that stands over several columns: "Life (h) longest"
        match = inner[0]
        return f"{header[: match.start()].strip()} {header[match.end() :]}".strip(), match["unit"].strip()
    return header, ""


def unit_at_end(name: str) -> str:
    """Return the unit a program's name of a quantity ends with: "depth_nm", "nitrate_mg_l", "ChuckTemp_C".

    The name keeps it, as programs refer to it. Letters that may as well number something count only
    beside the quantity they measure.
    """
    if (both := _PER.search(name)) and both["over"].lower() in _OVER and both["under"].lower() in _UNDER:
        under = "L" if both["under"] == "l" else both["under"]
        return f"{both['over']}/{under}"  # "nitrate_mg_l"
    match = _LAST.search(name)
    if match is None:
        return ""
    last, before = match["unit"], name[: match.start()].lower()
    if last.lower() in _CERTAIN_UNITS:
        return {"pct": "%", "percent": "%", "degc": "°C", "degf": "°F"}.get(last.lower(), last)
    measured = _BESIDE.get(last)
    if measured is None or not re.search(measured[0], before):
        return ""
    return measured[1]


def _is_unit(text: str) -> bool:
    """Say whether the text is a unit or a product of units ("mJ/cm²", "Ω·cm")."""
    if text.lower() in _KNOWN:
        return True
    atoms = [atom for atom in _ATOMS.split(text.lower()) if atom]
    return bool(atoms) and len(atoms) <= 4 and all(atom in _KNOWN for atom in atoms)
