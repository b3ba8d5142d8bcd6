"""Documents that an earlier version of Strata read: how many there are, and a button to read them again."""

from collections.abc import Sequence

from core.domain import Document
from core.i18n.escaping import Safe, join, line
from core.i18n.messages import t, tn
from core.ui.shared import session, st

MAX_NAMED = 5  # documents that are left as they are, by their titles


def show() -> None:
    """Say it in one line, to those who may add documents; nothing where there are none."""
    if not session.may("add", whole=True):
        return
    earlier = session.assistant().library.rereading.earlier()
    if not earlier.ready:
        return
    left = [
        *_left(t("Left as they are, for their originals are gone"), earlier.gone),
        *_left(t("Left as they are, for a reader changed their passages"), earlier.edited),
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_earlier"):
        st.caption(
            tn(
                "{n:,} document was read by an earlier version of Strata.",
                "{n:,} documents were read by an earlier version of Strata.",
                len(earlier.ready),
            ),
            width="content",
        )
        st.button(
            t("Read again"),
            icon=":material/refresh:",
            type="tertiary",
            key="reread_earlier",
            help=join(
                " ",
                [
                    t(
                        "Reads them again from their originals, one after the other, while they stay "
                        "searchable; what readers taught stays."
                    ),
                    *left,
                ],
            ),
            on_click=_start,
        )


def _left(why: Safe, documents: Sequence[Document]) -> list[Safe]:
    if not documents:
        return []
    named = [line(each.title, 60) for each in documents[:MAX_NAMED]]
    if more := len(documents) - len(named):
        named.append(tn("and {n:,} more", "and {n:,} more", more))
    return [t("{why}: {titles}.", why=why, titles=join(", ", named))]


def _start() -> None:
    jobs = session.assistant().library.rereading.start()
    st.toast(tn("{n:,} document is being read again.", "{n:,} documents are being read again.", len(jobs)))
