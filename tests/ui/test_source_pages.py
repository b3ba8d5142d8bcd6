"""A passage of a document with pages: a page says which it is; a passage that was edited, that it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.assistant import Assistant
from core.domain import Chunk, Passage
from core.ui.inspector.selection import Source
from core.ui.shared import session
from tests.ui import long_run
from tests.ui.conftest import Open, figures, page_text, settle

EDITED = "edited here. The page shows the original"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[Assistant]:
    """The assistant over a manual of three pages, with a run."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("STRATA_STORE__PATH", str(tmp_path_factory.mktemp("manual")))
        session.whole.clear()
        assistant = session.assistant()
        assistant.library.ingest([fab / "PE-300-equipment-manual.pdf"])
        settle(assistant)
        assistant.questions.store.save_run(long_run.run())
        yield assistant
        session.whole.clear()


def chunk_that_says(manual: Assistant, words: str) -> Chunk:
    (document,) = manual.library.contents.documents()
    return next(c for c in manual.library.contents.chunks(document_id=document.id) if words in c.text)


def inspected(open_page: Open, chunk: Chunk) -> AppTest:
    at = open_page(session.CHAT, run=long_run.RUN)
    passage = Passage(chunk=chunk, document_title="Manual", query="", score=0.0)
    at.session_state["inspector.selection"] = Source(passage=passage, run=long_run.RUN)
    return at.run()


def captions_of(at: AppTest) -> list[str]:
    return [caption.value.replace("\\", "").replace("\u2060", "") for caption in at.caption]


def test_another_page_says_which_it_is_and_another_passage_is_shown_on_its_own(
    manual: Assistant, open_page: Open
) -> None:
    at = inspected(open_page, chunk_that_says(manual, "must be qualified again"))
    captions = captions_of(at)
    assert "page 2 · PE-300 Plasma Etcher: Equipment Manual › 5 Maintenance" in captions
    at.button(key="inspector_:material/chevron_right:").click().run()
    assert not at.exception
    captions = captions_of(at)
    assert "page 3" in captions
    assert not any("page 2" in caption for caption in captions)
    assert "must be qualified again" not in figures(at)
    at.button(key="inspector_:material/arrow_downward:").click().run()
    assert any(caption.startswith("page 3 · ") for caption in captions_of(at))
    assert '"drawn": ["inspector_page", 0.0' in figures(at).replace('\\"', '"')


def test_a_passage_that_was_edited_says_that_its_page_has_the_original(
    manual: Assistant, open_page: Open
) -> None:
    whole = chunk_that_says(manual, "from the focus ring")
    assert EDITED not in page_text(inspected(open_page, whole))
    first, rest = whole.text.split(". ", 1)
    cut = manual.library.revise(whole.id, f"{first}.\n---\n{rest}")
    assert [piece.edited for piece in cut] == [False, False], "a split leaves the words as they are"
    (made,) = manual.library.revise(cut[0].id, cut[0].text.replace("3 mm", "4 mm"))
    assert EDITED in page_text(inspected(open_page, made))
    assert EDITED in page_text(open_page(session.KNOWLEDGE, document=made.document_id, chunk=made.id))


def test_a_passage_of_a_deleted_document_is_what_the_run_read_of_it(
    manual: Assistant, open_page: Open
) -> None:
    chunk = chunk_that_says(manual, "must be qualified again").model_copy(update={"document_id": "deleted"})
    at = inspected(open_page, chunk)
    assert "no longer in the library" in page_text(at)
    assert "must be qualified again" in figures(at)
    at = open_page(session.KNOWLEDGE, document="deleted")
    assert [info.value for info in at.info] == [
        "This document is no longer in the library; choose another one."
    ]
