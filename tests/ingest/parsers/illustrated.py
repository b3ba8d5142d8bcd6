"""Small documents of every kind with one picture in them."""

import base64
import io
import json
import zipfile
from collections.abc import Callable
from email.message import EmailMessage

from docx import Document
from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image, ImageDraw
from pptx import Presentation

ODF = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = " ".join(
    f'xmlns:{short}="{ODF}{long}:1.0"'
    for short, long in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "svg": "svg-compatible",
    }.items()
)


def picture(text: str = "", kind: str = "PNG", shade: str = "white") -> bytes:
    stream = io.BytesIO()
    drawn = Image.new("RGB", (420, 120), shade)
    if text:
        ImageDraw.Draw(drawn).text((15, 40), text, fill="black", font_size=36)
    drawn.save(stream, kind)
    return stream.getvalue()


def word(data: bytes) -> bytes:
    document = Document()
    document.add_paragraph("Before it.")
    document.add_picture(io.BytesIO(data))
    document.add_paragraph("After it.")
    return saved(document.save)


def slides(data: bytes) -> bytes:
    show = Presentation()
    for text in ("Before it.", "After it."):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = text
        if text == "Before it.":
            slide.shapes.add_picture(io.BytesIO(data), 914400, 1828800)
    return saved(show.save)


def workbook(data: bytes) -> bytes:
    book = Workbook()
    book.active.append(["Before it."])
    book.active.add_image(SheetImage(io.BytesIO(data)), "B4")
    book.create_sheet("next").append(["After it."])
    return saved(book.save)


def odt(data: bytes, frame: str = "") -> bytes:
    frame = frame or '<draw:image xlink:href="Pictures/a.png"/>'
    body = (
        "<office:text><text:p>Before it.</text:p>"
        f"<text:p><draw:frame>{frame}</draw:frame></text:p><text:p>After it.</text:p></office:text>"
    )
    return opendocument("text", body, data)


def ods(data: bytes) -> bytes:
    body = (
        '<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell>'
        '<text:p>Before it.</text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
        '</table:table-cell></table:table-row></table:table><table:table table:name="T"><table:table-row>'
        "<table:table-cell><text:p>After it.</text:p></table:table-cell></table:table-row></table:table>"
        "</office:spreadsheet>"
    )
    return opendocument("spreadsheet", body, data)


def opendocument(kind: str, body: str, data: bytes) -> bytes:
    space = f'{SPACES} xmlns:xlink="http://www.w3.org/1999/xlink"'
    content = f"<office:document-content {space}><office:body>{body}</office:body></office:document-content>"
    members = {"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content}
    return zipped(members | {"Pictures/a.png": data})


def book(data: bytes) -> bytes:
    package = (
        '<package><metadata><title>Pumps</title></metadata><manifest><item id="c" href="text/c.html"/>'
        '</manifest><spine><itemref idref="c"/></spine></package>'
    )
    chapter = '<body><p>Before it.</p><p><img src="../art/a%20b.png"/></p><p>After it.</p></body>'
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<c><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></c>',
            "o/p.opf": package,
            "o/text/c.html": chapter,
            "o/art/a b.png": data,
        }
    )


def page(data: bytes) -> bytes:
    source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return f'<p>Before it.</p><p><img src="{source}"></p><p>After it.</p>'.encode()


def markdown(data: bytes) -> bytes:
    source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return f"Before it.\n\n![]({source})\n\nAfter it.\n".encode()


def notebook(data: bytes) -> bytes:
    drawn = {"output_type": "display_data", "data": {"image/png": base64.b64encode(data).decode()}}
    cells = [
        {"cell_type": "markdown", "source": ["Before it."]},
        {"cell_type": "code", "source": ["draw()"], "outputs": [drawn]},
        {"cell_type": "markdown", "source": ["After it."]},
    ]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


def mail(data: bytes) -> bytes:
    message = EmailMessage()
    message["Subject"] = "Pump"
    message.set_content("Before it.")
    message.add_alternative('<p>Before it.</p><img src="cid:one">', subtype="html")
    inside = message.get_body(("html",))
    assert isinstance(inside, EmailMessage)
    inside.add_related(data, "image", "png", cid="<one>", filename="inside.png")
    message.add_attachment(b"After it.", "text", "plain", filename="after.txt")
    return message.as_bytes()


def zipped(members: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def saved(save: Callable[[io.BytesIO], None]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


MADE = {
    "a.docx": word,
    "a.pptx": slides,
    "a.xlsx": workbook,
    "a.odt": odt,
    "a.ods": ods,
    "a.epub": book,
    "a.html": page,
    "a.md": markdown,
    "a.ipynb": notebook,
    "a.eml": mail,
}
