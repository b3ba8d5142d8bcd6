"""What was filled into a PDF's form: the names and values of its fields, page by page. Scripts never run."""

import ctypes
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from core.domain import Location
from core.ingest.parsers.draft import Draft

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MAX_FIELDS = 2000  # fields of a page
_WIDGET_ANNOTATION = 20
_TICKED = (2, 3)  # check boxes and radio buttons
_VALUED = (4, 5, 6)  # combo boxes, lists, texts


class Field(NamedTuple):
    """A field that is filled in: what it asks for, and what was answered."""

    name: str
    value: str


def prepare(document: "PdfDocument") -> bool:
    """Make the form readable, before any page is opened; return whether there is one."""
    if document.get_formtype() == 0:
        return False
    document.init_forms()
    return document.formenv is not None


def write(draft: Draft, document: "PdfDocument") -> None:
    """Put the filled fields of every page into the draft as a table of names and values."""
    for number in range(len(document)):
        fields = list(dict.fromkeys(_fields(document, number)))
        if fields:
            draft.rows(
                f"Form fields, page {number + 1}" if len(document) > 1 else "Form fields",
                [["Field", "Value"], *([field.name, field.value] for field in fields)],
                location=Location(page=number),
                header=1,
            )


def _fields(document: "PdfDocument", number: int) -> Iterator[Field]:
    import pypdfium2.raw as pdfium

    page = document[number]
    form = document.formenv.raw if document.formenv is not None else None
    for index in range(min(_MAX_FIELDS, pdfium.FPDFPage_GetAnnotCount(page.raw))):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if pdfium.FPDFAnnot_GetSubtype(annotation) == _WIDGET_ANNOTATION:
            yield from _field(form, annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
    page.close()


def _field(form: Any, annotation: Any) -> Iterator[Field]:
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    name = wide_text(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    name = name or wide_text(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
    value = ""
    if kind in _VALUED:
        value = wide_text(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    elif kind in _TICKED and pdfium.FPDFAnnot_IsChecked(form, annotation):
        value = wide_text(pdfium.FPDFAnnot_GetFormFieldExportValue, form, annotation) or "Yes"
    if name and value:
        yield Field(name, value)


def wide_text(ask: Callable[..., int], *asked: Any) -> str:
    """Return a text pdfium writes as UTF-16 into a buffer of the length it asks for."""
    length = ask(*asked, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    ask(*asked, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return " ".join(buffer.raw.decode("utf-16-le", "replace").rstrip("\0").split())
