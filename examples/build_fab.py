"""Writes the binary files of the demo library (PDF, Office, logs) into examples/fab/; run after changing it.

The text files there are written by hand. Everything is synthetic. Needs the extra `dev` (reportlab).
"""

import csv
import datetime as dt
import json
import math
import random
from pathlib import Path

import fab_office
import fab_pdf
from openpyxl import Workbook
from openpyxl.styles import Font

FAB = Path(__file__).parent / "fab"
LABEL = "Synthetic data made for the Strata demo library."
DAY = dt.timedelta(days=1)


def yield_workbook(path: Path) -> None:
    """Monthly yield of two products 2021 to 2025, scrap by cause and downtime by tool."""
    rng = random.Random(7)
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Monthly yield"
    sheet.append(["Month", "Product", "Wafers started", "Yield (%)", "Defect density (1/cm2)"])
    for index in range(60):
        year, month = 2021 + index // 12, index % 12 + 1
        for product, base, gain in (("A77", 81.5, 11.0), ("B12", 88.0, 7.0)):
            learning = gain * (1 - math.exp(-index / 22))
            season = -1.1 * math.exp(-((month - 8) ** 2) / 2.2)  # humid August
            excursion = (
                {(2025, 3): -5.6, (2025, 2): -1.8}.get((year, month), 0.0) if product == "A77" else 0.0
            )
            rate = round(base + learning + season + excursion + rng.gauss(0, 0.35), 1)
            wafers = int((2400 if product == "A77" else 1700) + 14 * index + rng.gauss(0, 60))
            sheet.append([dt.date(year, month, 1), product, wafers, rate, round((100 - rate) / 38, 3)])
    scrap = book.create_sheet("Scrap by cause")
    scrap.append(["Year", "Cause", "Wafers scrapped", "Cost (EUR)"])
    for year in range(2021, 2026):
        for cause, start, fall in (
            ("Edge particles", 310, 0.86),
            ("Arcing", 120, 0.8),
            ("Misprocess", 90, 0.9),
            ("Broken wafer", 60, 0.93),
        ):
            count = round(start * fall ** (year - 2021)) + (
                164 if (year, cause) == (2025, "Edge particles") else 0
            )
            scrap.append([year, cause, count, count * 850])
    downtime = book.create_sheet("Downtime 2025")
    downtime.append(["Tool", "Quarter", "Planned (h)", "Unplanned (h)"])
    for tool, bad in (("ETCH-01", 14), ("ETCH-02", 11), ("ETCH-03", 61), ("ETCH-04", 17), ("ETCH-05", 24)):
        for quarter in range(1, 5):
            extra = bad if quarter == 1 else bad * 0.4
            downtime.append([tool, f"Q{quarter}", 36 + 2 * quarter, round(extra + rng.uniform(0, 4), 1)])
    for page in book.worksheets:
        for cell in page[1]:
            cell.font = Font(bold=True)
        page.column_dimensions["A"].width = 14
    book.properties.title = "Yield workbook 2021-2025, Fab 7"
    book.properties.description = LABEL
    book.properties.created = book.properties.modified = dt.datetime(2026, 1, 9)
    book.save(path)


ALARMS = (
    ("E-104", "Reflected RF power above limit", "stop"),
    ("E-133", "Chamber pressure deviation", "stop after wafer"),
    ("E-160", "Turbo pump vibration", "warning"),
    ("E-217", "Backside helium leak above limit", "stop after wafer"),
    ("E-221", "Chuck temperature deviation", "stop after wafer"),
    ("E-305", "Wafer transfer retry", "warning"),
)


def alarm_log(path: Path) -> None:
    """Alarms of five etchers, January to June 2025, with the helium leak excursion on ETCH-03."""
    rng = random.Random(11)
    rows = []
    day = dt.date(2025, 1, 1)
    while day <= dt.date(2025, 6, 30):
        for tool in range(1, 6):
            for code, text, severity in ALARMS:
                rate = {"E-305": 0.16, "E-160": 0.02, "E-217": 0.012}.get(code, 0.06)
                if code == "E-217" and tool == 3 and dt.date(2025, 2, 24) <= day <= dt.date(2025, 3, 20):
                    rate = 0.85
                if code == "E-217" and tool == 5 and day >= dt.date(2025, 4, 10):
                    rate = 0.06
                if rng.random() < rate:
                    at = dt.datetime.combine(
                        day, dt.time(rng.randrange(24), rng.randrange(60), rng.randrange(60))
                    )
                    chamber = "B" if code == "E-217" and tool == 3 else rng.choice("AB")
                    rows.append((at, f"ETCH-0{tool}", chamber, code, text, severity, rng.randrange(4, 95)))
        day += DAY
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["Time", "Tool", "Chamber", "Alarm", "Text", "Severity", "Downtime (min)"])
        writer.writerows((at.isoformat(sep=" "), *rest) for at, *rest in sorted(rows))


def sensor_log(path: Path) -> None:
    """Daily helium leak and RF hours of ETCH-03 chamber B, one JSON object a line."""
    rng = random.Random(13)
    day, hours = dt.date(2025, 1, 1), 212.0
    with path.open("w", encoding="utf-8") as file:
        while day <= dt.date(2025, 4, 30):
            into = (day - dt.date(2025, 2, 10)).days
            leak = 0.7 + (0.055 * max(into, 0) if day < dt.date(2025, 3, 21) else -0.1) + rng.gauss(0, 0.05)
            hours = 0.0 if day == dt.date(2025, 3, 21) else hours + rng.uniform(14, 19)
            record = {
                "date": day.isoformat(),
                "tool": "ETCH-03",
                "chamber": "B",
                "helium_leak_sccm": round(leak, 2),
                "rf_hours_since_clean": round(hours, 1),
                "chuck_temperature_C": round(20 + rng.gauss(0, 0.2), 1),
            }
            file.write(json.dumps(record) + "\n")
            day += DAY


if __name__ == "__main__":
    yield_workbook(FAB / "yield-2021-2025.xlsx")
    alarm_log(FAB / "alarm-log-2025-H1.csv")
    sensor_log(FAB / "sensor-log-ETCH-03.jsonl")
    fab_pdf.manual(FAB / "PE-300-equipment-manual.pdf")
    fab_pdf.defect_report(FAB / "DR-2025-041-defect-report.pdf")
    fab_office.wet_clean(FAB / "SOP-ETCH-012-chamber-wet-clean.docx")
    fab_office.chuck_exchange(FAB / "SOP-ETCH-015-静电吸盘更换.docx")
    fab_office.eight_d(FAB / "8D-2025-003.docx")
    fab_office.training(FAB / "etch-training.pptx")
