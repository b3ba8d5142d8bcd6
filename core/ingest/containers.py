"""What lies in a ZIP or OLE container: Office, OpenDocument, EPUB, or just an archive."""

import re
import zipfile
import zlib
from pathlib import Path

from core.errors import DamagedFile, EncryptedFile, UnsupportedFormat

_OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = _OOXML + "wordprocessingml.document"
PPTX = _OOXML + "presentationml.presentation"
XLSX = _OOXML + "spreadsheetml.sheet"
ODF = "application/vnd.oasis.opendocument."
EPUB = "application/epub+zip"
_ODF_BODY = re.compile(rb"<office:(text|spreadsheet|presentation)[\s/>]")
_DECLARED = {EPUB, *(ODF + kind for kind in ("text", "spreadsheet", "presentation"))}
_PARTS = (("word/", DOCX), ("ppt/", PPTX), ("xl/", XLSX))
_STREAMS = (
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
)
_OUTLOOK_PROPERTY = "__substg1.0_"
_BEGINNINGS = (  # of the main stream of an OLE file, which begins a sector
    (b"\xec\xa5\xc1\x00", "application/msword"),
    (b"\x09\x08\x10\x00\x00\x06\x05\x00", "application/vnd.ms-excel"),
    (b"\x0f\x00\xe8\x03", "application/vnd.ms-powerpoint"),
)
_SECTOR = 512  # bytes
_READ_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError, KeyError)


def office_of_zip(path: Path, name: str) -> str:
    """Return the media type of a ZIP by the names of its members. Raises DamagedFile, EncryptedFile."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            locked = any(member.flag_bits & 0x1 for member in archive.infolist())
            declared = _declared(archive) if "mimetype" in names else ""
            if declared not in _DECLARED:
                declared = _by_parts(archive) or declared
            sealed = declared.startswith(ODF) and _sealed(archive)
    except _READ_ERRORS as error:
        raise DamagedFile(f"{name} is a damaged or cut-off ZIP or Office file ({error}).") from error
    except RuntimeError as error:  # zipfile says so of a member with a password
        raise EncryptedFile(f"{name} is protected by a password.") from error
    if sealed or locked:
        raise EncryptedFile(f"{name} is protected by a password.")
    if declared.startswith((ODF, EPUB)):
        return declared.removesuffix("-template")
    if "[Content_Types].xml" in names or "_rels/.rels" in names:
        for prefix, media_type in _PARTS:
            if any(member.startswith(prefix) for member in names):
                return media_type
    return "application/zip"


def office_of_ole(path: Path, name: str) -> str:
    """Return the media type of an OLE file by its streams.

    Raises DamagedFile, EncryptedFile or UnsupportedFormat.
    """
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as container:
            streams = {"/".join(entry) for entry in container.listdir()}
    except (OSError, ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        if media_type := _by_beginning(path):
            return media_type
        raise DamagedFile(f"{name} is a damaged or cut-off Office file ({error}).") from error
    if {"EncryptedPackage", "EncryptionInfo"} & streams:
        raise EncryptedFile(f"{name} is protected by a password.")
    for stream, media_type in _STREAMS:
        if stream in streams:
            return media_type
    if any(entry.startswith(_OUTLOOK_PROPERTY) for entry in streams):
        return "application/vnd.ms-outlook"
    if media_type := _by_beginning(path):  # the entry of its stream is damaged
        return media_type
    raise UnsupportedFormat(f"{name} is an OLE file of a kind Strata does not know.")


def _by_beginning(path: Path) -> str:
    """Return the media type of an OLE file whose list of streams is damaged, "" where nothing tells it."""
    with path.open("rb") as file:
        while sector := file.read(_SECTOR):
            for beginning, media_type in _BEGINNINGS:
                if sector.startswith(beginning):
                    return media_type
    return ""


def _declared(archive: zipfile.ZipFile) -> str:
    with archive.open("mimetype") as stream:
        return stream.read(200).decode("ascii", errors="replace").strip()


def _by_parts(archive: zipfile.ZipFile) -> str:
    """Return the media type of an OpenDocument file or an e-book that lost its declaration, by its parts."""
    if "META-INF/container.xml" in archive.NameToInfo:
        return EPUB
    if "content.xml" not in archive.NameToInfo:
        return ""
    body = _ODF_BODY.search(archive.read("content.xml"))
    return ODF + body[1].decode() if body else ""


def _sealed(archive: zipfile.ZipFile) -> bool:
    """OpenDocument says in its manifest which members are encrypted."""
    if "META-INF/manifest.xml" not in archive.namelist():
        return False
    with archive.open("META-INF/manifest.xml") as stream:
        return b"encryption-data" in stream.read(1024 * 1024)
