"""A small library made with the packaged model, and how the tests of re-embedding open it."""

import shutil

import pytest

from core.bootstrap import build
from core.settings import Settings
from tests.tinymodel import save_tiny_model

NOTES = (
    """# Yield meeting

All wafers of lot L25-0317 were processed on ETCH-03. The electrostatic chuck of chamber B was replaced.

# Cleaning

The wet clean of a PE-300 chamber takes 6.5 hours. It is due every 500 RF hours. """
    + "Pumps are checked. " * 12
)
QUESTION = "How long does the wet clean take?"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open the library of the test; `model` and `backend` are what the settings name."""
    held = []
    monkeypatch.setenv("STRATA_STORE__PATH", str(tmp_path / "library"))

    def make(backend="packaged", model=None, host=None):
        for name, value in (("BACKEND", backend), ("MODEL", model)):
            if value is None:
                monkeypatch.delenv(f"STRATA_EMBEDDING__{name}", raising=False)
            else:
                monkeypatch.setenv(f"STRATA_EMBEDDING__{name}", str(value))
        if host:
            monkeypatch.setenv("STRATA_LLM__HOST", host)
        for before in held:
            before.close()
        held[:] = [build(Settings.load(), warm=False)]
        return held[0]

    yield make
    for assistant in held:
        assistant.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a library made with the packaged model, closed."""
    folder = tmp_path_factory.mktemp("made")
    note = folder / "notes.md"
    note.write_text(NOTES, "utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(folder / "library"))
        assistant = build(Settings.load(), warm=False)
        (job,) = assistant.library.queue.wait(assistant.library.ingest([note]))
        assistant.close()
    assert job.status == "done"
    return folder / "library"


@pytest.fixture
def filled(opened, made, tmp_path):
    """A copy of that library."""
    shutil.copytree(made, tmp_path / "library")
    return opened


def found(assistant):
    return [p.chunk.text for p in assistant.library.search(QUESTION, 3, legs=["semantic"]).leg("semantic")]


def chunks_of(assistant):
    return [
        c
        for d in assistant.library.contents.documents()
        for c in assistant.library.contents.chunks(document_id=d.id)
    ]
