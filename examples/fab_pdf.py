"""The PDF documents of the demo library: the equipment manual and a defect report (synthetic)."""

import datetime as dt
from math import cos, sin
from pathlib import Path

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

STYLES = getSampleStyleSheet()
STYLES["Heading1"].fontSize, STYLES["Heading1"].spaceBefore = 14, 14
STYLES["Heading2"].fontSize, STYLES["BodyText"].spaceAfter = 11, 4
LABEL = "Synthetic data made for the Strata demo library. No real plant, person or supplier is described."
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ("FONTSIZE", (0, 0), (-1, -1), 8.5),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)


def text(words: str, style: str = "BodyText") -> Paragraph:
    return Paragraph(words, STYLES[style])


def table(caption: str, widths: list[float], *rows: tuple[str, ...]) -> list[Flowable]:
    body = [list(rows[0])] + [[Paragraph(cell, STYLES["BodyText"]) for cell in row] for row in rows[1:]]
    grid = Table(body, colWidths=[w * mm for w in widths], style=GRID, repeatRows=1)
    return [text(f"<b>{caption}</b>"), grid, Spacer(1, 4 * mm)]


def save(path: Path, title: str, subject: str, day: dt.date, story: list[Flowable]) -> None:
    """Write a PDF; built twice it has the same bytes, dated with its own day."""

    def footer(canvas: Canvas, page: object) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(20 * mm, 12 * mm, f"{title}   (synthetic demo data)")
        canvas.drawRightString(190 * mm, 12 * mm, f"Page {canvas.getPageNumber()}")

    SimpleDocTemplate(
        str(path),
        pagesize=A4,
        title=title,
        author="Fab 7 (synthetic)",
        subject=subject,
        invariant=1,
        leftMargin=20 * mm,
        rightMargin=20 * mm,
        topMargin=18 * mm,
        bottomMargin=20 * mm,
    ).build(story, onFirstPage=footer, onLaterPages=footer)
    # Without a clock reportlab dates everything 1 January 2000; a day is as long, so no offset moves.
    path.write_bytes(path.read_bytes().replace(b"D:20000101", f"D:{day:%Y%m%d}".encode()))


def chamber() -> Drawing:
    """A cross-section of the process chamber."""
    drawing = Drawing(440, 150)
    drawing.add(Rect(110, 20, 220, 110, fillColor=None, strokeColor=colors.black))
    for x, y, w, h, name in (
        (140, 110, 160, 8, "showerhead PN-4633"),
        (150, 45, 140, 14, "electrostatic chuck PN-4410"),
        (135, 58, 12, 18, "focus ring PN-4502"),
        (200, 20, 40, 25, "helium line"),
    ):
        drawing.add(Rect(x, y, w, h, fillColor=colors.lightgrey, strokeColor=colors.black))
        drawing.add(Line(x + w, y + h / 2, 345, y + h / 2, strokeWidth=0.4))
        drawing.add(String(348, y + h / 2 - 3, name, fontSize=7))
    return drawing


def manual(path: Path) -> None:
    story: list[Flowable] = [
        text("PE-300 Plasma Etcher: Equipment Manual", "Title"),
        text(LABEL, "Italic"),
        text(
            "Document EM-PE300, revision 4, 12 September 2023. Applies to the tools ETCH-01 to ETCH-05 in Fab 7."
        ),
        text("1 Safety", "Heading1"),
        text(
            "Switch off the RF generator and lock it before a chamber is opened. Wait until the chamber pressure has "
            "reached 760 Torr and the chuck temperature is below 40 °C. Residues of fluorocarbon chemistry form "
            "hydrofluoric acid with water: wear nitrile gloves, a face shield and an apron. Two persons must be "
            "present during every chamber opening."
        ),
        text("2 Specifications", "Heading1"),
        *table(
            "Table 1. Main specifications of the PE-300",
            [62, 108],
            ("Property", "Value"),
            ("Wafer diameter", "300 mm"),
            ("Chambers", "2 (A and B)"),
            ("Throughput", "28 wafers per hour with both chambers"),
            ("RF source generator", "13.56 MHz, 2500 W"),
            ("RF bias generator", "2 MHz, 2000 W"),
            ("Base pressure", "0.05 mTorr"),
            ("Chuck temperature range", "-10 to 60 °C"),
            ("Backside helium pressure", "10 to 25 Torr"),
            ("Floor space", "2.1 m x 3.4 m"),
        ),
        text("3 Subsystems", "Heading1"),
        text("3.1 Electrostatic chuck", "Heading2"),
        text(
            "The electrostatic chuck (ESC, part PN-4410) holds the wafer by a direct voltage of 2,500 V and cools it with "
            "helium between wafer and chuck. A seal band at the edge keeps the helium in. When the seal band wears, helium "
            "leaks into the chamber, the wafer edge becomes warmer and polymer flakes off near the edge. The helium leak is "
            "therefore the first sign of a worn seal band. The chuck is made by Nordvak Ceramics."
        ),
        text("3.2 Focus ring", "Heading2"),
        text(
            "The focus ring (part PN-4502) surrounds the wafer and makes the plasma uniform up to the edge. It wears with RF "
            "hours. The focus ring must be replaced every 500 RF hours. A worn ring tilts the ion angle at the edge and "
            "widens contact holes there."
        ),
        text("3.3 RF system", "Heading2"),
        text(
            "The matching network keeps reflected power below 12 W. Reflected power above 25 W stops the process with alarm "
            "E-104. Frequent causes are a loose bias cable and a worn matching network (part PN-5210)."
        ),
        text("3.4 Vacuum system", "Heading2"),
        text(
            "A turbo pump TP-2200 (part PN-5101) evacuates each chamber. Its bearings last about 20,000 hours. Vibration above "
            "4.5 mm/s raises alarm E-160; the pump must then be exchanged within 72 hours."
        ),
        text(
            "Figure 1. Cross-section of the process chamber with electrostatic chuck, focus ring and showerhead."
        ),
        chamber(),
        text("4 Alarms", "Heading1"),
        *table(
            "Table 2. Alarm codes",
            [18, 48, 52, 52],
            ("Code", "Meaning", "Likely cause", "Action"),
            (
                "E-104",
                "Reflected RF power above limit",
                "Loose bias cable, worn matching network",
                "Stop at once, check section 3.3",
            ),
            (
                "E-133",
                "Chamber pressure deviation",
                "Throttle valve, gas flow drift",
                "Stop after wafer, run leak check",
            ),
            ("E-160", "Turbo pump vibration", "Worn bearings", "Plan pump exchange within 72 hours"),
            (
                "E-217",
                "Backside helium leak above limit",
                "Worn seal band or chuck, particle on chuck",
                "Stop after wafer, inspect the electrostatic chuck, see SOP-ETCH-015",
            ),
            (
                "E-221",
                "Chuck temperature deviation",
                "Chiller, helium leak",
                "Stop after wafer, check chiller",
            ),
            ("E-305", "Wafer transfer retry", "Robot alignment", "Teach the robot position again"),
        ),
        text("5 Maintenance", "Heading1"),
        *table(
            "Table 3. Maintenance intervals",
            [58, 40, 72],
            ("Task", "Interval", "Procedure"),
            ("Chamber wet clean", "600 RF hours", "SOP-ETCH-012"),
            ("Focus ring replacement", "500 RF hours", "SOP-ETCH-012, step 6"),
            ("Seal band inspection", "3 months", "SOP-ETCH-015, section 2"),
            ("Electrostatic chuck replacement", "on condition", "SOP-ETCH-015"),
            ("Turbo pump exchange", "20,000 hours", "vendor service"),
            ("Chiller fluid exchange", "12 months", "SOP-FAC-031"),
        ),
        text(
            "After every chamber opening the tool must be qualified again: particle test with fewer than 30 added particles of "
            "0.09 µm or larger, etch rate within 2 % of the reference and a helium leak below 1.0 sccm."
        ),
        text("6 Troubleshooting edge particles", "Heading1"),
        text(
            "Particles in a ring 3 mm from the wafer edge come from the focus ring or from polymer that flakes off when the wafer "
            "edge is too warm. First compare the helium leak trend with the limit in FDC-LIM-007. If the leak rises, inspect the "
            "seal band. If the leak is stable, check the RF hours of the focus ring. A dechuck step that is too short lifts the "
            "wafer while charge remains and throws particles from the edge onto the wafer."
        ),
    ]
    save(path, "PE-300 Plasma Etcher: Equipment Manual", "EM-PE300", dt.date(2023, 9, 12), story)


def wafer_map() -> Drawing:
    """Defects of wafer 11, dense at the edge."""
    drawing = Drawing(440, 150)
    drawing.add(Circle(220, 75, 68, fillColor=None, strokeColor=colors.black))
    for index in range(46):
        angle, radius = index * 2.39996, 61 - (index % 5) * 1.5 if index % 6 else 11 * (index % 5)
        drawing.add(
            Circle(
                220 + radius * cos(angle),
                75 + radius * sin(angle),
                1.6,
                fillColor=colors.firebrick,
                strokeColor=None,
            )
        )
    return drawing


def defect_report(path: Path) -> None:
    story: list[Flowable] = [
        text("Defect report DR-2025-041", "Title"),
        text(LABEL, "Italic"),
        text(
            "Author: Aiko Tanaka, defect metrology. Date: 14 March 2025. Product A77, layer Contact, recipe OX-ETCH-22."
        ),
        text("1 Summary", "Heading1"),
        text(
            "Lot L25-0317 shows 164 added particles per wafer on average, against a limit of 30. Three of four particles lie in a "
            "ring within 5 mm of the wafer edge. All 25 wafers ran on ETCH-03, chamber B. Wafers of the same lot split that ran "
            "on ETCH-02 show 17 particles."
        ),
        text("2 Measurements", "Heading1"),
        *table(
            "Table 1. Added particles per wafer (0.09 µm or larger)",
            [30, 30, 36, 36, 38],
            ("Lot", "Tool", "Date", "Wafers measured", "Added particles"),
            ("L25-0288", "ETCH-03 B", "2025-02-20", "6", "24"),
            ("L25-0301", "ETCH-03 B", "2025-03-03", "6", "71"),
            ("L25-0309", "ETCH-03 B", "2025-03-08", "6", "118"),
            ("L25-0317", "ETCH-03 B", "2025-03-13", "25", "164"),
            ("L25-0318", "ETCH-02 A", "2025-03-13", "25", "17"),
        ),
        text("Figure 1. Defect map of wafer 11 of lot L25-0317: particles form a ring at the edge."),
        wafer_map(),
        text("3 Analysis", "Heading1"),
        text(
            "Energy-dispersive X-ray analysis finds carbon and fluorine, as in etch polymer, and traces of aluminium and yttrium. "
            "Yttrium occurs in the seal band of the electrostatic chuck and nowhere else in the chamber. The particle count rises "
            "together with the helium leak of ETCH-03 chamber B, from 24 particles at 1.1 sccm to 164 particles at 2.4 sccm."
        ),
        text("4 Recommendation", "Heading1"),
        text(
            "Inspect the electrostatic chuck of ETCH-03 chamber B (see the PE-300 equipment manual, section 6). Hold lots that ran "
            "there since 24 February 2025. Estimated loss: 152 wafers scrapped, 129,200 EUR. Follow-up in 8D-2025-003."
        ),
    ]
    save(path, "Defect report DR-2025-041", "DR-2025-041", dt.date(2025, 3, 14), story)
