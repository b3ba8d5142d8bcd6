"""The chat bar: the box to ask in, with files, scope, effort, engine and level; asking starts a run."""

from typing import Any, cast

from core.domain import BUILT_IN, Level, Scope
from core.i18n.escaping import Safe, join, line
from core.i18n.messages import Message, mark, plain, say, say_plain, t, tn
from core.perspectives import viewpoints
from core.ui.chat import attachments
from core.ui.inspector import live_trace, selection
from core.ui.shared import display_text, session, st
from core.work.runs.run_request import Strategy

PENDING_QUESTION = "chat.kept"  # a question that could not be asked yet

ATTACHING: dict[str, Any] = {"accept_file": "multiple"}  # of Streamlit's box

STRATEGIES: dict[Strategy, Message] = {
    "auto": mark("Automatic"),
    "plan": mark("Plan first"),
    "loop": mark("Step by step"),
}


def show() -> None:
    """Show the bar; what is sent is asked, attached files go into the library first."""
    if question := st.session_state.pop(PENDING_QUESTION, ""):
        reword(question)
    with st.bottom:
        attachments.progress()
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="strata_options"):
            _scope()
            st.segmented_control(
                t("Effort"),
                list(display_text.EFFORTS),
                key=session.EFFORT,
                format_func=lambda effort: say(display_text.EFFORTS[effort]),
                default="balanced",
                required=True,
                label_visibility="collapsed",
                help=t(
                    "Quick reads the question by rules; balanced asks a model where they are not sure; "
                    "thorough always asks, explores step by step and checks twice."
                ),
            )
            _engine()
            _more()
        sent = st.chat_input(
            plain("Ask the library"),
            key=session.QUESTION,
            max_chars=10_000,
            **(ATTACHING if session.may("add") else {}),
        )
    if sent is not None:
        _sent(sent)


def _sent(sent: str | st.ChatValue) -> None:
    question, files = (sent, []) if isinstance(sent, str) else (sent.text, sent.files)
    if files:
        attachments.take(files, question)
    elif not session.assistant().library.contents.counts().get("documents", 0):
        if not attachments.wait_for_library(question):
            st.toast(
                t("The library is empty: attach a file to ask about it.")
                if session.may("add")
                else t("The library is empty."),
                icon=":material/upload_file:",
            )
            # The box is drawn already; the next run puts it back.
            st.session_state[PENDING_QUESTION] = question
    else:
        ask(question)
    st.rerun()


@st.cache_data(ttl=20, show_spinner=False)
def _served(library: str) -> tuple[str, tuple[str, ...]]:
    """Say what answers now, and which models could; asked of the server at most three times a minute."""
    return session.assistant().admin.answering()


def _named(engine: str) -> Safe:
    return t("Built-in engine") if engine == BUILT_IN else line(engine, 40)


def _engine() -> None:
    """Show what answers; where a server has models, let the reader choose the one for what is asked next."""
    usual, models = _served(str(session.assistant().library.path))
    manages = session.may("models")
    if not models:
        if manages:
            st.page_link(session.MODELS, label=_named(usual), icon=":material/memory:")
        return
    label = _named(st.session_state.get(session.MODEL) or usual)
    with st.popover(label, type="tertiary", icon=":material/memory:"):
        st.selectbox(
            t("Model for what is asked next"),
            [*models, BUILT_IN],
            index=None,
            key=session.MODEL,
            format_func=lambda model: plain("Built-in engine") if model == BUILT_IN else model,
            placeholder=plain("As set: {model}", model=usual),
            help=t("Only for questions asked here. The settings stay as they are."),
        )
        if manages:
            st.page_link(session.MODELS, label=t("Models"), icon=":material/settings:")


def _scope() -> None:
    library = session.assistant().library.contents
    collections = st.session_state.get(session.SCOPE_COLLECTIONS, [])
    documents = st.session_state.get(session.SCOPE_DOCUMENTS, [])
    parts = [tn("{n:,} collection", "{n:,} collections", len(collections))] if collections else []
    parts += [tn("{n:,} document", "{n:,} documents", len(documents))] if documents else []
    with st.popover(join(", ", parts) or t("Whole library"), type="tertiary", icon=":material/folder_open:"):
        st.multiselect(
            t("Collections"), library.collections(), key=session.SCOPE_COLLECTIONS, placeholder=plain("All")
        )
        titles = display_text.distinct(library.titles())
        st.multiselect(
            t("Documents"),
            sorted(titles, key=lambda name: titles[name].lower()),
            key=session.SCOPE_DOCUMENTS,
            format_func=lambda name: titles.get(name, name),
            placeholder=plain("All"),
        )


def _more() -> None:
    level = st.session_state.get(session.LEVEL)
    label = say(display_text.LEVELS[level][0]) if level else t("Any level")
    with st.popover(label, type="tertiary", icon=":material/tune:"):
        st.selectbox(
            t("Level of the question"),
            list(Level),
            index=None,
            key=session.LEVEL,
            format_func=lambda chosen: ": ".join(map(say_plain, display_text.LEVELS[chosen])),
            placeholder=plain("Automatic"),
        )
        if st.session_state.get(session.LEVEL) is Level.CREATIVE:
            st.multiselect(
                t("Perspectives"),
                [role.name for role in viewpoints.all_viewpoints("en")],
                key=session.ROLES,
                accept_new_options=True,
                max_selections=viewpoints.MAX_VIEWPOINTS,
                placeholder=plain("Chosen for the question"),
                help=t("Choose some, or write your own as “Name: what it cares about”."),
            )
        st.selectbox(
            t("Way of working"),
            list(STRATEGIES),
            key=session.STRATEGY,
            placeholder="",
            format_func=lambda way: say_plain(STRATEGIES[way]),
        )


def reword(question: str) -> None:
    """Put a question back into the box, to be changed."""
    st.session_state[session.QUESTION] = question


def ask(question: str) -> None:
    """Start a run in this conversation and put it into the address; what is said during a run goes to it."""
    with session.Guard():
        state, questions = st.session_state, session.assistant().questions
        conversation = session.param(session.CONVERSATION)
        going = [run for run in questions.heads(conversation) if live_trace.live(run)] if conversation else []
        if going and questions.instruct(going[-1].id, question):
            st.toast(t("Taken into the answer in progress."), icon=":material/add_comment:")
            return
        run = questions.ask(
            question,
            level=state.get(session.LEVEL),
            scope=Scope(
                collections=tuple(state.get(session.SCOPE_COLLECTIONS, ())),
                documents=tuple(state.get(session.SCOPE_DOCUMENTS, ())),
            ),
            conversation=conversation or None,
            strategy=cast(Strategy, state.get(session.STRATEGY) or "auto"),
            effort=state.get(session.EFFORT),
            model=state.get(session.MODEL) or "",
            roles=state.get(session.ROLES, ()) if state.get(session.LEVEL) is Level.CREATIVE else (),
        )
        selection.close()
        session.go(conversation=questions.run(run).conversation, run=run)
