"""The Word and PowerPoint documents of the demo library (synthetic)."""

import datetime as dt
from pathlib import Path
from typing import TypeVar

from docx import Document
from docx.document import Document as WordDocument
from pptx import Presentation
from pptx.presentation import Presentation as Deck

Made = TypeVar("Made", WordDocument, Deck)
LABEL = "Synthetic data made for the Strata demo library. No real plant, person or supplier is described."


def stamped(document: Made, title: str, day: dt.date) -> Made:
    """Give the file a title and fixed dates, so that building twice gives the same content."""
    moment = dt.datetime(day.year, day.month, day.day)
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title, "Fab 7 (synthetic)", LABEL
    properties.created = properties.modified = moment
    return document


def grid(document: WordDocument, caption: str, *rows: tuple[str, ...]) -> None:
    document.add_paragraph(caption, style="Caption")
    table = document.add_table(rows=0, cols=len(rows[0]), style="Light Grid Accent 1")
    for row in rows:
        for cell, words in zip(table.add_row().cells, row, strict=True):
            cell.text = words


def wet_clean(path: Path) -> None:
    title = "SOP-ETCH-012 Chamber wet clean of the PE-300"
    document = stamped(Document(), title, dt.date(2025, 3, 24))
    document.add_heading(title, 0)
    document.add_paragraph(LABEL)
    document.add_paragraph(
        "Revision 7, valid from 24 March 2025. Owner: Jonas Weber. Replaces revision 6 of 8 May 2023."
    )
    document.add_heading("1 Purpose", 1)
    document.add_paragraph(
        "This procedure describes the wet clean of a PE-300 process chamber after 600 RF hours or after an excursion. "
        "It takes 6.5 hours with two persons. Read chapter 1 of the PE-300 equipment manual (EM-PE300) before you start."
    )
    document.add_heading("2 Material", 1)
    grid(
        document,
        "Table 1. Material",
        ("Item", "Part number", "Quantity"),
        ("Chamber O-ring set", "PN-4610", "1"),
        ("Focus ring, silicon", "PN-4502", "1"),
        ("Isopropanol, electronic grade", "CH-0021", "2 litres"),
        ("Lint-free wipes", "CH-0107", "40"),
    )
    document.add_heading("3 Procedure", 1)
    for step in (
        "Run the recipe CLEAN-O2 for 20 minutes to remove polymer.",
        "Switch off the RF generator, lock it and vent the chamber to 760 Torr.",
        "Wait until the chuck temperature is below 40 °C, then open the lid with two persons.",
        "Wipe the liner and the showerhead with isopropanol until a white wipe stays clean.",
        "Inspect the seal band of the electrostatic chuck under the lamp. If it is cracked, continue with SOP-ETCH-015.",
        "Replace the focus ring. The focus ring must be replaced every 400 RF hours (earlier revisions said 500).",
        "Replace the O-ring set and tighten the lid screws crosswise with 12 Nm.",
        "Pump down to 0.05 mTorr and run a leak check: the rate must be below 1.5 mTorr per minute.",
        "Season the chamber with 10 dummy wafers of recipe OX-ETCH-22.",
        "Qualify: fewer than 30 added particles of 0.09 µm or larger, etch rate within 2 % of the reference.",
    ):
        document.add_paragraph(step, style="List Number")
    document.add_heading("4 Records", 1)
    document.add_paragraph(
        "Enter date, RF hours and particle result in the tool log. Report a failed qualification to Mei Lin within one hour."
    )
    document.save(str(path))


def chuck_exchange(path: Path) -> None:
    title = "SOP-ETCH-015 静电吸盘更换规程"
    document = stamped(Document(), title, dt.date(2025, 3, 20))
    document.add_heading(title, 0)
    document.add_paragraph("Strata 演示用合成数据，不涉及任何真实工厂、人员或供应商。")
    document.add_paragraph(
        "第 3 版，2025年3月20日起生效。负责人：韦伯（Jonas Weber）。适用设备：PE-300 等离子刻蚀机 ETCH-01 至 ETCH-05。"
    )
    document.add_heading("1 目的", 1)
    document.add_paragraph(
        "本规程说明如何更换 PE-300 的静电吸盘（ESC，零件号 PN-4410）。出现报警 E-217 且密封带开裂时必须执行。更换需要 5 小时，由两人完成。"
    )
    document.add_heading("2 密封带检查", 1)
    document.add_paragraph(
        "密封带每 3 个月检查一次。裂纹长度超过 2 毫米，或背面氦气泄漏量超过 1.5 sccm，即应更换静电吸盘。"
    )
    document.add_heading("3 更换步骤", 1)
    for step in (
        "关闭射频电源并上锁，腔体充气至 760 Torr，等待吸盘温度低于 40 °C。",
        "断开 2500 V 直流高压，等待 10 分钟放电，用接地棒确认。",
        "拆下聚焦环（PN-4502）和边缘盖环，取出旧吸盘，放入防静电箱。",
        "安装新吸盘，螺钉按对角顺序拧紧，力矩 4 牛·米。",
        "更换氦气管路密封圈，抽真空至 0.05 mTorr。",
        "测量背面氦气泄漏量：必须低于 1.0 sccm。",
        "按 SOP-ETCH-012 第 9、10 步进行腔体老化和颗粒认证。",
    ):
        document.add_paragraph(step, style="List Number")
    document.add_heading("4 更换后的检查", 1)
    grid(
        document,
        "表 1. 更换后的检查项目",
        ("检查项目", "合格标准", "记录人"),
        ("背面氦气泄漏量", "低于 1.0 sccm", "设备工程师"),
        ("新增颗粒数（0.09 µm 以上）", "少于 30 个", "缺陷工程师"),
        ("刻蚀速率偏差", "2 % 以内", "工艺工程师"),
        ("吸盘温度均匀性", "±1.0 °C", "设备工程师"),
    )
    document.add_heading("5 备件", 1)
    document.add_paragraph(
        "静电吸盘由 Nordvak Ceramics 供货，交货期 14 周，价格见 spare-parts.html。旧吸盘须连同批号寄回供应商分析。"
    )
    document.save(str(path))


def eight_d(path: Path) -> None:
    title = "8D report 8D-2025-003: Edge particles on product A77"
    document = stamped(Document(), title, dt.date(2025, 4, 9))
    document.add_heading(title, 0)
    document.add_paragraph(LABEL)
    document.add_paragraph(
        "Status: open (D7). Leader: Mei Lin. Last change: 9 April 2025. Source: defect report DR-2025-041."
    )
    for heading, words in (
        (
            "D1 Team",
            "Mei Lin (process), Jonas Weber (equipment), Aiko Tanaka (metrology), Ingrid Solberg (Nordvak Ceramics).",
        ),
        (
            "D2 Problem",
            "Lots of product A77 that ran on ETCH-03 chamber B between 24 February and 20 March 2025 show edge particles, up to 164 per wafer. 152 wafers were scrapped at a cost of 129,200 EUR.",
        ),
        (
            "D3 Containment",
            "All lots of chamber B were put on hold on 19 March 2025. Every lot is inspected before release. The focus ring interval is 400 RF hours on all tools.",
        ),
        (
            "D4 Root cause",
            "The seal band of the electrostatic chuck, batch NV-2409, contains a new yttria blend that becomes brittle after about 900 RF hours. The worn band lets helium leak, the wafer edge becomes up to 9 °C too warm and etch polymer flakes off. The short dechuck step of 12 seconds in recipe OX-ETCH-22 spread the flakes over the wafer.",
        ),
        (
            "D5 Corrective actions",
            "Replace the electrostatic chuck of ETCH-03 chamber B: done on 21 March 2025 by Jonas Weber. Lengthen the dechuck step from 12 to 20 seconds: done on 2 April 2025 by Mei Lin. Lower the helium leak alarm from 3.0 to 2.5 sccm in FDC-LIM-007: done on 1 April 2025.",
        ),
        (
            "D6 Verification",
            "After the exchange ETCH-03 chamber B shows 19 added particles per wafer and a helium leak of 0.6 sccm over three weeks. Yield of A77 rose from 84.1 % in week 11 to 91.6 % in week 15.",
        ),
        (
            "D7 Prevention",
            "ETCH-05 carries a chuck of the same batch NV-2409 and is to be exchanged by 10 May 2025. Nordvak Ceramics checks every batch by a bend test from May 2025. Seal bands are inspected every 3 months instead of every 6 months.",
        ),
    ):
        document.add_heading(heading, 1)
        document.add_paragraph(words)
    document.add_heading("D8 Costs", 1)
    grid(
        document,
        "Table 1. Costs of the excursion",
        ("Item", "Cost (EUR)"),
        ("Scrapped wafers", "129200"),
        ("Electrostatic chuck PN-4410", "38500"),
        ("Extra metrology", "6200"),
        ("Lost tool time", "21900"),
    )
    document.save(str(path))


def training(path: Path) -> None:
    deck = stamped(Presentation(), "Plasma etch basics for new engineers", dt.date(2024, 11, 5))
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = (
        "Plasma etch basics for new engineers",
        f"Training TR-ETCH-01\n{LABEL}",
    )
    for title, points, notes in (
        (
            "What the chamber does",
            (
                "Gas becomes plasma by RF power",
                "Ions hit the wafer straight down",
                "Polymer on the side walls keeps holes straight",
            ),
            "Contact etch uses C4F8: much polymer, good selectivity to nitride.",
        ),
        (
            "Why edge particles matter",
            (
                "One particle can short a contact",
                "Edge dies are a third of all dies",
                "Polymer flakes when the wafer edge is too warm",
            ),
            "Ask Aiko Tanaka for a tour of the defect laboratory.",
        ),
        (
            "Three numbers to watch",
            ("Helium leak: below 1.5 sccm", "Reflected power: below 12 W", "RF hours of the focus ring"),
            "The limits are in FDC-LIM-007; do not learn them by heart, they change.",
        ),
    ):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(points)
        slide.notes_slide.notes_text_frame.text = notes
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Words of the shop floor"
    rows = (
        ("Said on the floor", "Meant"),
        ("puck", "electrostatic chuck (ESC)"),
        ("edge ring", "focus ring"),
        ("flakes", "polymer particles"),
        ("soft clean", "recipe CLEAN-O2"),
    )
    table = slide.shapes.add_table(len(rows), 2, 900000, 1600000, 7200000, 2000000).table
    for line, row in enumerate(rows):
        for column, words in enumerate(row):
            table.cell(line, column).text = words
    deck.save(str(path))
