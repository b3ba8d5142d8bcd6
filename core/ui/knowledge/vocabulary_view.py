"""Words of the trade: what was learnt of them, what is read as one meaning, and the library's own file."""

import pandas as pd

from core.errors import StrataError
from core.i18n.messages import plain, t
from core.ui.knowledge import learnt_words_view
from core.ui.shared import session, st, widgets

_EXAMPLE = 'place = [\n  { en = "lighthouse, beacon", zh = "灯塔" },\n]\n\nwithout = ["copper"]'
_HOLD = "vocabulary.own"


def page() -> None:
    """Show the terms, and let the reader change the library's own."""
    library = session.assistant().library
    learnt_words_view.pairs()
    learnt_words_view.classes()
    st.markdown(
        t(
            "Names on a line mean the same. A word of a question is searched as another of its line only "
            "where the documents use that one and not the reader's."
        )
    )
    if session.may("ask", whole=True):
        _own_words(library.own_words())
    terms = library.vocabulary().terms
    frame = pd.DataFrame(
        {
            plain("Class"): [term.tag_class for term in terms],
            plain("English"): [", ".join(term.english) for term in terms],
            plain("Chinese"): [", ".join(term.chinese) for term in terms],
        }
    )
    st.dataframe(frame, hide_index=True, width="stretch", height=480)


def _own_words(written: str) -> None:
    if not session.may("correct", whole=True):
        st.text(written)
        return
    with st.form("vocabulary_form", border=False):
        text = st.text_area(
            t("The library's own words (TOML)"),
            value=written,
            height=160,
            placeholder=_EXAMPLE,
            key=_HOLD,
            help=t(
                "Adds lines, replaces those with the same first English name; `without` takes lines away."
            ),
        )
        if st.form_submit_button(t("Keep these words")):
            _keep(text)


def _keep(text: str) -> None:
    try:
        session.assistant().library.change_words(text)
    except StrataError as error:
        st.error(widgets.complaint(error))
    else:
        st.success(t("Kept: the next question is read with them."))
