"""The interface in the reader's language, with what Streamlit says itself; names for screen readers, too."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import WIDE, opened_window

# Names without a sign of Chinese, but for those of cells, which say what the library does.
ENGLISH = """() => [...document.querySelectorAll('[aria-label]')]
  .filter(node => node.checkVisibility() && !node.closest('canvas, [role=grid]'))
  .map(node => node.getAttribute('aria-label'))
  .filter(name => /[a-z]{3,}/i.test(name) && !/[\\u4e00-\\u9fff]/.test(name))"""
PAGES = ("corpus", "knowledge?view=documents", "trace", "evaluation", "models")


def test_what_streamlit_says_is_said_in_chinese_and_in_english_again(
    chromium: Browser, filled: str, answered: str
) -> None:
    browser = opened_window(chromium, filled, WIDE, "light", "zh")
    page = browser.open()
    for path in (*PAGES, answered):
        browser.visit(path)
        expect(page.get_by_role("button", name="主菜单")).to_be_visible()
        page.wait_for_function(f"() => ({ENGLISH})().every(name => name === 'Strata')")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    cite = page.locator(".strata-cite").first
    expect(cite).to_have_accessible_name(re.compile("^来源 1"))
    browser.visit("corpus")
    box = page.get_by_test_id("stFileUploader").first
    expect(box).to_contain_text("上传")
    expect(box).not_to_contain_text("Upload")
    page.locator(".st-key-strata_language").get_by_role("combobox").click()
    page.get_by_role("option", name="English").click()
    expect(page.get_by_role("heading", name="Corpus", level=1)).to_be_visible()
    expect(box).to_contain_text("Upload")
    expect(page.get_by_role("button", name="Main menu")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert browser.complaints == []
    page.context.close()
