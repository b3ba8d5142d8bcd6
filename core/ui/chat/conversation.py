"""The chat page: an empty state that invites, the conversation, the box to ask in, the history."""

from typing import Literal, cast

import streamlit as st

from core.domain import Effort, Level, Scope
from core.errors import NotFound
from core.knowledge.stores.records import Run
from core.perspectives import viewpoints
from core.ui.chat import answer_view
from core.ui.shared import display_text, safe, session

Strategy = Literal["auto", "plan", "loop"]

_AT_WORK = ("queued", "running")
EFFORTS: dict[Effort, str] = {"quick": "Quick", "balanced": "Balanced", "thorough": "Thorough"}
STRATEGIES: dict[Strategy, str] = {"auto": "Automatic", "plan": "Plan first", "loop": "Step by step"}


def runs() -> list[Run]:
    """Return the conversation in the address, oldest first; a run alone brings its conversation."""
    assistant = session.assistant()
    conversation, run = session.param(session.CONVERSATION), session.param(session.RUN)
    if run and not conversation:
        try:
            conversation = assistant.questions.run(run).conversation
        except NotFound:
            st.info("This run is no longer in the library.", icon=":material/info:")
            return []
    return assistant.questions.runs(conversation=conversation, limit=50) if conversation else []


def history() -> None:
    """Show the conversations of this library at the side, the one spoken last first."""
    current = session.param(session.CONVERSATION)
    with st.sidebar:
        if st.button("New question", icon=":material/add:", width="stretch", key="chat.new"):
            session.go()
            st.rerun()
        conversations = session.assistant().questions.conversations(limit=40)
        if conversations:
            st.caption("Earlier")
        with st.container(gap="xxsmall", key="strata_history"):
            for held in conversations:
                label = safe.line(held.title, 64)
                if st.button(
                    f"**{label}**" if held.id == current else label,
                    key=f"conversation_{held.id}",
                    type="tertiary",
                    help=display_text.moment(held.updated),
                    wrap=False,
                ):
                    session.go(conversation=held.id)
                    st.rerun()


def welcome() -> None:
    """Show the empty state; a suggested question that is pressed is asked."""
    counts = session.assistant().library.contents.counts()
    st.title("What would you like to know?", anchor=False)
    documents = counts.get("documents", 0)
    if not documents:
        _arriving()
        return
    st.markdown(
        f"Strata answers from the {display_text.count(documents, 'document')} on this machine, "
        "shows how it got there, and says so when the library holds no answer."
    )
    st.fragment(_examples, run_every=2.0 if _active() else None)(live=_active())


def _active() -> bool:
    """Say whether files are on their way in or being distilled: better examples come of that."""
    return any(job.kind == "file" and job.status in _AT_WORK for job in session.assistant().library.jobs())


def _examples(*, live: bool) -> None:
    if live and not _active():
        st.rerun(scope="app")
    suggestions = session.assistant().library.suggestions(4)
    if suggestions:
        st.space("small")
        st.caption("For example")
    for n, suggestion in enumerate(suggestions):
        if st.button(safe.line(suggestion, 160), key=f"suggestion_{n}", width="stretch"):
            ask(suggestion)
    if live:
        st.caption("The documents are still being read; more can be asked in a moment.")


@st.fragment(run_every=1.5)
def _arriving() -> None:
    """Say what an empty library waits for, and open the page once the documents can be searched."""
    coming = session.assistant().library.coming()
    if not coming and session.assistant().library.contents.counts().get("documents", 0):
        st.rerun(scope="app")
    if not coming:
        st.markdown(
            "The library is empty. Add some documents and Strata answers from them, with the place each "
            "sentence came from."
        )
        st.page_link(session.CORPUS, label="Add documents", icon=":material/upload_file:")
        return
    st.markdown(
        f"{display_text.count(coming, 'document').capitalize()} on the way in. "
        "You can ask as soon as they can be searched, in a few seconds."
    )
    st.page_link(session.CORPUS, label="See how far they are", icon=":material/hourglass_top:")


def ask_box() -> str | None:
    """Show the box to ask in, with scope and level; return the question once."""
    with st.bottom:
        with st.container(horizontal=True, gap="small", key="strata_options"):
            _scope()
            _thinking()
        return st.chat_input("Ask the library", key=session.QUESTION, max_chars=10_000)


def _scope() -> None:
    library = session.assistant().library.contents
    collections = st.session_state.get(session.SCOPE_COLLECTIONS, [])
    documents = st.session_state.get(session.SCOPE_DOCUMENTS, [])
    said = [display_text.count(len(collections), "collection")] if collections else []
    said += [display_text.count(len(documents), "document")] if documents else []
    with st.popover(", ".join(said) or "Whole library", type="tertiary", icon=":material/folder_open:"):
        st.multiselect("Collections", library.collections(), key=session.SCOPE_COLLECTIONS, placeholder="All")
        titles = display_text.distinct(library.titles())
        st.multiselect(
            "Documents",
            sorted(titles, key=lambda name: titles[name].lower()),
            key=session.SCOPE_DOCUMENTS,
            format_func=lambda name: titles.get(name, name),
            placeholder="All",
        )


def _thinking() -> None:
    level = st.session_state.get(session.LEVEL)
    with st.popover(
        display_text.LEVELS[level][0] if level else "Level: automatic",
        type="tertiary",
        icon=":material/tune:",
    ):
        st.selectbox(
            "Level of the question",
            list(Level),
            index=None,
            key=session.LEVEL,
            format_func=lambda chosen: f"{display_text.LEVELS[chosen][0]}: {display_text.LEVELS[chosen][1]}",
            placeholder="Automatic",
        )
        if st.session_state.get(session.LEVEL) is Level.CREATIVE:
            st.multiselect(
                "Perspectives",
                [role.name for role in viewpoints.library("en")],
                key=session.ROLES,
                accept_new_options=True,
                max_selections=viewpoints.MOST,
                placeholder="Chosen for the question",
                help="Choose some, or write your own as “Name: what it cares about”.",
            )
        st.segmented_control(
            "Effort",
            list(EFFORTS),
            key=session.EFFORT,
            format_func=lambda effort: EFFORTS[effort],
            help="Quick reads the question by rules; balanced asks a model where they are not sure; thorough "
            "always asks, explores step by step and checks twice.",
        )
        st.selectbox(
            "Way of working", list(STRATEGIES), key=session.STRATEGY, format_func=lambda way: STRATEGIES[way]
        )


def ask(question: str) -> None:
    """Start a run in this conversation and put it into the address; what is said during a run goes to it."""
    held = st.session_state
    assistant = session.assistant()
    going = [run for run in runs() if run.status in answer_view.LIVE]
    if going and assistant.questions.instruct(going[-1].id, question):
        st.toast("Taken into the answer in progress.", icon=":material/add_comment:")
        return
    run = assistant.questions.ask(
        question,
        level=held.get(session.LEVEL),
        scope=Scope(
            collections=tuple(held.get(session.SCOPE_COLLECTIONS, ())),
            documents=tuple(held.get(session.SCOPE_DOCUMENTS, ())),
        ),
        conversation=session.param(session.CONVERSATION) or None,
        strategy=cast(Strategy, held.get(session.STRATEGY) or "auto"),
        effort=held.get(session.EFFORT),
        roles=held.get(session.ROLES, ()) if held.get(session.LEVEL) is Level.CREATIVE else (),
    )
    session.go(conversation=assistant.questions.run(run).conversation, run=run)
    st.rerun()


def conversation(held: list[Run]) -> None:
    """Show every exchange, each in a container of its own so that none takes another's place."""
    for run in held:
        with st.container(key=f"exchange_{run.id}"):
            answer_view.exchange(run)
