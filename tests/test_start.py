"""What a process loads before its first question: each of these costs a tenth of a second to two."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.bootstrap import build
from core.settings import Settings, StoreSettings

SLOW = (
    *("torch", "langgraph", "langsmith", "chromadb", "ollama", "pandas", "jieba", "statsmodels", "openvino"),
    "py3langid",
)
ANSWERING = ("core.assistant", "core.bootstrap", "core.knowledge.base", "core.llm", "numpy")
LOADED = f"""
import json, sys
def loaded(step): print(json.dumps([step, [n for n in {(*SLOW, *ANSWERING)} if n in sys.modules]]))
"""
# One process does it all: what a step loads is there at the next one, too.
STEPS = """
import core.cli.operations
loaded("command")
import core.cli, core.bootstrap
loaded("import")
from core.bootstrap import build
from core.settings import Settings
build(Settings.model_validate({"store": {"path": sys.argv[1] + "/empty"}}), warm=False).close()
loaded("empty")
assistant = build(Settings.model_validate({"store": {"path": sys.argv[1] + "/library"}}), warm=False)
questions = assistant.questions
assert "0.05" in questions.wait(questions.ask("What is the base pressure of the pump?")).answer
assistant.close()
loaded("question")"""
OPENING = """
import asyncio, os, threading
os.environ["STRATA_STORE__PATH"] = sys.argv[1]
from app import app
async def started():
    async with app.lifespan()(app):
        pass
asyncio.run(started())
[thread.join() for thread in threading.enumerate() if thread.name == "open-library"]
from core.ui.shared import session
assert os.path.exists(sys.argv[1] + "/catalog.sqlite")
session.whole.clear()
loaded("opened")"""

Steps = dict[str, set[str]]


def steps_of(code: str, folder: Path) -> Steps:
    """Run the code in its own process; return what was loaded after each of its steps."""
    command = [sys.executable, "-c", LOADED + code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    output = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return {step: set(names) for step, names in map(json.loads, output)}


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    folder = tmp_path_factory.mktemp("start")
    (folder / "pump.md").write_text("The base pressure of the pump is 0.05 mTorr.\n", "utf-8")
    made = build(Settings(store=StoreSettings(path=folder / "library")), warm=False)
    made.library.wait(made.library.ingest([folder / "pump.md"]))
    made.close()
    return steps_of(STEPS, folder)


def test_nothing_slow_is_loaded_before_it_is_needed(steps: Steps) -> None:
    assert steps["import"] & {*SLOW} == set()


def test_the_command_that_starts_the_app_in_its_place_loads_nothing_of_what_answers(steps: Steps) -> None:
    assert steps["command"] == set()


def test_the_library_is_opened_before_the_first_visit_and_no_network_loaded_for_it(tmp_path: Path) -> None:
    assert steps_of(OPENING, tmp_path / "library")["opened"] & {*SLOW} == {"chromadb", "pandas"}


def test_building_over_an_empty_folder_loads_the_vector_store_alone(steps: Steps) -> None:
    assert steps["empty"] & {*SLOW} == {"chromadb"}


def test_a_first_english_question_needs_no_torch_no_pandas_and_no_server(steps: Steps) -> None:
    assert steps["question"] & {*SLOW} <= {"openvino", "langgraph", "langsmith", "chromadb", "jieba"}
