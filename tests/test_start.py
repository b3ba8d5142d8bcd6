"""What a process loads before its first question: each of these costs a tenth of a second to two."""

import subprocess
import sys
from pathlib import Path

from core.bootstrap import build
from core.settings import Settings, StoreSettings

SLOW = (
    *("torch", "langgraph", "langsmith", "chromadb", "ollama", "pandas", "jieba", "statsmodels", "openvino"),
    "py3langid",
)
ANSWERING = ("core.assistant", "core.bootstrap", "core.knowledge", "core.llm", "numpy")


def loaded(code: str, *given: str, names: tuple[str, ...] = SLOW) -> set[str]:
    told = f"{code}\nimport sys; print(*[name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told, *given], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_nothing_slow_is_loaded_before_it_is_needed() -> None:
    assert loaded("import core.cli, core.bootstrap") == set()


def test_the_command_that_starts_the_app_in_its_place_loads_nothing_of_what_answers() -> None:
    assert loaded("import core.cli.operations", names=ANSWERING) == set()


def test_the_library_is_opened_before_the_first_visit_and_no_network_loaded_for_it(tmp_path: Path) -> None:
    code = """
import asyncio, os, sys, threading
os.environ["STRATA_STORE__PATH"] = sys.argv[1]
from app import app
async def started():
    async with app.lifespan()(app):
        pass
asyncio.run(started())
[thread.join() for thread in threading.enumerate() if thread.name == "open-library"]
from core.ui.shared import session
assert os.path.exists(sys.argv[1] + "/catalog.sqlite")
session.whole.clear()"""
    assert loaded(code, str(tmp_path / "library")) == {"chromadb", "pandas"}


def test_building_over_an_empty_folder_loads_the_vector_store_alone(tmp_path: Path) -> None:
    code = """
import sys
from core.bootstrap import build
from core.settings import Settings
build(Settings.model_validate({"store": {"path": sys.argv[1]}}), warm=False).close()"""
    assert loaded(code, str(tmp_path / "library")) == {"chromadb"}


def test_a_first_english_question_needs_no_torch_no_pandas_and_no_server(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text("The base pressure of the pump is 0.05 mTorr.\n", "utf-8")
    made = build(Settings(store=StoreSettings(path=tmp_path / "library")), warm=False)
    made.library.wait(made.library.ingest([tmp_path / "pump.md"]))
    made.close()
    code = """
import sys
from core.bootstrap import build
from core.settings import Settings
assistant = build(Settings.model_validate({"store": {"path": sys.argv[1]}}), warm=False)
questions = assistant.questions
assert "0.05" in questions.wait(questions.ask("What is the base pressure of the pump?")).answer
assistant.close()"""
    assert loaded(code, str(tmp_path / "library")) <= {
        "openvino",
        "langgraph",
        "langsmith",
        "chromadb",
        "jieba",
    }
