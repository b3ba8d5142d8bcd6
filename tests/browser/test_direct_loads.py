"""An address opened directly, on a server that has just started, shows its page and nothing else."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.conftest import serving

LISTS = """window.lists = 0; setInterval(() => {
  window.lists += document.querySelectorAll('[data-testid^=stSidebarNav]').length;
}, 10);"""


def test_the_first_page_of_a_server_is_the_one_asked_for(chromium: Browser, tmp_path: Path) -> None:
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.add_init_script(LISTS)
    with serving(tmp_path) as address:
        page.goto(f"{address}/trace")
        expect(page.get_by_role("heading", name="Trace", level=1)).to_be_visible(timeout=90_000)
        expect(page.get_by_role("link", name="Corpus")).to_be_visible()
        assert page.evaluate("window.lists") == 0, "Streamlit's own list of pages"
        assert complaints == []
        page.close()
