"""Changes the text of a chunk where it stands, or splits it; what is saved is searched at once."""

from core.domain import Chunk
from core.errors import StrataError
from core.i18n.messages import t, tn
from core.ui.shared import session, st, widgets
from core.work.upkeep.chunk_editing import CUT

OPENED = "knowledge.edited"  # the chunk that is being changed


def offer(chunk: Chunk) -> None:
    """Offer to change the chunk; rows of a table are the file's."""
    if chunk.table_id is not None:
        return
    if st.session_state.get(OPENED) != chunk.id:
        st.button(
            t("Edit or split"),
            icon=":material/edit:",
            type="tertiary",
            key=f"edit_{chunk.id}",
            on_click=_open,
            args=(chunk.id,),
        )
        return
    with st.form(f"edited_{chunk.id}", border=True):
        text = st.text_area(
            t("Text of the chunk"),
            chunk.text,
            height=min(520, 90 + 26 * (chunk.text.count("\n") + len(chunk.text) // 80)),
            key=f"text_{chunk.id}",
            help=t("It is embedded and enriched anew, and stays until the document is read in again."),
        )
        st.caption(t("A line of {mark} splits it there.", mark=CUT))
        with st.container(horizontal=True, gap="small"):
            saved = st.form_submit_button(t("Save and index again"), type="primary")
            st.form_submit_button(t("Leave as it is"), on_click=_open, args=("",))
    if saved:
        _save(chunk, text)


def _open(chunk: str) -> None:
    st.session_state[OPENED] = chunk


def _save(chunk: Chunk, text: str) -> None:
    try:
        with st.spinner(t("Embedding and enriching anew …")):
            made = session.assistant().library.revise(chunk.id, text)
    except StrataError as error:
        st.error(widgets.complaint(error))
        return
    _open("")
    st.toast(tn("It is {n:,} chunk now.", "It is {n:,} chunks now.", len(made)))
    session.go(document=chunk.document_id, chunk=made[0].id)
    st.rerun()
