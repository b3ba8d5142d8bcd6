"""axe-core, the checker of accessibility, put into a page: what it finds that is serious or critical."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = "axe-core@4"
GRAVE = ("serious", "critical")


def findings(page: Page, *rules: str) -> list[str]:
    """Return what is seriously wrong on the page as it is: the rule, and the first element that breaks it.

    All rules are looked at, or those named.

    While a dialog is open, Streamlit keeps the page behind it from scrolling, and axe then judges no contrast
    anywhere: the root may overflow while it looks.
    """
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_script())
    page.evaluate("document.documentElement.style.setProperty('overflow', 'visible', 'important')")
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    page.evaluate("document.documentElement.style.removeProperty('overflow')")
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found if each["impact"] in GRAVE]


@cache
def _script() -> str:
    """Return axe-core's text: of node_modules, of the user's cache, or fetched once through npm."""
    root = Path(__file__).resolve().parent.parent.parent
    cached = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "strata-tests"
    for folder in (root, cached):
        script = folder / "node_modules" / "axe-core" / "axe.min.js"
        if script.is_file():
            return script.read_text("utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine to fetch axe-core with")
    cached.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(cached), AXE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        pytest.skip(f"axe-core could not be fetched: {done.stderr.strip()[-200:]}")
    return (cached / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
