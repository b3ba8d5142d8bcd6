"""What dumps, archives and mails of real systems hold besides the usual."""

import io
import tarfile
from email.message import EmailMessage

from tests.ingest.parsers.conftest import Reads, texts

POSTGRES = """CREATE TABLE public.lots (id integer, ok boolean, note text);
COPY public.lots (id, ok, note) FROM stdin;
1\tt\ttab\\there
2\tf\t\\x41\\101\\\\
\\.
COPY public."Odd Name" ("a b", c) FROM stdin;
q\t1
\\.
"""
MYSQL = """CREATE TABLE `t` (`id` int, `kind` varchar(9)) ENGINE=InnoDB;
INSERT INTO `t` VALUES (1,"etch; \\"wet\\""),(2,_utf8mb4'cvd');
"""


def test_a_copy_keeps_escapes_booleans_and_tables_nobody_declared(reads: Reads) -> None:
    lots, odd = reads("fab.sql", POSTGRES).tables
    assert lots.rows == ((1, True, "tab here"), (2, False, "AA\\"))
    assert (odd.name, odd.columns[0].name, odd.rows) == ("Odd Name", "a b", (("q", 1),))


def test_keys_of_a_table_are_said_in_words(reads: Reads) -> None:
    dump = """CREATE TABLE Album (AlbumId INTEGER, ArtistId INTEGER,
    CONSTRAINT PK_Album PRIMARY KEY (AlbumId),
    FOREIGN KEY (ArtistId) REFERENCES Artist (ArtistId) ON DELETE NO ACTION);"""
    assert texts(reads("a.sql", dump), "paragraph") == [
        "Columns: AlbumId integer; ArtistId integer; primary key: AlbumId; "
        "ArtistId refers to Artist (ArtistId)"
    ]


def test_mysql_strings_in_double_quotes_are_strings(reads: Reads) -> None:
    assert reads("a.sql", MYSQL).tables[0].rows == ((1, 'etch; "wet"'), (2, "cvd"))


def test_dumps_and_workbooks_are_called_by_their_file_not_by_their_first_table(reads: Reads) -> None:
    from openpyxl import Workbook

    book, stream = Workbook(), io.BytesIO()
    for sheet in (book.active, book.create_sheet("Second")):
        for row in (["Tool", "n"], ["E1", 1]):
            sheet.append(row)
    book.save(stream)
    assert reads("fab-2025.sql", POSTGRES).title == "fab-2025"
    assert reads("yield-2025.xlsx", stream.getvalue()).title == "yield-2025"


def test_what_an_archive_does_not_give_is_said_and_no_name_leads_upwards(reads: Reads) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        info = tarfile.TarInfo("../../notes/a.txt")
        info.size = 12
        archive.addfile(info, io.BytesIO(b"Filter F-2. "))
        link = tarfile.TarInfo("passwords")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    parsed = reads("bundle.tar.gz", stream.getvalue())
    assert (parsed.title, texts(parsed, "heading")) == ("bundle", ["notes/a.txt"])
    assert parsed.skipped == ("passwords was not read: it is a link or a device, not a file.",)


def test_a_forwarded_message_is_read_as_one(reads: Reads) -> None:
    inner = EmailMessage()
    inner["Subject"] = "Valve V-9"
    inner.set_content("It sticks.")
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "a@x.org", "b@x.org", "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    parsed = reads("a.eml", outer.as_bytes())
    assert texts(parsed, "heading") == ["Fwd", "Attachment Valve V-9.eml", "Valve V-9"]
    assert texts(parsed, "paragraph")[-1] == "It sticks."


def test_rows_of_another_width_are_counted_in_plain_words(reads: Reads) -> None:
    assert reads("a.csv", "a,b,c\n1,2,3\n4,5\n").skipped == (
        "Row 3 does not have 3 fields as the others do; no field was dropped.",
    )
