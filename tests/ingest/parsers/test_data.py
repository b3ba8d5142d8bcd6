"""SQL dumps, SQLite files, archives, pictures, video."""

import io
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from core.errors import LimitExceeded, ParseError
from tests.ingest.parsers.conftest import Reads, texts

POSTGRES = """SET standard_conforming_strings = on;
CREATE TABLE public.lots (id integer NOT NULL, name character varying(20), note text);
COPY public.lots (id, name, note) FROM stdin;
1\tA101\tfirst; with semicolon
2\tA102\t\\N
\\.
INSERT INTO public.lots VALUES (3, 'O''Hara', E'x');
"""
MYSQL = r"""CREATE TABLE `tools` (`id` int(11) NOT NULL AUTO_INCREMENT COMMENT 'number', `name` varchar(9))
ENGINE=InnoDB COMMENT='all tools';
INSERT INTO `tools` VALUES (1,'it\'s; here'),(2,NULL);
"""
SQLITE = """BEGIN TRANSACTION;
CREATE TABLE yields(month TEXT, value REAL); -- monthly; in percent
INSERT INTO yields VALUES('2024-01',93.5);
INSERT INTO yields (value, month) VALUES (94, '2024-02');
INSERT INTO yields SELECT 'x', max(value) FROM yields;
COMMIT;
"""


def test_the_rows_of_a_postgres_copy_are_not_lost(reads: Reads) -> None:
    table = reads("a.sql", POSTGRES).tables[0]
    assert table.rows == ((1, "A101", "first; with semicolon"), (2, "A102", None), (3, "O'Hara", "x"))


def test_a_mysql_dump_keeps_comments_and_escaped_quotes(reads: Reads) -> None:
    parsed = reads("a.sql", MYSQL)
    assert parsed.tables[0].rows == ((1, "it's; here"), (2, None))
    assert parsed.tables[0].caption == "all tools"
    assert any("(number)" in text for text in texts(parsed, "paragraph"))


def test_a_sqlite_dump_is_read_but_never_run(reads: Reads) -> None:
    parsed = reads("a.sql", SQLITE)
    assert parsed.tables[0].rows == (("2024-01-01", 93.5), ("2024-02-01", 94.0))
    assert "Statements that compute what they write were not run: 1." in parsed.skipped[0]


def test_a_sqlite_file_gives_its_tables_and_is_not_changed(reads: Reads, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE lots (id INTEGER, name TEXT)")
        connection.executemany("INSERT INTO lots VALUES (?, ?)", [(1, "A"), (2, "B")])
    connection.close()
    before = path.read_bytes()
    parsed = reads("b.db", before)
    assert parsed.tables[0].rows == ((1, "A"), (2, "B"))
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} == {"made.db", "b.db"}


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/"), data)
    return stream.getvalue()


def test_members_of_an_archive_become_sections(reads: Reads) -> None:
    inner = zipped(**{"deep.txt": b"Deep inside."})
    parsed = reads(
        "a.zip", zipped(**{"a.csv": b"lot,n\nA,1\nB,2\n", "x.bin": bytes(range(256)) * 9, "in.zip": inner})
    )
    assert [b.text for b in parsed.blocks if b.kind == "heading"] == ["a.csv", "in.zip", "deep.txt"]
    assert parsed.tables[parsed.blocks[1].table or 0].rows == (("A", 1), ("B", 2))
    assert "Deep inside." in texts(parsed, "paragraph")
    assert "x.bin was not read" in parsed.skipped[0]


def test_nothing_is_written_outside_whatever_the_names_say(reads: Reads, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name in ("../../escaped.txt", "/tmp/strata-escaped.txt"):
            info = tarfile.TarInfo(name)
            info.size = 6
            archive.addfile(info, io.BytesIO(b"inside"))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    parsed = reads("a.tar.gz", stream.getvalue())
    assert texts(parsed, "paragraph") == ["inside", "inside"]
    assert not (tmp_path.parent / "escaped.txt").exists()
    assert not Path("/tmp/strata-escaped.txt").exists()


def test_archives_within_archives_end_at_the_limit(reads: Reads) -> None:
    data = zipped(**{"note.txt": b"the innermost note"})
    for _ in range(3):
        data = zipped(**{"in.zip": data})
    with pytest.raises(LimitExceeded, match="too deep"):
        reads("a.zip", data, nesting=2)
    assert "the innermost note" in texts(reads("a.zip", data, nesting=4), "paragraph")


def test_a_decompression_bomb_is_refused(reads: Reads) -> None:
    with pytest.raises(LimitExceeded, match="bomb"):
        reads("a.zip", zipped(**{"zeros.txt": b"0" * (3 * 2**20)}), unpacked_mb=1)


def test_a_huge_picture_is_refused_before_it_is_unfolded(reads: Reads) -> None:
    from PIL import Image

    stream = io.BytesIO()
    Image.new("1", (4000, 4000)).save(stream, "PNG")
    with pytest.raises(LimitExceeded, match=r"a\.png has 4,000 × 4,000 pixels"):
        reads("a.png", stream.getvalue(), pixels=1_000_000)


def test_a_picture_without_text_says_so(reads: Reads) -> None:
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (80, 60), "white").save(stream, "PNG")
    assert reads("a.png", stream.getvalue()).skipped == ("Picture 1 holds no text that could be read.",)


def test_a_video_gives_its_length_and_one_without_an_index_says_why_not(reads: Reads, tmp_path: Path) -> None:
    import av
    import numpy as np

    path = tmp_path / "made.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for shade in [0] * 10 + [200] * 10:
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), shade, dtype=np.uint8))
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    data = path.read_bytes()
    parsed = reads("a.mp4", data)
    assert "Length: 4 s" in parsed.blocks[1].text
    assert parsed.skipped == ("2 scenes were looked at.", "No text could be read in its scenes.")
    with pytest.raises(ParseError, match=r"cut\.mp4 cannot be read: it has no index"):
        reads("cut.mp4", data[: data.index(b"moov") - 4])
    with pytest.raises(ParseError, match=r"cut\.mp4 cannot be read: its index is cut off"):
        reads("cut.mp4", data[:-200])
