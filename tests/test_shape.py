"""What the import linter cannot see: pages, file lengths, and that every family is complete."""

import ast
import inspect
import re
import string
from pathlib import Path

import pytest

from core import errors, tasks, trace

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(p for p in (ROOT / "core").rglob("*.py") if p.stat().st_size)
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
LONG = {
    "core/domain.py": "the nouns belong in one place",
    "core/tasks.py": "one task after the other, no logic",
    "core/trace.py": "one event after the other, no logic",
}
TASKS = [
    c
    for _, c in inspect.getmembers(tasks, inspect.isclass)
    if issubclass(c, tasks.Task) and c is not tasks.Task
]
ERRORS = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, errors.StrataError)]


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    return names | {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_a_page_imports_only_streamlit_and_our_ui(path: Path):
    strangers = {m for m in imports(path) if not re.match(r"(streamlit|core\.ui)(\.|$)", m)}
    assert not strangers
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_module_is_longer_than_300_lines(path: Path):
    name = str(path.relative_to(ROOT))
    assert name in LONG or len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path: Path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.__name__)
def test_every_task_has_a_prompt_with_exactly_its_fields(task: type[tasks.Task], language: str):
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", task.__name__).lower()
    prompt = (ROOT / "core/llm/prompts" / language / f"{name}.md").read_text(encoding="utf-8")
    assert set(string.Template(prompt).get_identifiers()) == set(task.model_fields) - {"language"}


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: e.__name__)
def test_every_error_says_what_to_do_and_stands_in_the_drawing(error: type[errors.StrataError]):
    assert error.hint.endswith((".", "there"))
    assert error.__name__ in (errors.__doc__ or "")


def test_every_event_has_its_own_name():
    kinds = trace.Event.__args__[0].__args__
    assert len({k.model_fields["name"].default for k in kinds}) == len(kinds)


def test_no_file_of_the_project_names_a_path_of_a_machine():
    names = [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *MODULES, *PAGES, *(ROOT / "tests").rglob("*.py")]
    this = Path(__file__).resolve()
    found = [
        n for n in names if n.resolve() != this and re.search(r"/(work|root|home)/\w", n.read_text("utf-8"))
    ]
    assert not found
