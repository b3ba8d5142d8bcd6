"""The frame around every page: title, mark, navigation and the small amount of type-setting of our own."""

from pathlib import Path

from markupsafe import Markup

from core.accounts.person import Person, Right
from core.text.escaping import line
from core.text.messages import t
from core.ui.shared import session, st

NEEDED: dict[str, Right] = {"models": "models", "evaluation": "measure"}  # what pages ask for
_ASSETS = Path(__file__).parent.parent / "assets"


def pages() -> list[st.Page]:
    """Return the pages in their order; their links stand in the sidebar, drawn by `run`."""
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
        _chip(session.person())
        page.run()


def _chip(person: Person) -> None:
    """Say who is signed in, and lead to where one logs out."""
    if person.name:
        link = Markup('<a class="strata-person" href="/account" target="_self">{} · {}</a>')
        st.sidebar.html(link.format(person.name, person.role))
