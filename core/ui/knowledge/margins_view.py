"""What was left out of a document as header or footer of its pages; a click puts a line back."""

from core.domain import Document, Margin
from core.errors import StrataError
from core.i18n.escaping import layout, line
from core.i18n.messages import plain, t, tn
from core.ui.shared import session, st, widgets

_MAX_PAGES = 6  # of a line that are named


def show(document: Document) -> None:
    """List the lines, each with its pages and, for who may correct, what puts it back."""
    if not document.margins():
        return
    margins = session.assistant().library.margins(document.id)
    out = sum(not back for _, back in margins)
    label = (
        tn("{n:,} line left out at the margins", "{n:,} lines left out at the margins", out)
        if out
        else t("Lines of the margins, back in the text")
    )
    with st.expander(label, type="compact", key=f"margins_{document.id}"):
        st.caption(t("They come again page after page, as headers and footers do, and are not searched."))
        for n, (margin, back) in enumerate(margins):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(
                    layout(
                        "{text}  \n:small[:gray[{pages}]]", text=line(margin.text, 120), pages=_on(margin)
                    ),
                    anchors=False,
                )
                _offer(document, margin, n, back)


def _on(margin: Margin) -> str:
    pages = [page + 1 for page in sorted(margin.lines)]
    named = ", ".join(map(str, pages[:_MAX_PAGES])) + (" …" if len(pages) > _MAX_PAGES else "")
    return (
        plain("top of page {pages}", pages=named)
        if margin.top
        else plain("foot of page {pages}", pages=named)
    )


def _offer(document: Document, margin: Margin, n: int, back: bool) -> None:
    if back:
        st.caption(t("Back in the text"))
    elif session.may("correct", whole=True) and st.button(
        t("Put back"), icon=":material/undo:", type="tertiary", key=f"margin_{document.id}_{n}"
    ):
        _put_back(document, margin)


def _put_back(document: Document, margin: Margin) -> None:
    try:
        with st.spinner(t("Embedding and enriching anew …")):
            changed = session.assistant().library.put_back(document.id, margin)
    except StrataError as error:
        st.error(widgets.complaint(error))
        return
    st.toast(tn("{n:,} chunk holds it now.", "{n:,} chunks hold it now.", changed))
    session.go(document=document.id)
    st.rerun()
