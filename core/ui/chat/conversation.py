"""The conversation in the address: its exchanges, and the inspector beside them."""

from core.errors import NotFound
from core.i18n.messages import t
from core.knowledge.stores.records import Run
from core.ui.chat import answer_view, history
from core.ui.inspector import inspector_pane
from core.ui.shared import session, st

SPLIT = (6, 5)  # the widths of conversation and inspector
STOOD = "chat.stood"  # the conversation that is open, and its answers that stood whole


def runs() -> list[Run]:
    """Return the conversation in the address, oldest first; a run alone brings its conversation."""
    questions = session.assistant().questions
    conversation, run = session.param(session.CONVERSATION), session.param(session.RUN)
    if run and not conversation:
        try:
            conversation = questions.run(run).conversation
        except NotFound:
            st.info(t("This run is no longer in the library."), icon=":material/info:")
            return []
    return questions.runs(conversation=conversation, limit=50) if conversation else []


def show(held: list[Run]) -> None:
    """Show every exchange, each in a container of its own so that none takes another's place: whole the one
    the address names, else the last, and what has stood whole since the conversation was opened; else long
    ones in short."""
    named = session.param(session.RUN)
    opened, stood = st.session_state.get(STOOD, ("", frozenset()))
    stood = stood if opened == held[0].conversation else frozenset()  # nothing folds under a reader's eyes
    stood |= {named if any(run.id == named for run in held) else held[-1].id}
    st.session_state[STOOD] = held[0].conversation, stood
    with st.container(key="strata_split"):
        talk, inspector = st.columns(SPLIT, gap="large")
    with talk:
        heads = history.bar(held[-1].conversation, held[0].question)
        for run in held:
            with st.container(key=f"exchange_{run.id}"):
                first, last = run is held[0], run is held[-1]
                answer_view.exchange(run, heads=heads and first, last=last, whole=run.id in stood)
    with inspector:
        inspector_pane.beside(held[-1], [run.id for run in held])
