"""Writes a run down: as Markdown, and as one HTML file that opens offline. All foreign text is escaped."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import starmap

from core.domain import Passage, Plan, Report, Sentence
from core.export import minutes
from core.knowledge.stores.records import Run
from core.text.open_references import worded
from core.trace import Failed, Planned, Stamped, StepFinished, StepStarted, Warned, Wrote

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#+!|$~&])")
# The beginning of a line that makes it an item of a list, a rule, or a heading of the line above it.
_BLOCK = re.compile(r"^(\s*(?:\d{1,9}(?=[.)](?:\s|$))|(?=-(?:\s|$)|[-\s]*$|=+\s*$)))(?=\S)")

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#d8dde4;--paper:#fff;--accent:#0b6e75}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b5;--line:#333c48;--paper:#14181e;--accent:#5cc2c9}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:46rem;
margin:2.5rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.1rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.4rem 0 .2rem}
.badge{border:1px solid var(--accent);color:var(--accent);border-radius:1rem;
padding:.1rem .7rem;font-size:.85rem}
.soft,.meta{color:var(--soft);font-size:.9rem}sup a{text-decoration:none;color:var(--accent)}
.missing,.contradicted{text-decoration:underline wavy;text-underline-offset:.2em}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;vertical-align:top;
padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}td.n{text-align:right;
font-variant-numeric:tabular-nums}
blockquote{margin:.4rem 0 1.2rem;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--line);
white-space:pre-wrap;overflow-wrap:anywhere}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Exporter:
    """Turns a run and its events into a document somebody else can read."""

    def markdown(self, run: Run, events: Sequence[Stamped], changes: Sequence[str] = ()) -> str:
        """Return answer, plan, evidence and steps as Markdown; `changes` say what an earlier run had else."""
        report = run.report
        lines = [f"# {_md(run.question)}", ""]
        if report is None:
            return "\n".join([*lines, _md(_unfinished(run, events)), ""])
        lines += [
            f"**{report.outcome.value}** · {report.level.value} · {_md(report.engine)}"
            f" · {report.seconds:.1f} s",
            "",
        ]
        if report.read_as:
            lines += [f"Read as: {_md(report.read_as)}", ""]
        lines += [_md_answer(report), ""]
        if changes:
            lines += ["## What changed", "", *(f"- {_md(change)}" for change in changes), ""]
        for title, items in _remarks(report):
            lines += [f"**{title}**", "", *(f"- {_md(item)}" for item in items), ""]
        if report.plan and report.plan.parts:
            lines += ["## Plan", "", "| | Question | Type | Needs | Answer |", "|---|---|---|---|---|"]
            lines += [
                f"| {' | '.join(_md(cell) for cell in row)} |" for row in _plan_rows(report.plan, report)
            ]
            lines.append("")
        lines += minutes.markdown(report, _md)
        if report.passages:
            lines += ["## Evidence", ""]
            for n, passage in enumerate(report.passages, 1):
                quoted = "\n".join(f"> {_md(line)}" for line in passage.chunk.text.splitlines())
                lines += [f"**[{n}]** {_md(_source(passage))}", "", quoted, ""]
        lines += ["## Steps", "", "| Step | Seconds |", "|---|---|"]
        lines += [f"| {_md(name)} | {seconds:.3f} |" for name, seconds in _steps(events)]
        return "\n".join([*lines, ""])

    def html(self, run: Run, events: Sequence[Stamped], changes: Sequence[str] = ()) -> str:
        """Return the run as one HTML document without scripts or outside addresses."""
        report = run.report
        body = [f"<h1>{escape(run.question)}</h1>"]
        if report is None:
            body.append(f"<p>{escape(_unfinished(run, events))}</p>")
        else:
            body += self._report(report, changes)
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td class=n>{seconds:.3f} s</td></tr>"
            for name, seconds in _steps(events)
        )
        body.append(f"<h2>Steps</h2><table>{rows}</table>")
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(run.question[:80])}</title><style>{_STYLE}</style></head>"
            f"<body>{''.join(body)}</body></html>"
        )

    def _report(self, report: Report, changes: Sequence[str]) -> Iterable[str]:
        yield (
            f'<p><span class="badge">{escape(report.outcome.value)}</span> <span class="soft">'
            f"{report.level.value} · {escape(report.engine)} · {report.seconds:.1f} s</span></p>"
        )
        if report.read_as:
            yield f'<p class="soft">Read as: {escape(report.read_as)}</p>'
        yield f"<p>{' '.join(map(_html_sentence, report.sentences)) or escape(report.answer)}</p>"
        for title, items in (("What changed", changes), *_remarks(report)):
            if not items:
                continue
            yield f"<h2>{title}</h2><ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"
        if report.plan and report.plan.parts:
            rows = "".join(
                f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
                for row in _plan_rows(report.plan, report)
            )
            yield f"<h2>Plan</h2><table><tr><th><th>Question<th>Type<th>Needs<th>Answer</tr>{rows}</table>"
        yield from minutes.html(report)
        if report.passages:
            yield "<h2>Evidence</h2>"
            yield from starmap(_html_passage, enumerate(report.passages, 1))


def _md(text: str) -> str:
    line = " ".join(text.splitlines())
    return _BLOCK.sub(r"\1\\", _SPECIAL.sub(r"\\\1", line))


def _md_answer(report: Report) -> str:
    if not report.sentences:
        return _md(report.answer)
    return " ".join(
        f"{_md(s.text)}{''.join(f' [{n}]' for n in s.citations)}{_doubt(s)}" for s in report.sentences
    )


def _doubt(sentence: Sentence) -> str:
    if sentence.made == "computed":
        return " *(computed)*"
    return "" if sentence.support.value == "supported" else f" *({sentence.support.value})*"


def _html_sentence(sentence: Sentence) -> str:
    marks = "".join(f'<sup><a href="#e{n}">[{n}]</a></sup>' for n in sentence.citations)
    return f'<span class="{sentence.support.value}">{escape(sentence.text)}</span>{marks}'


def _html_passage(n: int, passage: Passage) -> str:
    return (
        f'<p id="e{n}" class="meta"><b>[{n}]</b> {escape(_source(passage))}</p>'
        f"<blockquote>{escape(passage.chunk.text)}</blockquote>"
    )


def _source(passage: Passage) -> str:
    heading = " > ".join(passage.chunk.heading_path)
    return " · ".join(
        part for part in (passage.document_title, heading, passage.chunk.location.label()) if part
    )


def _remarks(report: Report) -> list[tuple[str, tuple[str, ...]]]:
    remarks = (("Notes", report.notes), ("Missing", report.missing), ("Disagreements", report.conflicts))
    return [(title, items) for title, items in remarks if items]


def _plan_rows(plan: Plan, report: Report) -> list[tuple[str, ...]]:
    answers = {part.id: part for part in report.parts}
    asked = {part.id: part.question for part in plan.parts}
    rows: list[tuple[str, ...]] = []
    for part in plan.parts:
        answer = answers.get(part.id)
        text = answer.answer if answer and answer.found else "not found"
        needs = ", ".join(f"#{n}" for n in part.depends_on)
        rows.append((str(part.id), worded(part.question, asked), part.type, needs, text))
    return rows


def _steps(events: Sequence[Stamped]) -> list[tuple[str, float]]:
    """Return each step with its seconds, in the order they began."""
    begun: dict[str, float] = {}
    steps: list[tuple[str, float]] = []
    for stamped in events:
        match stamped.event:
            case StepStarted(step=step):
                begun[step] = stamped.at
            case StepFinished(step=step) if step in begun:
                steps.append((step, stamped.at - begun.pop(step)))
    return steps


def _unfinished(run: Run, events: Sequence[Stamped]) -> str:
    """Say why a run has no report, with what it wrote."""
    written = "".join(s.event.text for s in events if isinstance(s.event, Wrote))
    messages = [s.event.message for s in events if isinstance(s.event, Failed | Warned)]
    planned = [s.event for s in events if isinstance(s.event, Planned)]
    parts = f"{len(planned[-1].plan.parts)} parts were planned." if planned else ""
    return " ".join(piece for piece in (f"This run is {run.status}.", *messages, parts, written) if piece)
