"""The frame around every page: title, mark, navigation and the small amount of type-setting of our own."""

from html import escape
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from core.accounts.person import Person
from core.ui.shared import session

_ASSETS = Path(__file__).parent.parent / "assets"


def pages() -> list[Page]:
    """Return the pages in their order."""
    return [
        st.Page(session.CHAT, title="Chat", default=True),
        st.Page(session.CORPUS, title="Corpus"),
        st.Page(session.KNOWLEDGE, title="Knowledge"),
        st.Page(session.TRACE, title="Trace"),
        st.Page(session.MODELS, title="Models"),
    ]


def run(page: Page) -> None:
    """Set the frame and run the page."""
    reading = page.title == "Chat"
    st.set_page_config(
        page_title=f"{page.title} · Strata",
        page_icon=str(_ASSETS / "mark.svg"),
        layout="centered" if reading else "wide",
        menu_items={"About": "**Strata**: a local research assistant that shows how it thinks."},
    )
    st.logo(str(_ASSETS / "wordmark.svg"), size="large", icon_image=str(_ASSETS / "mark.svg"))
    st.html(_ASSETS / "page.css")
    with session.Guard():
        _chip(session.person())
        page.run()


def _chip(person: Person) -> None:
    """Say who is signed in, and lead to where one logs out."""
    if person.name:
        said = f"{escape(person.name)} · {escape(person.role)}"
        st.sidebar.html(f'<a class="strata-person" href="/account" target="_self">{said}</a>')
