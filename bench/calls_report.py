"""What `bench.calls` measured of one question, and how it is reported: lines, medians, goals."""

import statistics
from dataclasses import dataclass

STRATA, PLAIN, SUB = "Strata", "LlamaIndex, plain", "LlamaIndex, sub-questions"
SAME_PASSAGES = "LlamaIndex, plain, Strata's passages"


@dataclass(frozen=True)
class Cost:
    """What one question took. Seconds of calls at the machine's pace; tokens_read: new to a slot."""

    who: str
    kind: str
    language: str
    question: str
    slots: int
    before: int  # calls before the first word, the one that writes it included
    calls: int
    tokens_in: int
    tokens_read: int
    tokens_out: int
    first: float
    end: float
    verdict: float
    own: float  # seconds until the end in which no call was worked on, on this machine as loaded as it is
    waves: int = 0
    again: int = 0  # calls of the same question asked a second time
    passages: tuple[str, ...] = ()  # chunk ids
    tasks: str = ""
    level: str = ""


def line(c: Cost) -> str:
    """Return the cost of one question in a line."""
    return (
        f"{c.slots} {c.kind:9} {c.who:26} {c.before}/{c.calls} calls, {c.tokens_in:6,} in"
        f" ({c.tokens_read:,} read), {c.tokens_out:4} out, first {c.first:6.1f}, end {c.end:6.1f},"
        f" verdict {c.verdict:6.1f}, own {c.own:5.1f}, again {c.again}, {len(c.passages)} passages"
        f" {c.level} {c.tasks}  {c.question[:50]}"
    )


def table(costs: list[Cost]) -> str:
    """Return the medians of every kind, and the goals."""
    lines = [
        "| slots | kind | who | before | calls | in | read | out | first | end | verdict | own | again |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    groups = dict.fromkeys((c.slots, c.kind, c.who) for c in costs)
    for slots, kind, who in sorted(groups, key=lambda g: (g[0], ORDER.index(g[1]))):
        held = [c for c in costs if (c.slots, c.kind, c.who) == (slots, kind, who)]
        figures = [
            *(_span([getattr(c, name) for c in held]) for name in ("before", "calls")),
            *(f"{statistics.median(getattr(c, n) for c in held):,.0f}" for n in ("tokens_in", "tokens_read")),
            f"{statistics.median(c.tokens_out for c in held):.0f}",
            *(
                f"{statistics.median(getattr(c, n) for c in held):.1f}"
                for n in ("first", "end", "verdict", "own")
            ),
            str(sum(c.again for c in held)) if who == STRATA else "",
        ]
        lines.append(f"| {slots} | {kind} | {who} | " + " | ".join(figures) + " |")
    return "\n".join(lines)


ORDER = ("simple", "composite", "forecast", "ideas")


def _span(values: list[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


def goals(costs: list[Cost]) -> dict[str, bool | float]:
    """Return each goal of balanced effort with its figure: the ratios are of medians, per number of slots."""
    found: dict[str, bool | float] = {}
    for slots in sorted({c.slots for c in costs}):

        def middle(who: str, kind: str, what: str, slots: int = slots) -> float:
            held = [c for c in costs if (c.who, c.kind, c.slots) == (who, kind, slots)]
            return statistics.median(getattr(c, what) for c in held) if held else float("nan")

        ours = [c for c in costs if c.who == STRATA and c.slots == slots]
        simple, composite = ("simple", "composite")
        found |= {
            f"{slots}: simple, calls before the first word <= 1": all(
                c.before <= 1 for c in ours if c.kind == simple
            ),
            f"{slots}: simple, first word / LlamaIndex <= 1.2": middle(STRATA, simple, "first")
            / middle(PLAIN, simple, "first"),
            f"{slots}: simple, end / LlamaIndex <= 1.2": middle(STRATA, simple, "end")
            / middle(PLAIN, simple, "end"),
            f"{slots}: simple, first word / LlamaIndex over the same passages": middle(
                STRATA, simple, "first"
            )
            / middle(SAME_PASSAGES, simple, "first"),
            f"{slots}: composite, calls before the first word <= 2 + waves": all(
                c.before <= 2 + c.waves for c in ours if c.kind == composite
            ),
            f"{slots}: composite, end / own simple <= 2": middle(STRATA, composite, "end")
            / middle(STRATA, simple, "end"),
            f"{slots}: composite, end / sub-questions < 1": middle(STRATA, composite, "end")
            / middle(SUB, composite, "end"),
            f"{slots}: ideas, calls <= 2": all(c.calls <= 2 for c in ours if c.kind == "ideas"),
            f"{slots}: forecast, calls <= 1": all(c.calls <= 1 for c in ours if c.kind == "forecast"),
            f"{slots}: the same question again, no calls": all(c.again == 0 for c in ours),
        }
    return {k: v if isinstance(v, bool) else round(v, 2) for k, v in found.items()}
