"""The conversation in the address: its exchanges, and the inspector beside them."""

from collections.abc import Sequence

from core.errors import NotFound
from core.i18n.messages import plain, t, tn
from core.knowledge.stores.records import Run
from core.ui.chat import answer_view, history
from core.ui.inspector import inspector_pane, live_trace
from core.ui.shared import components, session, st

SPLIT = (6, 5)  # the widths of conversation and inspector
STOOD = "chat.stood"  # the conversation that is open, and its answers that stand whole
EARLIER = 1  # exchanges before the first whole one that are not put away


def runs() -> Sequence[Run]:
    """Return the conversation in the address without reports, oldest first; a run alone brings its
    conversation."""
    questions = session.assistant().questions
    conversation, run = session.param(session.CONVERSATION), session.param(session.RUN)
    if run and not conversation:
        try:
            conversation = questions.run(run).conversation
        except NotFound:
            st.info(t("This run is no longer in the library."), icon=":material/info:")
            return []
    return questions.heads(conversation, limit=50) if conversation else []


def _answers_drawn_before(exchanges: Sequence[Run]) -> frozenset[str]:
    """Return the answers that stood whole when the conversation was drawn last."""
    opened, stood = st.session_state.get(STOOD, ("", frozenset()))
    return stood if opened == exchanges[0].conversation else frozenset()


def _keep(exchanges: Sequence[Run], whole: frozenset[str]) -> None:
    st.session_state[STOOD] = exchanges[0].conversation, whole


def _away(exchanges: Sequence[Run], whole: frozenset[str]) -> int:
    """Return how many exchanges, of the oldest, are put away."""
    return max(0, next(place for place, run in enumerate(exchanges) if run.id in whole) - EARLIER)


def show(exchanges: Sequence[Run]) -> None:
    """Show the exchanges, each in its own container, there even where it is put away, so that none takes
    another's place: whole the one the address names, else the last, and what stood whole until that came
    into view; the others in short."""
    named = session.param(session.RUN)
    looked_at = named if any(run.id == named for run in exchanges) else exchanges[-1].id
    stood = _answers_drawn_before(exchanges) | {looked_at}
    _keep(exchanges, stood)
    away = _away(exchanges, stood)
    with st.bottom:
        components.skip(
            plain("Go to the answer"),
            "" if looked_at == exchanges[0].id else looked_at,  # the first stands at the top anyway
            key="strata_skip",
            arrived=(lambda run: _keep(exchanges, frozenset({run}))) if len(stood) > 1 else None,
        )
    with st.container(key="strata_split"):
        talk, inspector = st.columns(SPLIT, gap="large")
    with talk:
        heads = history.bar(exchanges[-1].conversation, exchanges[0].question)
        with st.container(gap=None, key="strata_exchanges"):
            _put_away(exchanges[:away])
            for place, run in enumerate(exchanges):
                first, last = place == away, run is exchanges[-1]
                for kind in ("exchange", "short_exchange"):  # a place each: what folds is drawn anew
                    if place < away or (kind == "exchange") is not (run.id in stood):
                        st.empty()
                        continue
                    with st.container(key=f"{kind}_{run.id}"):
                        whole = kind == "exchange"
                        answer_view.exchange(
                            live_trace.opened(run), heads=heads and first, last=last, whole=whole
                        )
    with inspector, st.container(gap=None):
        for _ in exchanges[:-1]:
            st.empty()  # the course of another run is drawn anew and does not replace the one before
        with st.container():
            inspector_pane.beside(exchanges[-1], [run.id for run in exchanges])


def _put_away(exchanges: Sequence[Run]) -> None:
    """Keep what was asked long ago on one line that unfolds, in a place that is there without it."""
    with st.container(key="strata_put_away"):
        if not exchanges:
            return
        label = tn("{n:,} earlier question", "{n:,} earlier questions", len(exchanges))
        key = f"put_away_{exchanges[0].conversation}"
        with st.expander(label, type="compact", key=key, on_change="rerun") as unfolded:
            if unfolded.open:
                for run in exchanges:
                    with st.container(key=f"away_{run.id}"):
                        answer_view.exchange(live_trace.opened(run), heads=False, last=False, whole=False)
