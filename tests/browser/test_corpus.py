"""The corpus page, clicked through: pause, cancel, retry, a folder, delete, machine files."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import findings
from tests.browser.conftest import OpenWindow
from tests.browser.corpus_page import drop, drop_all, ended, long_text, narrow, take_in, tick

expect.set_options(timeout=20_000)  # a page that works meanwhile answers later

MAPPING = """name: Pump log
match: "pump_*.log"
delimiter: ";"
header: true
columns:
  - {source: ts, name: Time, type: datetime, time: true}
  - {source: P, name: Pressure, type: real, unit: mTorr}
  - {source: pump, name: Pump, entity: equipment}
"""
LOG = "ts;P;pump\n2025-03-18 10:00:00;3.5;VP-7\n2025-03-18 10:01:00;3.75;VP-7\n"


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    return long_text(tmp_path / "long-notes.txt")


def test_a_file_is_paused_goes_on_and_is_cancelled(window: OpenWindow, long_file: Path) -> None:
    browser = window()
    browser.page.set_default_timeout(120_000)  # the server is new: the first page loads what all others use
    page = browser.open("corpus")
    drop(page, long_file)
    page.get_by_role("button", name="Pause", exact=True).click(timeout=180_000)
    expect(page.get_by_role("button", name="Resume", exact=True)).to_be_visible(timeout=180_000)
    browser.settle()  # the browser swallows a press on a button that it is still drawing
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible(timeout=180_000)
    page.wait_for_timeout(300)  # the page looks again each second now, so it is never long still
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text(re.compile("1 file finished: 1 cancelled"))).to_be_visible(timeout=180_000)


def test_all_files_on_their_way_in_are_cancelled_at_once(window: OpenWindow, long_file: Path) -> None:
    other = long_file.with_name("other-notes.txt")
    other.write_text(long_file.read_text("utf-8").replace("Note", "Remark"), "utf-8")
    page = window().open("corpus")
    before = ended(page)
    drop(page, long_file, other)
    page.get_by_role("button", name="Cancel all").click(timeout=180_000)
    expect(page.get_by_text(re.compile(rf"^{before + 2} files finished: .*cancelled"))).to_be_visible(
        timeout=60_000
    )
    expect(page.get_by_text("On the way in")).to_have_count(0)


def test_files_dropped_shortly_after_others_are_all_taken(window: OpenWindow, tmp_path: Path) -> None:
    browser = window()
    page = browser.open("corpus")
    before, number = ended(page), 0
    for wait in (80, 120, 160, 200):  # milliseconds: the server takes one when the next is dropped
        for _ in range(2):
            (tmp_path / f"shortly-{number}.md").write_text(
                f"# Shortly {number}\n\nValve {number} was shut.\n"
            )
            drop(page, tmp_path / f"shortly-{number}.md")
            page.wait_for_timeout(wait)
            number += 1
        browser.settle()
    expect(page.get_by_text(re.compile(rf"^{before + number} files? finished"))).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("stFileChip").filter(visible=True)).to_have_count(0)
    more = page.get_by_role("button", name="Add files").bounding_box()
    assert more and more["width"] > 80, "a plus without a word"


def test_a_folder_is_taken_once_whatever_draws_the_page_anew_meanwhile(
    window: OpenWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(130):
        (folder / f"many-{n}.md").write_text(f"# Many {n}\n\nValve {n} of line {n % 7} was shut.\n")
    held = window()
    page = held.open("corpus")
    before = ended(page)
    page.get_by_role("tab", name="A folder").click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(str(folder))
    anew = "n => { history.pushState(null, '', `?n=${n}`); dispatchEvent(new PopStateEvent('popstate')); }"
    for n in range(30):
        page.evaluate(anew, n)
        page.wait_for_timeout(60)
    held.settle()
    while ended(page) < before + 130:  # at first none is on its way in yet
        page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="On the way in")).to_have_count(0, timeout=180_000)
    assert ended(page) == before + 130, "files that were taken twice"
    held.complaints[:] = [
        message for message in held.complaints if "/media/" not in message
    ]  # a report drawn anew


def test_many_are_deleted_only_once_confirmed_and_come_back(window: OpenWindow, tmp_path: Path) -> None:
    for n in (1, 2):
        (tmp_path / f"gone-soon-{n}.md").write_text(f"# Gone soon {n}\n\nLid {n} was opened.\n")
    browser = window()
    page = browser.open("corpus")
    before = ended(page)
    drop_all(page, [tmp_path / "gone-soon-1.md", tmp_path / "gone-soon-2.md"])
    browser.settle()
    counted = page.locator(".st-key-corpus_counts").inner_text()
    narrow(browser, "gone soon")
    tick(browser, "all")
    expect(page.get_by_text("2 documents chosen")).to_be_visible()
    delete = page.get_by_role("button", name="Delete …")
    assert delete.get_attribute("kind") != "primary"
    delete.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This goes with it")
    for theme in ("dark", "light"):
        browser.look(theme=theme)
        assert findings(page, "color-contrast") == [], theme
    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog).to_be_hidden()
    browser.settle()
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("2 documents are gone.")).to_be_visible()
    expect(page.get_by_text("No document fits this.")).to_be_visible()
    expect(page.get_by_role("button", name="Delete …")).to_have_count(0)
    expect(page.locator(".st-key-corpus_counts")).not_to_have_text(counted)
    assert ended(page) == before  # the report does not mention what is gone
    page.reload()
    expect(page.get_by_text("2 documents are gone.")).to_be_visible()
    narrow(browser, "gone soon")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 files are being read in again")).to_be_visible()
    expect(page.get_by_text("No document fits this.")).to_have_count(0, timeout=180_000)
    expect(page.get_by_text("2 documents are gone.")).to_have_count(0)
    expect(page.locator(".st-key-corpus_counts")).to_have_text(counted)


def test_documents_are_moved_together_and_back_and_nothing_stays_chosen(
    window: OpenWindow, tmp_path: Path
) -> None:
    (tmp_path / "moved.md").write_text("# To be moved\n\nThe pump of chamber D was changed.\n")
    browser = window()
    page = browser.open("corpus")
    drop_all(page, [tmp_path / "moved.md"])
    browser.settle()
    narrow(browser, "to be moved")
    tick(browser, "first")
    page.get_by_role("button", name="Move to …").click()
    box = page.get_by_placeholder("One there is, or a new name").last  # the first is where files are added
    box.fill("archive")
    page.keyboard.press("Enter")
    browser.settle()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_text("1 document moved to archive.")).to_be_visible()
    expect(page.get_by_text("chosen")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 document moved to archive.")).to_have_count(0)


def test_a_mapping_is_tried_mended_kept_used_and_taken_away(window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "pump_1.log").write_text(LOG)
    (tmp_path / "pump.yaml").write_text(MAPPING.replace("type: real", "type: number"))
    browser = window()
    page = browser.open("corpus")
    page.get_by_text("Machine files").first.click()
    panel = page.locator(".st-key-machine")
    panel.locator("input[type=file]").nth(0).set_input_files(str(tmp_path / "pump.yaml"))
    browser.settle()
    panel.locator("input[type=file]").nth(1).set_input_files(str(tmp_path / "pump_1.log"))
    expect(panel.get_by_text(re.compile("line 7: column 2, type"))).to_be_visible()
    box = panel.get_by_label("Mapping", exact=True)
    box.fill(MAPPING)
    box.press("Control+Enter")
    expect(panel.get_by_test_id("stDataFrame")).to_have_count(2)
    expect(panel.get_by_text(re.compile("line 7"))).to_have_count(0)
    panel.get_by_role("button", name="Save the mapping").click()
    expect(panel.get_by_role("button", name="Delete …")).to_be_visible()
    take_in(page, tmp_path / "pump_1.log")
    browser.settle()
    narrow(browser, "Pump log")
    tick(browser, "first")
    expect(page.get_by_role("link", name=re.compile("Pump log: pump_1"))).to_be_visible()
    page.get_by_text("Machine files").first.scroll_into_view_if_needed()
    if not panel.get_by_role("button", name="Delete …").is_visible():
        page.get_by_text("Machine files").first.click()
    panel.get_by_role("button", name="Delete …").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(panel.get_by_role("button", name="Delete …")).to_have_count(0)
