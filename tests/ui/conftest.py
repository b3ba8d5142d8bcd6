"""A real assistant over a tiny library, seen through Streamlit's own test driver."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from core.assistant import Assistant
from core.ui.shared import session

ROOT = Path(__file__).resolve().parent.parent.parent

NOTES = """# Yield meeting, 18 March 2025

## A77 excursion

Yield of product A77 fell to 84.1 % in week 11 of 2025. All wafers of lot L25-0317 were processed on ETCH-03,
chamber B. The electrostatic chuck of chamber B was replaced on 21 March 2025.

## Cleaning

The wet clean of a PE-300 chamber takes 6.5 hours. It is due every 500 RF hours.
"""
YIELD = "week,product,yield (%)\n2025-W10,A77,91.8\n2025-W11,A77,84.1\n2025-W16,A77,92.6\n"

Open = Callable[..., AppTest]


def settle(assistant: Assistant, limit: float = 120.0) -> None:
    """Wait until no file is on its way in."""
    until = time.monotonic() + limit
    while any(job.status in ("queued", "running") for job in assistant.library.jobs()):
        assert time.monotonic() < until, "ingestion did not end"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """The assistant the pages use, over two small documents."""
    folder = tmp_path_factory.mktemp("library")
    files = tmp_path_factory.mktemp("files")
    (files / "yield-meeting.md").write_text(NOTES, encoding="utf-8")
    (files / "weekly-yield.csv").write_text(YIELD, encoding="utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(folder))
        session.whole.clear()
        built = session.assistant()
        built.library.ingest([files / "yield-meeting.md", files / "weekly-yield.csv"], "demo")
        settle(built)
        yield built
        session.whole.clear()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """The assistant the pages use, over a library with nothing in it."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(tmp_path_factory.mktemp("empty")))
        session.whole.clear()
        yield session.assistant()
        session.whole.clear()


@pytest.fixture(autouse=True, scope="session")
def one_scan_for_components() -> Iterator[None]:
    """Streamlit's driver looks through all installed packages for components at each opening: here once."""
    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture
def open_page() -> Open:
    """Open a page with these names in its address."""

    def opened(page: str, **names: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "core/ui/serving/page_router.py"), default_timeout=60)
        for name, value in names.items():
            at.query_params[name] = value
        if page != session.CHAT:
            at.switch_page(page)
        at.run()
        assert not at.exception, at.exception
        return at

    return opened


def page_text(at: AppTest) -> str:
    """Return every word the page says outside its figures."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.error, at.info, at.warning)
    return (
        "\n".join(str(element.value) for kind in kinds for element in kind)
        .replace("\\", "")
        .replace("\u2060", "")
    )


def figures(at: AppTest) -> str:
    """Return what the figures were given, as JSON."""
    return "\n".join(str(element.proto) for element in at.get("bidi_component"))
