"""What was asked again after documents came or went, and came out differently."""

from collections.abc import Sequence

from core.i18n.escaping import Safe, join, layout, line
from core.i18n.messages import mark, say, t, tn
from core.knowledge.learned.gaps import Difference, Update
from core.ui.shared import display_text, session, st

STATUS = {
    "waiting": mark("waiting"),
    "running": mark("running"),
    "done": mark("done"),
    "cancelled": mark("cancelled"),
}


def updates() -> None:
    """List each time gaps and verified answers were asked again, and let the reader decide."""
    history = session.assistant().learning.updates()
    if not history:
        st.markdown(
            t(
                "When documents come or go, gaps and verified answers are asked again in the background, "
                "whenever nobody waits for an answer. What comes out differently stands here."
            )
        )
        return
    titles = session.assistant().library.contents.titles()
    for update in history:
        _update(update, titles)


def _update(update: Update, titles: dict[str, str]) -> None:
    with st.container(border=True, gap="small", key=f"update_{update.number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            going = update.status in ("waiting", "running")
            st.badge(say(STATUS[update.status]), color="blue" if going else "gray")
            of = update.asked + len(update.pending)
            parts = [
                line(display_text.moment(update.at)),
                t("asked {asked} of {of}", asked=update.asked, of=of),
            ]
            if update.skipped:
                parts.append(t("{count} left out", count=update.skipped))
            st.caption(join(" · ", parts))
        st.markdown(layout("**{headline}**", headline=headline(update, titles)), anchors=False)
        for difference in update.differences:
            _difference(update, difference)
        if going and st.button(t("Cancel"), key=f"cancel_update_{update.number}", icon=":material/stop:"):
            session.assistant().learning.cancel(update.number)
            st.rerun()


def headline(update: Update, titles: dict[str, str]) -> Safe:
    """Say what came of an update: "3 answers changed, because of SOP-112 and 2 more"."""
    because: Sequence[str] = list(
        dict.fromkeys(each for difference in update.differences for each in difference.because)
    )
    came = [titles[key] for key in update.new if key in titles]
    if not update.differences:
        if not came:
            return t("No answer changed, the library is as it was")
        return tn(
            "No answer changed, after {n:,} new document",
            "No answer changed, after {n:,} new documents",
            len(came),
        )
    changed = tn("{n:,} answer changed", "{n:,} answers changed", len(update.differences))
    if not because:
        return changed
    named = line(", ".join(because[:3]), 200)
    if len(because) > 3:
        return t(
            "{changed}, because of {names} and {n} more", changed=changed, names=named, n=len(because) - 3
        )
    return t("{changed}, because of {names}", changed=changed, names=named)


def _difference(update: Update, difference: Difference) -> None:
    st.markdown(layout("*{question}*", question=line(difference.question, 300)), anchors=False)
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(t("Before · {value}", value=line(difference.outcome_before) or t("nothing found")))
        st.markdown(line(difference.before, 700) or t("Nothing in the library answered this."), anchors=False)
    with right:
        parts = [t("Now"), line(difference.outcome_after)]
        if difference.because:
            parts.append(t("because of {names}", names=line(", ".join(difference.because), 160)))
        st.caption(join(" · ", parts))
        st.markdown(line(difference.after, 700), anchors=False)
    if difference.decision:
        st.caption(t("You accepted it.") if difference.decision == "accepted" else t("You rejected it."))
        return
    with st.container(horizontal=True, gap="small"):
        if st.button(
            t("Accept"),
            key=f"accept_{difference.id}",
            icon=":material/check:",
            help=t("Verifies the new answer"),
        ):
            with session.Guard():
                session.assistant().learning.accept(update.number, difference.id)
                st.rerun()
        if st.button(
            t("Reject"),
            key=f"reject_{difference.id}",
            icon=":material/close:",
            help=t("Keeps what was before"),
        ):
            with session.Guard():
                session.assistant().learning.reject(update.number, difference.id)
                st.rerun()
