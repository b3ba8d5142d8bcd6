"""What is suggested is what a reader would ask of that kind of thing."""

from datetime import date, timedelta

import pytest

from core.answering.suggestions import Suggester
from core.bootstrap import build
from core.settings import LLMSettings, Settings, StoreSettings

FIRST = date(2025, 1, 1)
PROSE = "The pump is mounted in the hall behind the boiler and is looked at by the night shift. " * 4


def log(days):
    lines = "\n".join(f"{FIRST + timedelta(days=n)},P-1,{n % 7 + 0.5}" for n in range(0, days, days // 40))
    return f"date,pump,flow_rate_sccm\n{lines}"


FILES = {
    "spares.csv": "Part number,Part,Lead time [weeks]\nPN-11,Ring,4\nPN-12,Seal,6\nPN-13,Valve,9",
    "codes.csv": "Code,Meaning,Action\nE-11,Leak,Stop\nE-12,Heat,Wait\nE-13,Dust,Clean",
    "owners.csv": "Tool,Owner\nT-11,Ann\nT-12,Bo\nT-13,Cy",
    "备件.csv": "零件号,名称,交货期 [周]\nPN-21,密封圈,4\nPN-22,吸盘,6\nPN-23,阀门,9",
    "years.csv": log(800),
    "months.csv": log(120),
    "days.csv": log(40),
    "pump.md": f"# Pump handbook\n\n## Pump handbook\n\n{PROSE}\n\n## TOTAL $821.14\n\n{PROSE}\n\n"
    f"## Figures\n\nSee above.\n\n## Mounting:\n\n{PROSE}",
    "chapter.md": f"# 1 Introduction\n\n{PROSE}",
    "bare.md": "# Notes on valves\n\nNone.",
}


@pytest.fixture(scope="module")
def about(tmp_path_factory):
    """Return what is suggested about a file, by its name."""
    folder = tmp_path_factory.mktemp("suggestions")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    assistant = build(
        Settings(store=StoreSettings(path=folder / "library"), llm=LLMSettings(backend="built-in")),
        warm=False,
    )
    assistant.library.wait(assistant.library.ingest([folder / name for name in FILES]))
    knowledge = assistant.learning.knowledge
    documents = {document.name: document.id for document in knowledge.documents()}
    yield lambda name: Suggester(knowledge).about([documents[name]], 9)
    assistant.close()


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("spares.csv", "What is the lead time of PN-12?"),
        ("codes.csv", "What does E-12 mean?"),
        ("owners.csv", "What is known about T-12?"),
        ("备件.csv", "PN-22 的交货期是多少？"),
        ("years.csv", "How will the flow rate develop in the next six months?"),
        ("months.csv", "How will the flow rate develop in the next two weeks?"),
        ("pump.md", "What does Pump handbook say about “Mounting”?"),
    ],
)
def test_it_is_asked_what_that_kind_of_thing_answers(about, file, asked):
    assert asked in about(file)


@pytest.mark.parametrize("file", ["days.csv", "chapter.md", "bare.md"])
def test_nothing_is_asked_that_a_file_cannot_tell(about, file):
    assert not any(
        "develop" in asked or "1 Introduction" in asked or "valves" in asked for asked in about(file)
    )
