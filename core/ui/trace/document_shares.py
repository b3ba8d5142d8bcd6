"""Which documents an answer rests on: found on demand, by taking each away."""

from typing import cast

from core.answering.document_contribution import Attribution
from core.i18n.escaping import join
from core.i18n.messages import mark, say, t, tn
from core.ui.shared import components, session, st
from core.ui.trace import trace_charts

_HOW = {
    "written again": mark("Each document was taken away in turn and the answer written again from the rest."),
    "checked again": mark(
        "Each document was taken away in turn and every sentence checked against the rest, "
        "by the built-in engine."
    ),
}


def show(run: str) -> None:
    """Offer the shares of the documents, and draw them once they are asked for."""
    shares = cast(dict[str, Attribution], st.session_state.setdefault(session.SHARES, {}))
    if run not in shares:
        place = st.empty()
        if not place.button(
            t("Which documents does it rest on?"), icon=":material/bar_chart:", key=f"shares_{run}"
        ):
            return
        with place, st.spinner(t("Taking each document away in turn …")):
            shares[run] = session.assistant().questions.shares(run)
        place.empty()
    found = shares[run]
    if not found.supported:
        st.caption(t("No sentence of this answer is supported, so it rests on no document."))
        return
    st.markdown(t("**Share of the answer that rests on each document**"))
    components.shares(trace_charts.shares(found), key=f"shares_drawn_{run}")
    idle = sum(not share.share for share in found.shares)
    if idle:
        st.caption(
            tn(
                "Without {n:,} other document of the evidence no sentence would fall.",
                "Without {n:,} other documents of the evidence no sentence would fall.",
                idle,
            )
        )
    parts = [
        say(_HOW[found.method]),
        tn(
            "The share is that of the {n:,} supported sentence that then falls; what two documents say "
            "rests on neither alone.",
            "The share is that of the {n:,} supported sentences that then fall; what two documents say "
            "rests on neither alone.",
            found.supported,
        ),
    ]
    if found.left_out:
        parts.append(tn("{n:,} more document not tried.", "{n:,} more documents not tried.", found.left_out))
    st.caption(join(" ", parts))
