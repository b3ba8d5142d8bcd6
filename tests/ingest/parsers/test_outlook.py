"""Outlook messages are read as the same message under .eml is."""

import struct
from email.message import EmailMessage
from typing import Any

import pytest

from core.errors import DamagedFile, EncryptedFile
from core.ingest.parsers.mail.compressed_rtf import unpacked_rtf
from tests.ingest.parsers.compound_files import Tree, compound, message, properties
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.illustrated import picture

SUBJECT, BODY, HTML, RTF, HEADERS, CLASS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D, 0x001A
NAME, ADDRESS, SMTP, TYPE = 0x3001, 0x3003, 0x39FE, 0x0C15
DATA, FILE, MIME, METHOD, FLAGS = 0x3701, 0x3707, 0x370E, 0x3705, 0x3714
CODE_PAGE, INTERNET_CODE_PAGE, SENT = 0x3FFD, 0x3FDE, 0x0039
_SECTOR = 512  # bytes
SENT_AT = 133594632000000000  # 6 May 2024, 10 o'clock UTC
SENDER = {0x0042: "Ann Lee", 0x0065: "/O=FAB/CN=ANN", 0x5D02: "a@fab.example"}


def person(name: str, address: str, kind: int) -> Tree:
    return properties({NAME: name, ADDRESS: "/O=FAB/CN=X", SMTP: address}, {TYPE: kind})


def attached(name: str, data: bytes | Tree, kind: str = "", **numbers: int) -> Tree:
    flags = {METHOD: numbers.get("method", 1), FLAGS: numbers.get("flags", 0)}
    return properties({FILE: name, DATA: data, MIME: kind}, flags)


def outlook(values: dict[int, Any], *args: Any) -> bytes:
    return compound(message(values, *args))


LOTS = b"lot,yield\nA,93\nB,95\n"
BO, CY = person("Bo Dahl", "b@fab.example", 1), person("c@fab.example", "c@fab.example", 2)


def test_a_message_is_read_as_the_same_one_under_eml(reads: Reads) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Ann Lee <a@fab.example>", "Bo Dahl <b@fab.example>"
    mail["Cc"], mail["Date"] = "c@fab.example", "Mon, 06 May 2024 10:00:00 +0000"
    mail["Subject"], mail["Message-ID"] = "Alarm 4711 höher", "<1@fab.example>"
    mail.set_content("Pump P-7 is hot.\n\nStop it.\n")
    mail.add_attachment(LOTS, "text", "csv", filename="lots.csv")
    mail.add_attachment(b"MZ\0\0" * 30, "application", "octet-stream", filename="tool.exe")
    message_properties = {
        SUBJECT: "Alarm 4711 höher",
        BODY: "Pump P-7 is hot.\r\n\r\nStop it.\r\n",
        0x1035: "<1@fab.example>",
    }
    files = [attached("lots.csv", LOTS), attached("tool.exe", b"MZ\0\0" * 30)]
    data = outlook(SENDER | message_properties, {SENT: SENT_AT}, [CY, BO], files)
    parsed, same = reads("a.msg", data), reads("a.eml", mail.as_bytes())
    assert parsed.media_type == "application/vnd.ms-outlook"
    assert parsed == same.model_copy(update={"media_type": parsed.media_type})
    assert (parsed.title, parsed.date) == ("Alarm 4711 höher", "2024-05-06")
    assert parsed.tables[0].rows == (("A", 93), ("B", 95))
    assert len(parsed.skipped) == 1


def test_the_headers_a_message_came_with_say_who_wrote_it(reads: Reads) -> None:
    came = "Microsoft Mail Internet Headers Version 2.0\r\nFrom: =?utf-8?q?J=C3=B6rg?= <j@x.org>\r\n"
    came += "Date: Tue, 07 May 2024 08:00:00 +0800\r\n\r\n"
    parsed = reads("a.msg", outlook(SENDER | {SUBJECT: "Hi", HEADERS: came}, {SENT: SENT_AT}, [BO]))
    assert (parsed.metadata["from"], parsed.date) == ("Jörg <j@x.org>", "2024-05-07")
    assert parsed.metadata["to"] == "Bo Dahl <b@fab.example>"


def test_a_name_without_an_address_is_a_name(reads: Reads) -> None:
    parsed = reads(
        "a.msg", outlook({SUBJECT: "Hi", 0x0C1A: "Ann", 0x0C1F: "/O=FAB/CN=ANN", 0x0E04: "Bo; Cy"})
    )
    assert texts(parsed, "paragraph") == ["From: Ann\nTo: Bo; Cy"]


def test_a_page_is_read_where_there_is_no_plain_text(reads: Reads) -> None:
    rows = "<tr><th>pump</th><th>state</th></tr><tr><td>P-1</td><td>泵很热</td></tr>"
    page = f"<title>No</title><h2>Alarm</h2><table>{rows}</table>"
    data = outlook({SUBJECT: "Hi", HTML: page.encode("gbk")}, {INTERNET_CODE_PAGE: 936})
    parsed = reads("a.msg", data)
    assert (parsed.title, texts(parsed, "heading")) == ("Hi", ["Hi", "Alarm"])
    assert parsed.tables[0].rows == (("P-1", "泵很热"),)


def packed(rtf: bytes, more: int = 0) -> bytes:
    """Compress by runs of the window it begins with: "{\\rtf1\\ansi" stands at its start."""
    head = b"{\\rtf1\\ansi"
    assert rtf.startswith(head)
    named = (0 << 4) | (len(head) - 2)
    items: list[bytes] = [named.to_bytes(2, "big"), *(bytes([each]) for each in rtf[len(head) :])]
    items.append(((207 + len(rtf)) % 4096 << 4).to_bytes(2, "big"))
    body = b""
    for at in range(0, len(items), 8):
        part = items[at : at + 8]
        body += bytes([sum(1 << bit for bit, each in enumerate(part) if len(each) == 2)]) + b"".join(part)
    return b"".join(n.to_bytes(4, "little") for n in (len(body) + 12, len(rtf) + more, 0x75465A4C, 0)) + body


def test_compressed_rich_text_is_read_where_there_is_nothing_else(reads: Reads) -> None:
    rtf = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard Pump P-7 is hot.\par Stop it.\par}"
    assert unpacked_rtf(packed(rtf)) == unpacked_rtf(packed(rtf, more=9)) == rtf
    parsed = reads("a.msg", outlook({SUBJECT: "Hi", RTF: packed(rtf)}))
    assert texts(parsed, "paragraph") == ["Pump P-7 is hot.", "Stop it."]
    broken = reads("a.msg", outlook({SUBJECT: "Hi", RTF: b"no such thing at all"}))
    assert broken.skipped[0].startswith("Its text could not be read and was left out")


def test_text_of_one_byte_a_sign_is_in_the_code_page_of_the_message(reads: Reads) -> None:
    tree = message({}, {CODE_PAGE: 932}) | {"__substg1.0_0037001E": "装置の点検".encode("cp932")}
    tree["__substg1.0_1000001E"] = "ポンプ P-7 が熱い。".encode("cp932")
    parsed = reads("a.msg", compound(tree))
    assert (parsed.title, texts(parsed, "paragraph")) == ("装置の点検", ["ポンプ P-7 が熱い。"])


def test_a_message_in_a_message_is_a_section_as_deep_as_is_wanted(reads: Reads) -> None:
    inner = message(
        {SUBJECT: "Valve V-9", BODY: "It sticks."}, {SENT: SENT_AT}, (), [attached("lots.csv", LOTS)], 24
    )
    data = outlook({SUBJECT: "Fwd", BODY: "See below."}, None, (), [attached("", inner, method=5)])
    parsed = reads("a.msg", data)
    headings = ["Fwd", "Attachment Valve V-9.msg", "Valve V-9", "Attachment lots.csv"]
    assert texts(parsed, "heading") == headings
    assert texts(parsed, "paragraph")[1:] == ["Date: Mon, 06 May 2024 10:00:00 +0000", "It sticks."]
    assert parsed.tables[0].rows == (("A", 93), ("B", 95))
    assert texts(reads("a.msg", data, nesting=1), "heading") == headings[:3]
    assert reads("a.msg", data, nesting=0).skipped == (
        "Attachment Valve V-9.msg was not read: too many files within files.",
    )


def test_pictures_in_the_text_come_last_and_dots_not_at_all(reads: Reads) -> None:
    files = [
        attached("inside.png", picture("VALVE V-77"), "image/png", flags=4),
        attached("dot.gif", b"GIF89a" + bytes(40), "image/gif", flags=4),
        attached("after.txt", b"After it."),
    ]
    parsed = reads("a.msg", outlook({SUBJECT: "Pump", BODY: "Before it."}, None, (), files))
    assert texts(parsed, "heading") == ["Pump", "Attachment after.txt", "Attachment inside.png"]
    assert any("V-77" in block.text for block in parsed.blocks)
    assert parsed.skipped == ()


def test_what_is_attached_by_reference_is_said(reads: Reads) -> None:
    files = [attached("share.docx", b"", method=2), attached("none.txt", b"")]
    parsed = reads("a.msg", outlook({SUBJECT: "Hi"}, None, (), files))
    assert "share.docx is an object of another program or lies outside" in parsed.skipped[0]
    assert parsed.skipped[1] == "Attachment none.txt is empty."


def test_a_signed_message_is_read_and_a_sealed_one_refused(reads: Reads) -> None:
    signed = (
        b"Content-Type: multipart/signed; boundary=x\n\n--x\nContent-Type: text/plain\n\nP-7 is hot.\n--x--\n"
    )
    result = SENDER | {SUBJECT: "Hi", CLASS: "IPM.Note.SMIME.MultipartSigned"}
    parsed = reads("a.msg", outlook(result, None, (), [attached("smime.p7m", signed, "multipart/signed")]))
    assert (parsed.title, texts(parsed, "paragraph")[-1]) == ("Hi", "P-7 is hot.")
    assert parsed.metadata["from"] == "Ann Lee <a@fab.example>"
    with pytest.raises(EncryptedFile, match=r"a\.msg is an encrypted or sealed message"):
        reads(
            "a.msg",
            outlook(result, None, (), [attached("smime.p7m", b"0\x82" * 40, "application/pkcs7-mime")]),
        )


def test_of_a_damaged_message_the_rest_is_read(reads: Reads) -> None:
    files = [attached("after.txt", b"After it. " * 500)]
    data = bytearray(outlook({SUBJECT: "Pump", BODY: "Hot. " * 2000}, None, (), files))
    chains = _SECTOR * (1 + struct.unpack_from("<I", data, 76)[0])
    struct.pack_into("<I", data, chains + 4 * 3, 0xFFFFFFF0)  # what follows the fourth sector of the text
    parsed = reads("a.msg", bytes(data))
    assert [len(text) for text in texts(parsed, "paragraph")] == [4 * _SECTOR // 2, 4999]
    assert parsed.skipped == ("Its text is damaged; what could be read of it was kept.",)


def test_a_message_that_is_cut_off_is_damaged(reads: Reads) -> None:
    data = outlook({SUBJECT: "Pump", BODY: "Hot. " * 2000})
    with pytest.raises(DamagedFile, match=r"a\.msg"):
        reads("a.msg", data[: len(data) // 2])
