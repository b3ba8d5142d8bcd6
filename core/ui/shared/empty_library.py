"""What a page says while the library holds nothing: what is on its way in, or what to add."""

from core.i18n.escaping import Safe
from core.i18n.messages import t, tn
from core.ui.shared import session, st


@st.fragment(run_every=1.5)
def show(text: Safe) -> None:
    """Say what an empty library waits for, `text` where nothing is on its way in; the page is drawn anew
    once documents can be searched."""
    library = session.assistant().library
    coming = library.coming()
    if library.contents.counts().get("documents", 0):
        st.rerun(scope="app")
    if not coming:
        st.markdown(text)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(session.CORPUS, label=t("Add documents"), icon=":material/upload_file:")
            offer_demo()
        return
    st.markdown(
        tn(
            "{n:,} document on the way in. You can ask as soon as it can be searched, in a few seconds.",
            "{n:,} documents on the way in. You can ask as soon as they can be searched, in a few seconds.",
            coming,
        )
    )
    st.page_link(session.CORPUS, label=t("See how far they are"), icon=":material/hourglass_top:")


def offer_demo() -> None:
    """Offer the demo documents to whoever may add some."""
    library = session.assistant().library
    if not library.has_demo() or not session.may("add") or library.coming():
        return
    st.button(
        t("Look around with the demo documents"),
        key="demo.add",
        icon=":material/science:",
        help=t("Fourteen files of an invented chip factory. Delete them in the corpus when you are done."),
        on_click=_add,
    )


def _add() -> None:
    with session.Guard():
        session.assistant().library.add_demo()
