"""Whatever a page may ask: files in, questions answered, pages drawn, runs exported."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from core.assistant import Assistant
from core.bootstrap import build, effective
from core.domain import Box, Feedback, Outcome
from core.errors import LibraryBusy, NotFound, SettingsError
from core.settings import EmbeddingSettings, LLMSettings, RerankSettings, Settings, StoreSettings
from tests.flow.conftest import DOCUMENTS
from tests.making import nothing_left
from tests.ollama_double import OllamaDouble

Q = "Who is responsible for SOP-112?"


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory, fab: Path) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("assistant")
    for name, text in DOCUMENTS.items():
        (folder / "files" / name).parent.mkdir(exist_ok=True)
        (folder / "files" / name).write_text(text, "utf-8")
    built = build(Settings(store=StoreSettings(path=folder / "data")))
    jobs = built.library.ingest([folder / "files", fab / "DR-2025-041-defect-report.pdf"])
    assert all(job.outcome == "read" for job in built.library.wait(jobs))
    yield built
    built.close()


@pytest.fixture(scope="module")
def run(assistant: Assistant) -> str:
    asked = assistant.questions.ask(Q)
    assistant.questions.wait(asked, 60)
    return asked


def pdf(assistant: Assistant) -> str:
    return next(d.id for d in assistant.library.contents.documents() if d.media_type == "application/pdf")


def test_a_question_is_answered_and_its_events_can_be_polled(assistant, run):
    report = assistant.questions.run(run).report
    assert report is not None
    assert "Mei Tanaka" in report.answer
    events = assistant.questions.events(run)
    assert assistant.questions.events(run, after=events[3].seq) == events[4:]
    assert [r.id for r in assistant.questions.runs()][-1] == run
    assert assistant.questions.conversations()[-1].title == Q


def test_an_unknown_run_is_not_found(assistant):
    with pytest.raises(NotFound):
        assistant.questions.run("nope")


def test_a_page_is_drawn_with_its_boxes(assistant):
    plain = assistant.library.page_image(pdf(assistant), 0, width=600)
    boxed = assistant.library.page_image(
        pdf(assistant), 0, [Box(page=0, x0=0.2, y0=0.2, x1=0.8, y1=0.3)], width=600
    )
    assert plain is not None
    assert boxed is not None
    before, after = Image.open(io.BytesIO(plain)), Image.open(io.BytesIO(boxed))
    assert before.size == after.size
    assert before.width == 600
    middle = (300, int(before.height * 0.25))
    assert before.getpixel(middle) != after.getpixel(middle)


def test_what_has_no_pages_has_no_picture(assistant):
    text = next(d.id for d in assistant.library.contents.documents() if d.name == "mail.txt")
    assert assistant.library.page_image(text, 0) is None
    assert assistant.library.page_image(pdf(assistant), 99) is None
    with pytest.raises(NotFound):
        assistant.library.page_image("nope", 0)


def test_a_run_is_exported_as_markdown_and_as_html_that_opens_offline(assistant, run):
    markdown = assistant.questions.export_markdown(run)
    assert markdown.startswith("# Who is responsible")
    assert "Mei Tanaka" in markdown
    assert "## Evidence" in markdown
    html = assistant.questions.export_html(run)
    assert "Mei Tanaka" in html
    assert "default-src &#x27;none&#x27;" in html or "default-src 'none'" in html
    assert "http://" not in html
    assert "https://" not in html
    assert "<script" not in html


def test_foreign_text_in_an_export_is_only_text(assistant):
    asked = assistant.questions.ask(
        'Who opens the cabinet? <script>alert(1)</script> ![x](http://evil/x.png) "$1"'
    )
    assistant.questions.wait(asked, 60)
    html, markdown = assistant.questions.export_html(asked), assistant.questions.export_markdown(asked)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "<script>" not in markdown.replace("\\<", "")
    assert "![x](" not in markdown


def test_suggestions_are_questions_the_library_answers(assistant):
    suggestions = assistant.library.suggestions(4)
    assert len(suggestions) == 4
    assert len(set(suggestions)) == 4
    for suggestion in suggestions[:2]:
        assert (
            assistant.questions.wait(assistant.questions.ask(suggestion), 60).outcome is not Outcome.NOTHING
        )


def test_feedback_is_kept(assistant, run):
    given = Feedback(run=run, target="answer", verdict="right")
    assistant.learning.give_feedback(given)
    assert assistant.learning.feedback(run) == [given]


def test_an_upload_is_read_and_can_be_removed(assistant):
    job = assistant.library.upload("note.txt", io.BytesIO(b"The coffee machine is a QX-1 made by Brewtec."))
    (done,) = assistant.library.wait([job])
    assert done.outcome == "read"
    assert (
        "Brewtec"
        in assistant.questions.wait(assistant.questions.ask("Who makes the coffee machine QX-1?"), 60).answer
    )
    removal = assistant.library.delete_permanently(done.document_id)
    assert nothing_left(removal)


def test_health_says_what_is_set_and_what_is_missing(assistant):
    health = assistant.admin.health()
    assert health.engine == "built-in"
    assert health.counts["documents"] == len(DOCUMENTS) + 1
    assert any("Ollama" in finding.message for finding in health.findings)
    assert health.versions["torch"].startswith("2.")


def test_a_library_is_opened_by_one_process_at_a_time(assistant):
    with pytest.raises(LibraryBusy):
        build(Settings(store=StoreSettings(path=assistant.library.path)))


def test_with_a_server_the_model_answers_and_health_lists_it(tmp_path: Path):
    with OllamaDouble() as double:
        llm = LLMSettings(backend="ollama", host=double.host)
        built = build(Settings(store=StoreSettings(path=tmp_path), llm=llm), warm=False)
        file = tmp_path / "note.md"
        file.write_text(DOCUMENTS["sop-112.md"], "utf-8")
        built.library.wait(built.library.ingest([file]))
        report = built.questions.wait(built.questions.ask(Q), 60)
        health = built.admin.health()
        built.close()
    assert "Mei Tanaka" in report.answer
    assert report.engine != "built-in"
    assert health.engine == report.engine
    assert report.engine in {model.name for model in health.models}


def test_with_a_server_that_is_away_the_rules_answer_and_say_so(tmp_path: Path):
    llm = LLMSettings(backend="ollama", host="http://127.0.0.1:9", connect_timeout=0.5)
    built = build(Settings(store=StoreSettings(path=tmp_path), llm=llm), warm=False)
    file = tmp_path / "note.md"
    file.write_text(DOCUMENTS["sop-112.md"], "utf-8")
    built.library.wait(built.library.ingest([file]))
    report = built.questions.wait(built.questions.ask(Q), 60)
    health = built.admin.health()
    built.close()
    assert "Mei Tanaka" in report.answer
    assert report.engine == "built-in"
    assert any("stood in" in note for note in report.notes)
    assert any(finding.command == "ollama serve" for finding in health.findings)


@pytest.mark.parametrize(
    "changes",
    [
        {"embedding": EmbeddingSettings(backend="sentence-transformers")},
        {"embedding": EmbeddingSettings(backend="ollama", model="bge-m3")},
    ],
)
def test_a_setting_that_needs_another_one_says_which(tmp_path: Path, changes):
    with pytest.raises(SettingsError, match=r"not set|no host"):
        build(Settings(store=StoreSettings(path=tmp_path), **changes))


def test_every_knob_is_shown_with_its_default():
    shown = {setting.name: setting for setting in effective(Settings(rerank=RerankSettings(backend="none")))}
    assert shown["STRATA_RERANK__BACKEND"].value == "none"
    assert shown["STRATA_RERANK__BACKEND"].default == "late-interaction"
