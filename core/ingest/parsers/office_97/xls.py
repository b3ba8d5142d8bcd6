"""Workbooks of Excel 97 to 2003, through xlrd."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain import Cell, Parsed
from core.errors import DamagedFile, EncryptedFile
from core.ingest.parsers.cells import plain
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.office.sheet_areas import Merge
from core.ingest.parsers.office.sheets import read_sheet, with_unit
from core.ingest.parsers.office_97.biff_cells import sheets_of_records
from core.ingest.parsers.skipped_parts import Part


@dataclass(frozen=True)
class OldWorkbookParser:
    """Reads .xls."""

    media_types: tuple[str, ...] = ("application/vnd.ms-excel",)

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        import xlrd

        draft = Draft(name, media_type)
        try:
            book = _opened(path)
        except xlrd.XLRDError as error:
            if "encrypted" in str(error).lower() or "password" in str(error).lower():
                raise EncryptedFile(f"{name} is protected by a password.") from error
            return _by_records(draft, path, str(error))
        except (*_ODD, *_TORN, xlrd.compdoc.CompDocError) as error:  # xlrd says so of damage
            return _by_records(draft, path, f"{type(error).__name__}: {error}")
        draft.title = Path(name).stem
        draft.pages = book.nsheets
        draft.metadata["author"] = book.user_name or ""
        for number, called in enumerate(book.sheet_names()):
            with Part(draft, f"Sheet {called}"):
                sheet = _sheet(path, book, number)
                rows = [[_value(book, cell) for cell in sheet.row(y)] for y in range(sheet.nrows)]
                merges = [
                    Merge(top, left, bottom - 1, right - 1) for top, bottom, left, right in sheet.merged_cells
                ]
                read_sheet(draft, sheet.name, rows, merges)
        book.release_resources()
        if draft.blocks or not any(sheets_of_records(path)):
            return draft.parsed()
        return _by_records(draft, path, "; ".join(draft.skipped[:1]) or "its list of sheets is damaged")


def _by_records(draft: Draft, path: Path, reason: str) -> Parsed:
    """Read what cells are found of a workbook that cannot be opened as a whole, or of whose sheets none can.

    Raises DamagedFile where there are none.
    """
    found = Draft(draft.name, draft.media_type)
    found.title = Path(draft.name).stem
    for called, rows in sheets_of_records(path):
        found.pages += 1
        with Part(found, f"Sheet {called}"):
            read_sheet(found, called, rows, [])
    if not found.blocks:
        raise DamagedFile(f"{draft.name} is not a workbook that can be read ({reason}).")
    found.skipped.append(f"Only its cells could be read, without their formats: {reason}")
    return found.parsed()


_ODD = (
    NotImplementedError,
    AssertionError,
    IndexError,
    KeyError,
)  # what xlrd says of formats it does not know


_TORN = (struct.error, TypeError, ValueError, RecursionError)  # and of one that is damaged


def _opened(path: Path) -> Any:
    """Open a workbook with its formats, which tell merged cells and percent; without where they are odd.

    Its sheets are read one by one, so that a damaged one costs no other.
    """
    import io

    import xlrd

    quiet = io.StringIO()
    try:
        return xlrd.open_workbook(path, formatting_info=True, on_demand=True, logfile=quiet)
    except _ODD:
        return xlrd.open_workbook(path, formatting_info=False, on_demand=True, logfile=quiet)


def _sheet(path: Path, book: Any, number: int) -> Any:
    """Return a sheet, without its formats where they are odd."""
    import io

    import xlrd

    try:
        return book.sheet_by_index(number)
    except _ODD:
        plainly = xlrd.open_workbook(path, formatting_info=False, on_demand=True, logfile=io.StringIO())
        try:
            return plainly.sheet_by_index(number)
        finally:
            plainly.release_resources()


def _format_of(book: Any, cell: Any) -> str:
    if cell.xf_index is None or not book.xf_list:
        return ""
    found = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    return str(found.format_str) if found is not None else ""


def _value(book: Any, cell: Any) -> Cell:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return plain(xlrd.xldate_as_datetime(cell.value, book.datemode))
        except (ValueError, OverflowError):
            return float(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype in (xlrd.XL_CELL_ERROR, xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
        return None
    whole = cell.ctype == xlrd.XL_CELL_NUMBER and float(cell.value).is_integer() and abs(cell.value) < 2**53
    return with_unit(int(cell.value) if whole else cell.value, _format_of(book, cell))
