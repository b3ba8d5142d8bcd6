"""The conversations of this library at the side: searched, opened, renamed, deleted."""

from core.i18n.escaping import layout, line
from core.i18n.messages import plain, t
from core.ui.shared import display_text, session, st

MAX_CONVERSATIONS = 40
SEARCH = "chat.search"


def show() -> None:
    """Show the conversations, the one spoken last first."""
    current = session.param(session.CONVERSATION)
    questions = session.assistant().questions
    with st.sidebar:
        st.button(
            t("New question"),
            icon=":material/add:",
            width="stretch",
            key="chat.new",
            on_click=session.go,
        )
        words = str(st.session_state.get(SEARCH, ""))
        conversations = questions.conversations(MAX_CONVERSATIONS, words)
        if conversations or words:
            st.text_input(
                t("Search conversations"),
                key=SEARCH,
                placeholder=plain("Search conversations"),
                label_visibility="collapsed",
                icon=":material/search:",
            )
        with st.container(gap="xxsmall", key="strata_history"):
            for each in conversations:
                label = line(each.title, 64)
                st.button(
                    layout("**{label}**", label=label) if each.id == current else label,
                    key=f"conversation_{each.id}",
                    type="tertiary",
                    help=line(display_text.moment(each.updated)),
                    wrap=False,
                    on_click=session.go,
                    kwargs={session.CONVERSATION: each.id},
                )
        if words and not conversations:
            st.caption(t("No conversation says that."))


def bar(conversation: str, first: str) -> bool:
    """Show the name a reader gave the conversation, with controls to rename and delete it.

    Without a name of its own it is headed by its first question, which stands below anyway; say whether.
    """
    title = session.assistant().questions.title(conversation)
    if title == first:
        with st.container(horizontal=True, horizontal_alignment="right", key="strata_menu"):
            _menu(conversation, title)
        return True
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strata_bar"):
        st.title(line(title, 90), anchor=False)
        _menu(conversation, title)
    return False


def _menu(conversation: str, title: str) -> None:
    questions = session.assistant().questions
    if not questions.owns(conversation):
        st.caption(t("Shared with you"))
        return
    with st.popover(t("Conversation"), type="tertiary", icon=":material/more_horiz:"):
        if session.person().name:
            key = f"share_{conversation}"
            st.toggle(
                t("Others may read it: those who may see all that it could see"),
                value=questions.shared(conversation),
                key=key,
                on_change=_share,
                args=(conversation, key),
            )
        with st.form(f"rename_{conversation}", border=False):
            name = st.text_input(t("Title"), value=title, max_chars=200)
            if st.form_submit_button(t("Rename")):
                with session.Guard():
                    questions.rename(conversation, name)
                    st.rerun()
        sure = st.checkbox(t("Delete its questions and answers for good"), key=f"sure_{conversation}")
        st.button(
            t("Delete conversation"),
            icon=":material/delete:",
            key=f"forget_{conversation}",
            disabled=not sure,
            on_click=_delete,
            args=(conversation,),
        )


def _share(conversation: str, key: str) -> None:
    with session.Guard():
        session.assistant().questions.share(conversation, bool(st.session_state[key]))


def _delete(conversation: str) -> None:
    with session.Guard():
        session.assistant().questions.delete_conversation(conversation)
        session.go()
        st.toast(t("Deleted. What it taught is kept."), icon=":material/delete:")
