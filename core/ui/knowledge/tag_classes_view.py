"""How the classes of tags were made: the passages read, the factors named in them, the classes formed."""

import pandas as pd

from core.i18n.messages import plain, t, tn
from core.tasks import TagClass
from core.ui.shared import session, st

MAX_SHOWN = 120  # characters of a passage


def page() -> None:
    """Show the classes, then what a model read for them."""
    st.markdown(
        t(
            "A model names the key factors of sampled passages; these and the library's tags are generalised "
            "into classes, and what is enriched next is tagged by them. Without a model the tags alone are "
            "grouped by meaning."
        )
    )
    if not session.may("ask", whole=True):
        return
    classes = session.assistant().learning.classes()
    if not classes:
        st.caption(t("There are no classes yet."))
    else:
        _classes(classes)
    st.page_link(
        session.KNOWLEDGE,
        label=t("Make them anew, or change them by hand"),
        icon=":material/edit:",
        query_params={session.VIEW: "words"},
    )


def _classes(classes: tuple[TagClass, ...]) -> None:
    factors = session.assistant().learning.factors()
    times = [sum(not set(one.terms).isdisjoint(named) for named in factors.values()) for one in classes]
    frame = pd.DataFrame(
        {
            plain("Class"): [one.name for one in classes],
            plain("Terms"): [", ".join(one.terms) for one in classes],
            plain("Passages"): times,
        }
    )
    if any(one.description for one in classes):
        frame.insert(1, plain("What its terms have in common"), [one.description for one in classes])
    st.dataframe(frame, hide_index=True, width="stretch")
    if not factors:
        st.caption(t("They were made of the library's tags; no model named factors."))
        return
    _sample(classes, factors)


def _sample(classes: tuple[TagClass, ...], factors: dict[str, tuple[str, ...]]) -> None:
    """List the passages read, in the order they were drawn."""
    library = session.assistant().library.contents
    titles, chunks = library.titles(), library.chunks(ids=list(factors))
    own = {term: one.name for one in classes for term in one.terms}
    count = len({term for named in factors.values() for term in named})
    st.caption(
        t(
            "{passages} read of {documents}, {factors} named",
            passages=tn("{n:,} passage", "{n:,} passages", len(chunks)),
            documents=tn("{n:,} document", "{n:,} documents", len({c.document_id for c in chunks})),
            factors=tn("{n:,} key factor", "{n:,} key factors", count),
        )
    )
    frame = pd.DataFrame(
        {
            plain("Document"): [titles.get(chunk.document_id, "") for chunk in chunks],
            plain("Key factors"): [", ".join(factors[chunk.id]) for chunk in chunks],
            plain("Class"): [
                ", ".join(dict.fromkeys(own[term] for term in factors[chunk.id] if term in own))
                for chunk in chunks
            ],
            plain("Passage"): [" ".join(chunk.text.split())[:MAX_SHOWN] for chunk in chunks],
        }
    )
    st.dataframe(frame, hide_index=True, width="stretch")
