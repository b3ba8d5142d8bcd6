"""The frame around every page: title, mark, navigation and the small amount of type-setting of our own."""

from pathlib import Path

from markupsafe import Markup

from core.accounts.person import Person, Right
from core.i18n import messages
from core.i18n.escaping import line
from core.i18n.messages import plain, t
from core.ui.shared import components, display_text, session, st

CHOSEN = "language.chosen"  # in this session, to be kept by the browser

NEEDED: dict[str, Right] = {"models": "models", "evaluation": "measure"}  # what pages ask for
_ASSETS = Path(__file__).parent.parent / "assets"


def pages() -> list[st.Page]:
    """Return the pages in their order; their links are in the sidebar, drawn by `run`."""
    return [
        st.Page(session.CHAT, title=t("Chat"), default=True),
        st.Page(session.CORPUS, title=t("Corpus")),
        st.Page(session.KNOWLEDGE, title=t("Knowledge")),
        st.Page(session.TRACE, title=t("Trace")),
        st.Page(session.EVALUATION, title=t("Evaluation")),
        st.Page(session.MODELS, title=t("Models")),
    ]


def run(page: st.Page) -> None:
    """Set the frame and run the page."""
    st.set_page_config(
        page_title=f"{page.title} · Strata",
        page_icon=str(_ASSETS / "mark.svg"),
        layout="wide",
        menu_items={"About": t("**Strata**: a local research assistant that shows how it thinks.")},
    )
    st.logo(str(_ASSETS / "wordmark.svg"), size="large", icon_image=str(_ASSETS / "mark.svg"))
    st.html(_ASSETS / "page.css")
    with session.Guard():
        closed = {path for path, right in NEEDED.items() if not session.may(right, whole=right == "measure")}
        with st.sidebar, st.container(gap="xxsmall", key="strata_pages"):
            for each in pages():
                if each.url_path not in closed:
                    st.page_link(each, label=line(each.title))
        _opening()
        _chip(session.person())
        _language()
        page.run()
        session.whole().warm_up()


def _opening() -> None:
    """Say that the library is being opened; once it is, nothing is drawn."""
    with st.empty(), st.spinner(t("Opening the library …")):
        session.assistant()


def _language() -> None:
    """Let the reader choose the language; the browser keeps it."""
    spoken = messages.languages()
    st.session_state.setdefault(session.LANGUAGE, messages.language())
    with st.sidebar, st.container(key="strata_language"):
        chosen = st.selectbox(
            t("Language"),
            list(spoken),
            format_func=lambda code: line(spoken[code]),
            label_visibility="collapsed",
            key=session.LANGUAGE,
            placeholder=plain("Language"),
            on_change=_choose,
        )
        picked = st.session_state.get(CHOSEN, "")
        components.language(chosen or messages.language(), picked, _take, "strata_language_kept")


def _choose() -> None:
    st.session_state[CHOSEN] = st.session_state[session.LANGUAGE]


def _take(code: str) -> None:
    if code in messages.languages():
        st.session_state[session.LANGUAGE] = code


def _chip(person: Person) -> None:
    """Say who is signed in, and lead to where one logs out."""
    if person.name:
        link = Markup('<a class="strata-person" href="/account" target="_self">{} · {}</a>')
        st.sidebar.html(link.format(person.name, display_text.role(person.role)))
