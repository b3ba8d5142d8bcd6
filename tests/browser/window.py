"""A browser window onto the app: it goes to addresses, asks, and waits until the page is still."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

STILL = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const still = app?.dataset.testConnectionState === 'CONNECTED'
    && app.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-testid=stStatusWidget]');
  window.stillSince = still ? window.stillSince ?? performance.now() : undefined;
  return still && performance.now() - window.stillSince > 350;
}"""
# An address of the app without loading the app: what the browser does when it goes back and forward.
VISIT = """address => new Promise(begun => {
  const app = document.querySelector('[data-testid=stApp]');
  new MutationObserver((seen, observer) => { observer.disconnect(); begun(); })
    .observe(app, {attributeFilter: ['data-test-script-state']});
  setTimeout(begun, 3000);  // a state that came and went unseen
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
})"""
# Gone to from within: an address typed in gets a process of its own, which compiles the app once more.
AWAY = "location.replace('about:blank')"
# A processor paints each frame: what turns for ever while something is awaited, and what slides or fades,
# costs a third of all. What is shown after a while still is.
AT_REST = """addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = '*, *::before, *::after { animation-iteration-count: 1 !important; '
    + 'animation-duration: 1ms !important; transition: none !important; }';
  document.head.append(style);
});"""


@dataclass
class Window:
    """A browser window that remembers what left it and what it complained about."""

    page: Page
    base: str
    left: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    listeners: dict[Any, Any] = field(default_factory=dict)

    def look(self, size: tuple[int, int] | None = None, theme: str = "") -> None:
        """Change the size or the theme of the window as it is, and wait until it has settled."""
        now = self.page.viewport_size
        if size and now != {"width": size[0], "height": size[1]}:
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
        elif not theme:
            return
        if theme:
            self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        self.settle()

    def leave(self) -> None:
        """End the session; another window may have the page, with the code that its process has compiled."""
        self.page.evaluate(AWAY)
        self.page.wait_for_url("about:blank")
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)

    def open(self, path: str = "") -> Page:
        """Go to an address of the app and wait until it has settled."""
        self.page.goto(f"{self.base}/{path}")
        self.settle()
        return self.page

    def visit(self, path: str) -> Page:
        """Go to an address within the session that is open; loading the app again costs half a second."""
        self.page.evaluate(VISIT, f"{self.base}/{path}")
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the page is connected, has content, and its script has been still for a moment."""
        self.page.wait_for_selector(
            '[data-testid="stMainBlockContainer"] [data-testid="stElementContainer"]', state="attached"
        )
        self.page.evaluate("() => { window.stillSince = undefined; }")
        self.page.wait_for_function(STILL, polling=50)

    def ask(self, question: str) -> None:
        """Ask in the chat and wait for the end of the answer."""
        asked = self.page.locator('[class*="st-key-asked_"]')
        before = asked.count()
        box = self.page.get_by_placeholder("Ask the library")
        box.fill(question)
        box.press("Enter")
        expect(asked).to_have_count(before + 1)
        expect(self.page.locator('[class*="st-key-stop_"]')).to_have_count(0, timeout=60_000)
        self.page.locator('[class*="st-key-actions_"]').last.wait_for()
        self.settle()
