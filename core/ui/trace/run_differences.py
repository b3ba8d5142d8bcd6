"""Turns a comparison of two runs into the rows the figure draws, word by word where a sentence changed."""

from difflib import SequenceMatcher

from core.domain import Sentence
from core.i18n.messages import mark, plain, plain_n, say_plain
from core.ui.chat import answer_layout
from core.ui.shared import display_text
from core.ui.trace.trace_charts import Data
from core.work.runs.compare_runs import pieces
from core.work.runs.run_changes import PartChange, RunComparison, SentenceChange, Side

Pieces = list[tuple[str, str]]  # text, and "" or "changed"

_WORDS = {"changed": mark("changed"), "added": mark("new"), "removed": mark("gone")}


def summary(found: RunComparison) -> str:
    """Say in one line how the answers differ."""
    counts = {
        kind: sum(c.change == kind for c in found.sentences) for kind in ("changed", "added", "removed")
    }
    texts = {
        "changed": plain_n("{n:,} sentence changed", "{n:,} sentences changed", counts["changed"]),
        "added": plain_n("{n:,} sentence new", "{n:,} sentences new", counts["added"]),
        "removed": plain_n("{n:,} sentence gone", "{n:,} sentences gone", counts["removed"]),
    }
    changes = [texts[kind] for kind, n in counts.items() if n]
    return (
        plain("{changes}.", changes=plain(", ").join(changes))
        if changes
        else plain("The answers say the same.")
    )


def answers(found: RunComparison, run: str) -> Data:
    """Draw both answers, sentence beside sentence; `run` is the one the page is about."""
    return {
        "heads": [_head(found.before, plain("Before"), run), _head(found.after, plain("After"), run)],
        "rows": _replaced([_sentence(change) for change in found.sentences]),
        "label": plain("Two answers side by side: {summary}", summary=summary(found)),
    }


def _replaced(rows: list[Data]) -> list[Data]:
    """Put a sentence that went beside the one that came in its place, so that rows stay few."""
    found: list[Data] = []
    for row in rows:
        last = found[-1] if found else None
        if last is not None and {last["change"], row["change"]} == {"added", "removed"}:
            removed, new = (last, row) if last["change"] == "removed" else (row, last)
            found[-1] = {**removed, "change": "replaced", "after": new["after"], "note": plain("replaced")}
        else:
            found.append(row)
    return found


def plan(found: RunComparison) -> Data:
    """Draw both plans, part beside part; nothing where they are the same."""
    rows = [_part(change) for change in found.parts]
    if all(change.change == "same" for change in found.parts):
        rows = []
    return {
        "heads": [{"title": plain("Plan before")}, {"title": plain("Plan after")}],
        "rows": rows,
        "label": plain("Two plans side by side"),
    }


def _head(side: Side, title: str, run: str) -> Data:
    outcome = (
        (say_plain(display_text.OUTCOMES[side.outcome][0]), display_text.OUTCOMES[side.outcome][1])
        if side.outcome is not None
        else (plain("Not finished"), "gray")
    )
    cost = [display_text.seconds(side.cost.seconds), plain_n("{n:,} call", "{n:,} calls", side.cost.calls)]
    cost += [plain_n("{n:,} token", "{n:,} tokens", side.cost.tokens)] if side.cost.tokens else []
    return {
        "title": plain("{title}, this run", title=title) if side.run == run else title,
        "badge": outcome[0],
        "colour": outcome[1],
        "meta": " · ".join(
            (
                display_text.engine(side.engine) or plain("no engine"),
                *cost,
                *_supported(side),
            )
        ),
    }


def _supported(side: Side) -> list[str]:
    if not side.sentences:
        return []
    return [plain("{supported} of {sentences} supported", supported=side.supported, sentences=side.sentences)]


def _sentence(change: SentenceChange) -> Data:
    before, after = _sentence_text(change.before), _sentence_text(change.after)
    left, right = _marked(before, after) if change.change == "changed" else (_plain(before), _plain(after))
    note = (
        plain("other sources")
        if change.sources_changed and change.change == "same"
        else say_plain(_WORDS[change.change])
        if change.change in _WORDS
        else ""
    )
    return {"change": change.change, "before": left, "after": right, "note": note}


def _sentence_text(sentence: Sentence | None) -> str:
    return answer_layout.plain(sentence.text) if sentence is not None else ""


def _part(change: PartChange) -> Data:
    before = change.before.question if change.before is not None else ""
    after = change.after.question if change.after is not None else ""
    left, right = _marked(before, after) if change.change == "changed" else (_plain(before), _plain(after))
    return {
        "change": change.change,
        "before": left,
        "after": right,
        "under": [_under(change.found_before, before), _under(change.found_after, after)],
        "note": plain("as found before")
        if change.reused
        else say_plain(_WORDS[change.change])
        if change.change in _WORDS
        else plain("worked on again"),
    }


def _under(found: str, question: str) -> str:
    return (answer_layout.plain(found) or plain("nothing found")) if question else ""


def _plain(text: str) -> Pieces:
    return [(text, "")] if text else []


def _marked(before: str, after: str) -> tuple[Pieces, Pieces]:
    """Return both texts in pieces, those that differ marked."""
    one, other = pieces(before), pieces(after)
    left: Pieces = []
    right: Pieces = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        mark = "" if kind == "equal" else "changed"
        if b > a:
            left.append(("".join(one[a:b]), mark))
        if d > c:
            right.append(("".join(other[c:d]), mark))
    return left, right
