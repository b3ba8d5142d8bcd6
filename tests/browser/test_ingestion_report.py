"""The report of the corpus page: what became of each file, saved and kept in hand while files come in."""

import csv
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import MEMO, OpenWindow
from tests.browser.corpus_page import clear, drop, long_text, nothing_on_the_way, take_in
from tests.browser.window import Window

expect.set_options(timeout=20_000)  # a page that works meanwhile answers later
WATCH_RUNS = """() => {
  window.runs = 0;
  new MutationObserver(() => { window.runs += 1; }).observe(
    document.querySelector('[data-testid=stApp]'), {attributeFilter: ['data-test-script-state']});
}"""


def test_a_folder_is_taken_and_the_report_says_what_was_not(window: OpenWindow, tmp_path: Path) -> None:
    folder = tmp_path / "shift"
    (folder / "deep").mkdir(parents=True)
    mark = tmp_path.name  # a second try brings files of its own
    (folder / "notes.md").write_text(
        f"# Shift notes {mark}\n\nThe dry pump VP-7 was replaced on 18 March 2025.\n"
    )
    (folder / "deep" / "list.csv").write_text(f"part,count\nfocus ring,2\nlift pin,9\n{mark},1\n")
    if MEMO.is_file():
        (folder / MEMO.name).write_bytes(MEMO.read_bytes() + f"\n% {mark}\n".encode())
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing of a PDF follows")
    (folder / "program.exe").write_bytes(b"MZ\x90\x00" + bytes(200))
    (folder / ".hidden").write_text("not for the library")
    browser = window()
    page = browser.open("corpus")
    clear(browser)
    page.get_by_role("tab", name="A folder").click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(str(folder))
    taken = 2 + MEMO.is_file()
    all_ended = page.get_by_text(re.compile(rf"^{taken + 2} files finished: {taken} added, 2 not taken"))
    expect(all_ended).to_be_visible(timeout=180_000)
    expect(page.get_by_text("broken.pdf is a damaged PDF")).to_be_visible()
    expect(page.get_by_text("Strata does not read Windows programs.")).to_be_visible()
    browser.settle()
    page.get_by_role("button", name="Retry", exact=True).first.click()
    browser.settle()
    nothing_on_the_way(page)
    expect(all_ended).to_be_visible()
    expect(page.get_by_text(re.compile("^2 not taken"))).to_be_visible()
    browser.settle()
    all_ended.click()
    assert saved_report(browser) == {
        "notes.md": "added",
        "list.csv": "added",
        **({MEMO.name: "added"} if MEMO.is_file() else {}),
        "broken.pdf": "not taken",
        "program.exe": "not taken",
    }
    page.get_by_role("button", name="Dismiss all").click()
    expect(page.get_by_text("broken.pdf is a damaged PDF")).to_have_count(0)


def test_the_report_stays_in_hand_while_the_last_files_come_in(window: OpenWindow, tmp_path: Path) -> None:
    browser = window()
    page = browser.open("corpus")
    short = tmp_path / "short.md"
    short.write_text(f"# Short {tmp_path.name}\n\nValve 7 was shut.\n")
    take_in(page, short)
    browser.settle()
    page.get_by_text(re.compile("files? finished")).click()
    save = page.get_by_role("button", name="Save this report")
    expect(save).to_be_visible()
    drop(page, long_text(tmp_path / "long-notes.txt"))
    page.get_by_role("button", name="Cancel", exact=True).wait_for(timeout=180_000)
    save.focus()
    save.evaluate("button => { window.inHand = button; }")
    page.get_by_role("button", name="Cancel", exact=True).dispatch_event("click")  # the focus stays
    nothing_on_the_way(page)
    browser.settle()
    assert save.evaluate("button => button === window.inHand"), "drawn as another button"
    expect(save).to_be_focused()
    page.evaluate(WATCH_RUNS)
    with page.expect_download():
        page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert page.evaluate("window.runs") == 0, "a download that draws the page anew may outlive its file"


def saved_report(browser: Window) -> dict[str, str]:
    """Return the files of the report as it is saved now, each with its outcome."""
    browser.settle()
    with browser.page.expect_download() as got:
        browser.page.get_by_role("button", name="Save this report").click()
    text = Path(got.value.path()).read_text(encoding="utf-8-sig")
    return {row["File"]: row["Outcome"] for row in csv.DictReader(text.splitlines())}
