"""A run written down: whatever a council said is in it, and none of it is markup."""

import re

import pytest
from markdown_it import MarkdownIt

from core.domain import (
    Accord,
    CouncilReport,
    CouncilRole,
    Disagreement,
    Level,
    Objection,
    Outcome,
    Perspective,
    Proposal,
    Raised,
    Report,
    Statement,
)
from core.export.run_export import Exporter
from core.knowledge.stores.records import Run
from tests.making import passage

ENGINEER = CouncilRole(id="engineer", name="Process engineer", cares="yield")
BUYER = CouncilRole(id="buyer", name="Buyer <script>alert(1)</script>", cares="cost")


def _run(council):
    passages = tuple(passage(text) for text in ("The chuck cracks.", "A chuck costs 9,000 EUR."))
    chuck, price = (p.chunk.id for p in passages)
    report = Report(
        run="r",
        question="What could we do about the chuck?",
        level=Level.CREATIVE,
        outcome=Outcome.ANSWER,
        answer="Keep three in stock.",
        passages=passages,
        council=council(chuck, price) if council else None,
    )
    return Run(id="r", conversation="c", question=report.question, status="done", report=report)


def _council(chuck, price):
    kept = Proposal(
        id=1, role="engineer", text="Inspect the seal band every month.", effect="fewer cracks",
        first_step="write it into the SOP", chunks=(chuck,), backed_by=("buyer",), criticised_by=("buyer",),
        objections=(Objection(role="buyer", proposal=1, text="It costs tool time.", chunks=(price,)),),
    )  # fmt: skip
    dropped = Proposal(
        id=2, role="buyer", text="Buy cheaper ones.", chunks=(price,), criticised_by=("engineer",),
        objections=(Objection(role="engineer", proposal=2, text="They crack.", chunks=(chuck,), fatal=True),),
    )  # fmt: skip
    return CouncilReport(
        perspectives=(
            Perspective(
                role=ENGINEER,
                argument=(Statement(text="Cracks come from wear.", chunks=(chuck,)),),
                proposals=(kept,),
            ),
            Perspective(role=BUYER, failure="the model went silent"),
        ),
        raised=(
            Raised(kind="unused", text="The price is known.", chunk=price),
            Raised(kind="gap", text="Life"),
        ),
        common=(Statement(text="The chuck cracks.", chunks=(chuck,), roles=("engineer", "buyer")),),
        disagreements=(
            Disagreement(
                claim="Is it the material?",
                sides=(
                    Statement(text="Yes.", roles=("engineer",), chunks=(chuck,)),
                    Statement(text="No.", roles=("buyer",)),
                ),
                decides="an analysis of batch NV-2409",
            ),
        ),
        proposals=(kept, dropped),
        agreement=(Accord(one="engineer", other="buyer", shared=1, backed=1, objected=2),),
    )


SAID = (
    "Process engineer", "Cracks come from wear.", "Inspect the seal band every month.", "fewer cracks",
    "write it into the SOP", "the evidence does not say", "It costs tool time.", "Buy cheaper ones.",
    "did not survive the critique", "survived with objections", "The price is known.", "Nobody spoke of",
    "Is it the material?", "an analysis of batch NV", "Could not take part: the model went silent",
    "Who agrees with whom", "Common ground",
)  # fmt: skip


def test_a_council_is_exported_whole_with_the_numbers_of_its_sources():
    run = _run(_council)
    html, markdown = Exporter().html(run, []), Exporter().markdown(run, [])
    for words in SAID:
        assert words in html, words
        assert words in markdown.replace("\\", ""), words
    assert 'Cracks come from wear.<sup><a href="#e1">[1]</a></sup>' in html
    assert "Cracks come from wear. [1]" in markdown
    assert "A chuck costs" in html


def test_ideas_come_before_the_perspectives_they_came_from():
    html = Exporter().html(_run(_council), [])
    assert html.index("Ideas, best first") < html.index("Common ground") < html.index("Could not take part")


def test_what_a_role_is_called_is_only_text():
    html, markdown = (make(_run(_council), []) for make in (Exporter().html, Exporter().markdown))
    assert "<script" not in html
    assert "<script" not in markdown.replace("\\<", "")
    assert not re.search(r'(?:src|href)="(?!#)', html)


def test_a_run_without_a_council_has_no_minutes():
    assert "Council" not in Exporter().html(_run(None), [])
    assert "Council" not in Exporter().markdown(_run(None), [])


@pytest.mark.parametrize(
    "line",
    [
        "====",
        "---",
        "- item",
        "* * *",
        "1. one",
        "12) twelve",
        "# h",
        "+ plus",
        "\r# h",
        "\rx\r===",
        "\u2028- x",
        "---\t",
        "-",
    ],
)
def test_no_text_becomes_a_heading_a_rule_or_a_list(line):
    text = f"Valve 4\n{line}\nends"
    report = _run(None).report.model_copy(
        update={"answer": line, "passages": (passage(text),), "notes": (line,), "missing": (f"{line} x",)}
    )
    run = _run(None).model_copy(update={"question": f"Which valve?{line}", "report": report})
    drawn = MarkdownIt("commonmark").enable("table").render(Exporter().markdown(run, []))
    assert re.findall(r"<h\d>(?!Evidence|Steps|Which valve)", drawn) == []
    assert "<hr" not in drawn and "<ol" not in drawn and drawn.count("<ul>") == 2, drawn
    for content in line.split():
        assert drawn.count(content) >= 4, drawn


@pytest.mark.parametrize("text", ["-5 to 12 degrees", "3.5 kW", "a - b", "= 5", "2019 was dry."])
def test_figures_stay_as_they_are_written(text):
    report = _run(None).report.model_copy(update={"answer": text})
    assert f"\n{text}\n" in Exporter().markdown(_run(None).model_copy(update={"report": report}), [])
