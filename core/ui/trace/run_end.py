"""The end of a protocol: the verdict, where the time went, every call with its prompt and reply, the log."""

from collections.abc import Sequence

import streamlit as st

from core.knowledge.stores.records import Run
from core.tasks import Call
from core.trace import Stamped, StepFinished, StepStarted, Wrote
from core.ui.shared import components, display_text, safe, widgets
from core.ui.trace import charts, event_lines
from core.ui.trace.story import Story


def verdict(story: Story) -> None:
    """Show what the check found, what is missing, what was flagged and what failed."""
    rows: list[tuple[str, str]] = []
    for checked in story.verified:
        word, _, meaning = display_text.OUTCOMES[checked.verdict.outcome]
        rows.append(
            (f"Round {checked.round}" if len(story.verified) > 1 else "Outcome", f"{word}. {meaning}")
        )
    if story.verdict is not None:
        rows += [("Missing", missing) for missing in story.verdict.missing]
        rows += [("Conflict", conflict) for conflict in story.verdict.conflicts]
        rows += [("Note", note) for note in story.verdict.notes]
    rows += [("Note", f"{warned.message} {warned.hint}") for warned in story.warnings]
    widgets.facts(rows)
    for flagged in story.flags:
        st.warning(
            f"**A passage tries to give orders; it was treated as data.**  \n{safe.line(flagged.text, 300)}",
            icon=":material/shield:",
        )
    if story.failed is not None:
        widgets.failure(story.failed)


def time(story: Story, number: int) -> None:
    """Show where the time went."""
    widgets.section(number, "Time and engines")
    engines = story.engines()
    made_by = f" · made by {', '.join(map(safe.line, engines))}" if engines else ""
    st.caption(
        f"{display_text.seconds(story.seconds)} in all · "
        f"{display_text.count(len(story.calls), 'call')}{made_by}"
    )
    if story.spans:
        components.waterfall(charts.waterfall(story), key="waterfall")


def calls(story: Story, run: Run) -> None:
    """List every call; its prompt and reply open on demand."""
    if not story.calls:
        return
    with st.expander(
        f"Prompts and replies of {display_text.count(len(story.calls), 'call')}",
        type="compact",
        key=f"calls_{run.id}",
    ):
        held = [made.call for made in story.calls]
        st.dataframe(
            {
                "task": [call.task for call in held],
                "part": [made.sub_question for made in story.calls],
                "engine": [call.engine for call in held],
                "ms": [round(call.seconds * 1000, 1) for call in held],
                "tokens in": [call.tokens_in for call in held],
                "tokens out": [call.tokens_out for call in held],
                "repairs": [call.repairs for call in held],
                "left out": [call.trimmed for call in held],
                "cached": [call.cached for call in held],
            },
            width="stretch",
        )
        chosen = st.selectbox(
            "Call",
            range(len(held)),
            format_func=lambda n: f"{n} · {held[n].task} · {held[n].engine}",
            key=f"call_{run.id}",
        )
        if chosen is not None:
            _call(held[chosen])


def _call(call: Call) -> None:
    if call.fallback:
        st.caption(f"The built-in engine answered instead of the model: {safe.line(call.fallback)}")
    st.caption(f"Prompt{f' · {call.prompt_hash[:10]}' if call.prompt_hash else ''}")
    st.code(
        call.prompt or "The built-in engine works on the typed task and has no prompt.",
        language=None,
        wrap_lines=True,
    )
    st.caption("Reply")
    st.code(call.reply or "(not kept)", language=None, wrap_lines=True)


def log(held: Sequence[Stamped]) -> None:
    """List every event in the order it happened."""
    shown = [stamped for stamped in held if not isinstance(stamped.event, Wrote | StepStarted | StepFinished)]
    with st.expander(f"All {display_text.count(len(shown), 'event')}, one by one", type="compact"):
        for stamped in shown:
            event_lines.render(stamped)
