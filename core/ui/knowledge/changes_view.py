"""The Learning view: every change with its effect and undo, gaps, and questions that were asked again."""

import pandas as pd

from core.i18n.escaping import join, layout, line
from core.i18n.messages import mark, plain, say, t, tn
from core.i18n.recorded_messages import translated
from core.knowledge.learned.changes import Change, Effect
from core.knowledge.learned.gaps import Gap
from core.ui.chat import answer_layout, feedback_form
from core.ui.knowledge import asked_again_view, tag_classes_view, training_view
from core.ui.shared import display_text, session, st, widgets
from core.ui.shared.view_choice import choose_view

PARTS = {
    "changes": mark("Changes"),
    "gaps": mark("Not answered yet"),
    "updates": mark("Asked again"),
    "classes": mark("Classes of tags"),
    "training": mark("Training"),
}
MAX_CHANGES = 20
COLOURS: dict[str, display_text.Colour] = {"active": "green", "undone": "gray", "invalid": "orange"}
STATUSES = {"active": mark("holds"), "undone": mark("undone"), "invalid": mark("no longer holds")}
STATUS = {"open": mark("open"), "closed": mark("closed"), "dismissed": mark("dismissed")}


def page() -> None:
    """Show the part the address names."""
    named, label = session.param(session.LEARN), t("What was learnt")
    part = choose_view(label, PARTS, session.LEARN, named, "changes", key="learning.part", view="learning")
    {
        "changes": changes,
        "gaps": gaps,
        "updates": asked_again_view.updates,
        "classes": tag_classes_view.page,
        "training": training_view.render_training,
    }[part]()


# -- changes -----------------------------------------------------------------------------------


def changes() -> None:
    """List every change, newest first, with its effect on the saved questions and a button to undo it."""
    all_changes = session.assistant().learning.changes()
    left, right = st.columns([3, 2], gap="large")
    with right:
        _teach()
        _questions()
    with left:
        if not all_changes:
            st.markdown(
                t(
                    "Nothing was learnt yet. Press a thumb under an answer, correct it, judge a passage or a "
                    "tag: each teaches something, and is listed here with its effect and a button to undo it."
                )
            )
            return
        active = sum(change.status == "active" for change in all_changes)
        st.caption(
            t(
                "{change}, {active} in force",
                change=tn("{n:,} change", "{n:,} changes", len(all_changes)),
                active=active,
            )
        )
        named = session.param(session.CHANGE)
        first = [change for change in all_changes if change.id == named]
        for change in [*first, *(c for c in all_changes[:MAX_CHANGES] if c.id != named)]:
            _change(change)
        rest = [c for c in all_changes[MAX_CHANGES:] if c.id != named]
        if rest:
            with st.expander(tn("{n:,} older change", "{n:,} older changes", len(rest)), type="compact"):
                for change in rest:
                    _change(change)


def _change(change: Change) -> None:
    with st.container(border=True, gap="small", key=f"change_{change.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(say(STATUSES[change.status]), color=COLOURS[change.status])
            st.caption(layout("{kind} · {at}", kind=change.kind, at=display_text.moment(change.at)))
        st.markdown(layout("**{name}**", name=line(change.name, 200)), anchors=False)
        st.markdown(translated(change.what, 600), anchors=False)
        before = change.before.get("answer")
        if isinstance(before, str) and before:
            st.caption(t("Before: {before}", before=line(answer_layout.plain(before), 300)))
        if change.reason:
            st.caption(translated(display_text.sentence(change.reason)))
        _effect(change.effect)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if change.status == "active" and feedback_form.undo(change, "list"):
                st.rerun()
            if change.run:
                st.page_link(
                    session.TRACE,
                    label=t("Why: the run it came from"),
                    icon=":material/timeline:",
                    query_params={session.RUN: change.run},
                )


def _effect(effect: Effect | None) -> None:
    """Say what the change did to the saved question set, question by question."""
    if effect is None:
        st.caption(t("Its effect on the saved questions is being measured."))
        return
    if not effect.compared:
        st.caption(t("No saved question was asked before and after it."))
        return
    title = tn(
        "{changed} of {n:,} saved question answered differently",
        "{changed} of {n:,} saved questions answered differently",
        len(effect.compared),
        changed=effect.changed,
    )
    with st.expander(title, type="compact"):
        frame = pd.DataFrame(
            {
                plain("Question"): [row.question for row in effect.compared],
                plain("Answer"): [plain("same") if row.same else plain("changed") for row in effect.compared],
                plain("Before"): [row.before for row in effect.compared],
                plain("After"): [row.after for row in effect.compared],
                plain("Supported before"): [row.support_before for row in effect.compared],
                plain("Supported after"): [row.support_after for row in effect.compared],
                plain("Cited before"): [", ".join(row.documents_before) for row in effect.compared],
                plain("Cited after"): [", ".join(row.documents_after) for row in effect.compared],
            }
        )
        percent = st.column_config.NumberColumn(format="percent", width="small")
        st.dataframe(
            frame,
            hide_index=True,
            width="stretch",
            column_config={plain("Supported before"): percent, plain("Supported after"): percent},
        )
        if effect.skipped:
            st.caption(
                tn(
                    "{n:,} question not reached in time.",
                    "{n:,} questions not reached in time.",
                    effect.skipped,
                )
            )


def _teach() -> None:
    """Teach what a word of the readers means in the words of the library."""
    with st.form("learning.teach", border=True, clear_on_submit=True):
        st.markdown(t("**Teach a word**"))
        phrase = st.text_input(t("People say"), placeholder=plain("A word that readers use"))
        meant = st.text_input(t("The library calls it"), placeholder=plain("The term in the documents"))
        pressed = st.form_submit_button(t("Teach"))
    if pressed and feedback_form.give("", f"tag:{phrase}", "corrected", meant):
        st.rerun()


def _questions() -> None:
    """Show and change the question set that is asked before and after every change."""
    learning = session.assistant().learning
    questions = learning.questions()
    with st.form("learning.questions", border=True):
        st.markdown(t("**Saved questions**"))
        st.caption(t("Asked before and after each change. While none are saved, the five asked last."))
        text = st.text_area(
            t("One a line, ten at most"),
            "\n".join(questions),
            height=170,
            key=f"learning.set.{hash(questions)}",
        )
        pressed = st.form_submit_button(t("Save"))
    if pressed:
        with session.Guard():
            saved = learning.keep_questions(text.splitlines())
            st.toast(tn("{n:,} question saved.", "{n:,} questions saved.", len(saved)))


# -- gaps --------------------------------------------------------------------------------------


def gaps() -> None:
    """List what the library could not answer; it is asked again when documents come."""
    learning = session.assistant().learning
    all_gaps = learning.gaps()
    open_ones = [gap for gap in all_gaps if gap.status == "open"]
    others = [gap for gap in all_gaps if gap.status != "open"]
    if not all_gaps:
        st.markdown(
            t("Every question found its answer. What does not is kept here and asked again by itself.")
        )
        return
    st.caption(
        t(
            "{open_ones} open, {others} closed. They are asked again after documents come.",
            open_ones=len(open_ones),
            others=len(others),
        )
    )
    if open_ones and st.button(t("Ask them again now"), icon=":material/refresh:", key="learning.now"):
        with session.Guard(), st.spinner(t("Asking again …")):
            learning.update()
            session.go(view="learning", learn="updates")
            st.rerun()
    for gap in open_ones:
        _gap(gap)
    if others:
        with st.expander(tn("{n:,} closed gap", "{n:,} closed gaps", len(others)), type="compact"):
            for gap in others:
                _gap(gap)


def _gap(gap: Gap) -> None:
    with st.container(border=True, gap="small", key=f"gap_{gap.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            colour: display_text.Colour = "orange" if gap.status == "open" else "gray"
            st.badge(say(STATUS[gap.status]), color=colour)
            parts = [translated(gap.reason), line(display_text.moment(gap.at))]
            if gap.asked:
                parts.append(tn("asked again {n:,} time", "asked again {n:,} times", gap.asked))
            if gap.last_asked:
                parts.append(t("last on {at}", at=display_text.moment(gap.last_asked)))
            if gap.closed_by:
                parts.append(t("closed by {who}", who=gap.closed_by))
            st.caption(join(" · ", parts))
        st.markdown(layout("**{question}**", question=line(gap.question, 300)), anchors=False)
        widgets.facts(
            (t("Missing"), translated(missing)) for missing in gap.missing if missing != gap.question
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if gap.status == "open" and st.button(
                t("Dismiss"), key=f"dismiss_{gap.id}", icon=":material/close:"
            ):
                session.assistant().learning.dismiss(gap.id)
                st.rerun()
            if gap.run:
                st.page_link(
                    session.TRACE,
                    label=t("The run"),
                    icon=":material/timeline:",
                    query_params={session.RUN: gap.run},
                )
