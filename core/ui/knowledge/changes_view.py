"""The Learning view: every change with its effect and the way back, what is missing, what was asked again."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.knowledge.learned.changes import Change, Effect
from core.knowledge.learned.gaps import Difference, Gap, Update
from core.ui.chat import feedback_form
from core.ui.knowledge import training_view
from core.ui.shared import display_text, safe, session, widgets

PARTS = {
    "changes": "Changes",
    "gaps": "Not answered yet",
    "updates": "Asked again",
    "training": "Training",
}
SHOWN = 20
COLOURS: dict[str, display_text.Colour] = {"active": "green", "undone": "gray", "invalid": "orange"}
STANDING = {"active": "holds", "undone": "undone", "invalid": "no longer holds"}
DECISIONS = {"accepted": "accepted", "rejected": "rejected", "": "to be decided"}


def page() -> None:
    """Show the part the address names."""
    named = session.param(session.LEARN)
    chosen = st.segmented_control(
        "What was learnt",
        list(PARTS),
        default=named if named in PARTS else "changes",
        format_func=lambda part: PARTS[part],
        label_visibility="collapsed",
        required=True,
        key=f"learning.part.{named}",
    )
    part = chosen or "changes"
    if part != (named or "changes"):
        session.go(view="learning", learn=part)
        st.rerun()  # the next press belongs to what the address names now
    {
        "changes": changes,
        "gaps": gaps,
        "updates": updates,
        "training": training_view.render_training,
    }[part]()


# -- changes -----------------------------------------------------------------------------------


def changes() -> None:
    """List every change, newest first, with what it did to the saved questions and the way back."""
    held = session.assistant().learning.changes()
    left, right = st.columns([3, 2], gap="large")
    with right:
        _teach()
        _questions()
    with left:
        if not held:
            st.markdown(
                "Nothing was learnt yet. Press a thumb under an answer, correct it, judge a passage or a "
                "tag: each teaches something, and stands here with its effect and the way back."
            )
            return
        active = sum(change.status == "active" for change in held)
        st.caption(f"{display_text.count(len(held), 'change')}, {active} in force")
        named = session.param(session.CHANGE)
        first = [change for change in held if change.id == named]
        for change in [*first, *(c for c in held[:SHOWN] if c.id != named)]:
            _change(change)
        rest = [c for c in held[SHOWN:] if c.id != named]
        if rest:
            with st.expander(display_text.count(len(rest), "older change"), type="compact"):
                for change in rest:
                    _change(change)


def _change(change: Change) -> None:
    with st.container(border=True, gap="small", key=f"change_{change.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(STANDING[change.status], color=COLOURS[change.status])
            st.caption(f"{safe.line(change.kind)} · {display_text.moment(change.at)}")
        st.markdown(f"**{safe.line(change.name, 200)}**", anchors=False)
        st.markdown(safe.line(change.what, 600), anchors=False)
        before = change.before.get("answer")
        if isinstance(before, str) and before:
            st.caption(f"Before: {safe.line(before, 300)}")
        if change.reason:
            st.caption(safe.line(display_text.sentence(change.reason)))
        _effect(change.effect)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if change.status == "active" and feedback_form.undo(change, "list"):
                st.rerun()
            if change.run:
                st.page_link(
                    session.TRACE,
                    label="Why: the run it came from",
                    icon=":material/timeline:",
                    query_params={session.RUN: change.run},
                )


def _effect(effect: Effect | None) -> None:
    """Say what the change did to the saved question set, question by question."""
    if effect is None:
        st.caption("Its effect on the saved questions is being measured.")
        return
    if not effect.compared:
        st.caption("No saved question was asked before and after it.")
        return
    compared = display_text.count(len(effect.compared), "saved question")
    said = f"{effect.changed} of {compared} answered differently"
    with st.expander(said, type="compact"):
        frame = pd.DataFrame(
            {
                "Question": [row.question for row in effect.compared],
                "Answer": ["same" if row.same else "changed" for row in effect.compared],
                "Before": [row.before for row in effect.compared],
                "After": [row.after for row in effect.compared],
                "Supported before": [row.support_before for row in effect.compared],
                "after": [row.support_after for row in effect.compared],
            }
        )
        percent = st.column_config.NumberColumn(format="percent", width="small")
        st.dataframe(
            frame,
            hide_index=True,
            width="stretch",
            column_config={"Supported before": percent, "after": percent},
        )
        if effect.skipped:
            st.caption(f"{display_text.count(effect.skipped, 'question')} not reached in time.")


def _teach() -> None:
    """Teach what a word of the readers means in the words of the library."""
    with st.form("learning.teach", border=True, clear_on_submit=True):
        st.markdown("**Teach a word**")
        said = st.text_input("People say", placeholder="A word that readers use")
        meant = st.text_input("The library calls it", placeholder="The term in the documents")
        pressed = st.form_submit_button("Teach")
    if pressed and feedback_form.say("", f"tag:{said}", "corrected", meant):
        st.rerun()


def _questions() -> None:
    """Show and change the question set that is asked before and after every change."""
    learning = session.assistant().learning
    held = learning.questions()
    with st.form("learning.questions", border=True):
        st.markdown("**Saved questions**")
        st.caption("Asked before and after each change. While none are saved, the five asked last.")
        said = st.text_area(
            "One a line, ten at most", "\n".join(held), height=170, key=f"learning.set.{hash(held)}"
        )
        pressed = st.form_submit_button("Save")
    if pressed:
        with session.Guard():
            kept = learning.keep_questions(said.splitlines())
            st.toast(f"{display_text.count(len(kept), 'question')} saved.")


# -- gaps --------------------------------------------------------------------------------------


def gaps() -> None:
    """List what the library could not answer; it is asked again when documents come."""
    learning = session.assistant().learning
    held = learning.gaps()
    open_ones = [gap for gap in held if gap.status == "open"]
    others = [gap for gap in held if gap.status != "open"]
    if not held:
        st.markdown("Every question found its answer. What does not is kept here and asked again by itself.")
        return
    st.caption(f"{len(open_ones)} open, {len(others)} closed. They are asked again after documents come.")
    if open_ones and st.button("Ask them again now", icon=":material/refresh:", key="learning.now"):
        with session.Guard(), st.spinner("Asking again …"):
            learning.update()
            session.go(view="learning", learn="updates")
            st.rerun()
    for gap in open_ones:
        _gap(gap)
    if others:
        with st.expander(display_text.count(len(others), "closed gap"), type="compact"):
            for gap in others:
                _gap(gap)


def _gap(gap: Gap) -> None:
    with st.container(border=True, gap="small", key=f"gap_{gap.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            colour: display_text.Colour = "orange" if gap.status == "open" else "gray"
            st.badge(gap.status, color=colour)
            again = f" · asked again {display_text.count(gap.asked, 'time')}" if gap.asked else ""
            closed = f" · closed by {safe.line(gap.closed_by)}" if gap.closed_by else ""
            st.caption(f"{safe.line(gap.reason)} · {display_text.moment(gap.at)}{again}{closed}")
        st.markdown(f"**{safe.line(gap.question, 300)}**", anchors=False)
        widgets.facts(("Missing", missing) for missing in gap.missing if missing != gap.question)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if gap.status == "open" and st.button(
                "Dismiss", key=f"dismiss_{gap.id}", icon=":material/close:"
            ):
                session.assistant().learning.dismiss(gap.id)
                st.rerun()
            if gap.run:
                st.page_link(
                    session.TRACE,
                    label="The run",
                    icon=":material/timeline:",
                    query_params={session.RUN: gap.run},
                )


# -- asked again -------------------------------------------------------------------------------


def updates() -> None:
    """List each time gaps and verified answers were asked again, and let the reader decide."""
    held = session.assistant().learning.updates()
    if not held:
        st.markdown(
            "When documents come or go, gaps and verified answers are asked again in the background, "
            "whenever nobody waits for an answer. What comes out differently stands here."
        )
        return
    titles = session.assistant().library.contents.titles()
    for update in held:
        _update(update, titles)


def _update(update: Update, titles: dict[str, str]) -> None:
    with st.container(border=True, gap="small", key=f"update_{update.number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            going = update.status in ("waiting", "running")
            st.badge(update.status, color="blue" if going else "gray")
            of = update.asked + len(update.pending)
            skipped = f" · {update.skipped} left out" if update.skipped else ""
            st.caption(f"{display_text.moment(update.at)} · asked {update.asked} of {of}{skipped}")
        st.markdown(f"**{headline(update, titles)}**", anchors=False)
        for held in update.differences:
            _difference(update, held)
        if going and st.button("Cancel", key=f"cancel_update_{update.number}", icon=":material/stop:"):
            session.assistant().learning.cancel(update.number)
            st.rerun()


def headline(update: Update, titles: dict[str, str]) -> str:
    """Say what came of an update: "3 answers changed, because of SOP-112 and 2 more"."""
    because: Sequence[str] = list(dict.fromkeys(t for held in update.differences for t in held.because))
    came = [titles[key] for key in update.new if key in titles]
    if not update.differences:
        cause = (
            f"after {display_text.count(len(came), 'new document')}" if came else "the library is as it was"
        )
        return f"No answer changed, {cause}"
    count = display_text.count(len(update.differences), "answer")
    if not because:
        return f"{count} changed"
    more = f" and {len(because) - 3} more" if len(because) > 3 else ""
    return f"{count} changed, because of {safe.line(', '.join(because[:3]), 200)}{more}"


def _difference(update: Update, held: Difference) -> None:
    st.markdown(f"*{safe.line(held.question, 300)}*", anchors=False)
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(f"Before · {safe.line(held.outcome_before or 'nothing found')}")
        st.markdown(safe.line(held.before, 700) or "Nothing in the library answered this.", anchors=False)
    with right:
        because = f" · because of {safe.line(', '.join(held.because), 160)}" if held.because else ""
        st.caption(f"Now · {safe.line(held.outcome_after)}{because}")
        st.markdown(safe.line(held.after, 700), anchors=False)
    if held.decision:
        st.caption(f"You {held.decision} it.")
        return
    with st.container(horizontal=True, gap="small"):
        if st.button(
            "Accept", key=f"accept_{held.id}", icon=":material/check:", help="Verifies the new answer"
        ):
            with session.Guard():
                session.assistant().learning.accept(update.number, held.id)
                st.rerun()
        if st.button(
            "Reject", key=f"reject_{held.id}", icon=":material/close:", help="Keeps what was before"
        ):
            with session.Guard():
                session.assistant().learning.reject(update.number, held.id)
                st.rerun()
