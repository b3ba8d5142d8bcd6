"""Undo of the last action on documents; a removal can be undone after a reload, too."""

from collections.abc import Sequence
from typing import cast

from core.domain import Entry
from core.i18n.escaping import Safe, line
from core.i18n.messages import t, tn
from core.ui.shared import session, st

TURN = "corpus.turn"  # grows with each act, so that nothing stays chosen after it
UNDO = "corpus.undo"  # what the last act was, and what takes it back


def turn() -> int:
    """Return how many acts there were."""
    return int(st.session_state.get(TURN, 0))


def act() -> None:
    """Count an act."""
    st.session_state[TURN] = turn() + 1


def done(text: Safe, undo: Sequence[Entry] | None) -> None:
    """Note what was done and what takes it back: entries as they were, None for what the bin keeps."""
    st.session_state[UNDO] = (text, undo)
    act()


def _last_done() -> tuple[Safe, Sequence[Entry] | None] | None:
    """Return what was done last here; on a page that was loaded anew, what the bin still keeps."""
    if UNDO in st.session_state:
        return cast(tuple[Safe, Sequence[Entry] | None] | None, st.session_state[UNDO])
    trashed = session.assistant().library.in_trash() if session.may("delete", whole=True) else []
    return (gone(trashed), None) if trashed else None


def show() -> None:
    """Show what was done last, with a button to undo it."""
    last = _last_done()
    if last is None:
        return
    message, undo = last
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="small", key="corpus_undo"
    ):
        st.markdown(message, width="stretch")
        if undo is not None or session.assistant().library.in_trash():
            st.button(t("Undo"), icon=":material/undo:", key="undo_act", on_click=_take_back)
        st.button(
            t("Dismiss"),
            icon=":material/close:",
            type="tertiary",
            key="undo_dismiss",
            on_click=lambda: st.session_state.update({UNDO: None}),
        )


def _take_back() -> None:
    last = _last_done()
    st.session_state[UNDO] = None
    if last is None:
        return
    _, undo = last
    library = session.assistant().library
    if undo is not None:
        library.refile(undo)
        st.toast(t("They are where they were."))
    else:
        jobs = library.restore_from_trash()
        st.toast(
            tn(
                "{n:,} file is being read in again; it counts once it is in.",
                "{n:,} files are being read in again; each counts once it is in.",
                len(jobs),
            )
        )
    act()


def gone(titles: Sequence[str]) -> Safe:
    """Say which documents were removed."""
    if len(titles) == 1:
        return t("{title} is gone.", title=line(titles[0], 100))
    return tn("{n:,} document is gone.", "{n:,} documents are gone.", len(titles))
