"""The chat before anything was asked: what the library holds, and questions to begin with."""

from core.i18n.escaping import line
from core.i18n.messages import plain, t, tn
from core.knowledge.stores.records import AT_WORK
from core.ui.chat import ask_box
from core.ui.shared import display_text, empty_library, session, st

MAX_SUGGESTIONS = 4


def show() -> None:
    """Show the empty state; a suggested question that is pressed is asked."""
    counts = session.assistant().library.contents.counts()
    with st.container(width=736, key="strata_welcome"):
        st.title(t("What would you like to know?"), anchor=False)
        documents = counts.get("documents", 0)
        if not documents:
            empty_library.show(
                t(
                    "The library is empty. Attach a file to your first question below, or add many at once; "
                    "Strata answers from them, with the place each sentence came from."
                )
            )
            return
        st.markdown(
            tn(
                "Strata answers from the {n:,} document on this machine, shows how it got there, and says "
                "so when the library holds no answer.",
                "Strata answers from the {n:,} documents on this machine, shows how it got there, and says "
                "so when the library holds no answer.",
                documents,
            )
        )
        st.fragment(_examples, run_every=2.0 if _active() else None)(live=_active())


def _active() -> bool:
    """Say whether files are on their way in or being distilled: better examples come of that."""
    return any(job.kind == "file" and job.status in AT_WORK for job in session.assistant().library.jobs())


def _examples(*, live: bool) -> None:
    if live and not _active():
        st.rerun(scope="app")
    library = session.assistant().library
    titles = display_text.distinct(library.contents.titles())
    chosen = st.selectbox(
        t("Begin with"),
        sorted(titles, key=lambda name: titles[name].lower()),
        index=None,
        format_func=lambda name: titles.get(name, name),
        placeholder=plain("The whole library, or choose a document"),
        key="chat.starter",
    )
    for n, suggestion in enumerate(library.suggestions(MAX_SUGGESTIONS, [chosen] if chosen else [])):
        st.button(
            line(suggestion, 160),
            key=f"suggestion_{n}",
            width="stretch",
            on_click=ask_box.ask,
            args=(suggestion,),
        )
    if live:
        st.caption(t("The documents are still being read; more can be asked in a moment."))
