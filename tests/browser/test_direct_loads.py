"""An address opened directly, on a server that has just started, shows its page and nothing else."""

import urllib.request
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.workspace_figures import reach, started

LISTS = """window.lists = 0; setInterval(() => {
  window.lists += document.querySelectorAll('[data-testid^=stSidebarNav]').length;
}, 10);"""


def test_the_first_page_of_a_server_is_the_one_asked_for(chromium: Browser, tmp_path: Path) -> None:
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.add_init_script(LISTS)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "kept").touch()  # a library that is there is offered no demo documents
    with started(tmp_path / "library") as address:
        reach(page, f"{address}/trace")
        expect(page.get_by_role("heading", name="Trace", level=1)).to_be_visible(timeout=90_000)
        expect(page.get_by_role("link", name="Corpus")).to_be_visible()
        assert page.evaluate("window.lists") == 0, "Streamlit's own list of pages"
        assert complaints == []
        page.close()
    with pytest.raises(URLError):  # what ends the command ends the app
        urllib.request.urlopen(address, timeout=5)
