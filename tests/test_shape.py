"""What the import linter cannot see: pages, file lengths, and that every family is complete."""

import ast
import inspect
import re
import string
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

from core import errors, tasks, text, trace

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(p for p in (ROOT / "core").rglob("*.py") if p.stat().st_size)
NAMES = [str(path.relative_to(ROOT)) for path in MODULES]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
LONG = {
    "core/domain.py": "the nouns belong in one place",
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


def test_a_page_imports_only_our_ui_and_its_texts():
    ours = re.compile(r"(core\.ui|core\.i18n\.messages)(\.|$)")
    strangers = {page.name: [m for m in imports(page) if not ours.match(m)] for page in PAGES}
    assert strangers.pop("app.py") == ["streamlit"]
    assert len(PAGES) > 5
    assert {name: found for name, found in strangers.items() if found} == {}


def test_no_page_is_longer_than_120_lines_and_no_module_or_test_file_than_300():
    tests = (str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py"))
    most = dict.fromkeys(tests, 300)
    most |= {str(page.relative_to(ROOT)): 120 for page in PAGES}
    most |= {name: 300 for name in NAMES if name not in LONG}
    lengths = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in most}
    assert {name: lines for name, lines in lengths.items() if lines > most[name]} == {}


def test_a_file_name_stands_once_in_the_tree():
    tests = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    names = Counter([*tests, *(Path(name).name for name in NAMES if not name.endswith("__init__.py"))])
    assert len(tests) > 300 and [name for name, times in names.items() if times > 1] == []


@cache
def outline(path):
    """Return the docstring of a module and the names of its classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return ast.get_docstring(tree), tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef))


def test_a_class_name_stands_once_in_the_tree():
    found = Counter(name for path in MODULES for name in outline(path)[1])
    assert [name for name, times in found.items() if times > 1] == []


def test_the_list_of_text_modules_names_each_once():
    listed = Counter(re.findall(r"\b[a-z]+(?:_[a-z]+)*\b", inspect.getdoc(text) or ""))
    modules = [path.stem for path in (ROOT / "core/text").glob("*.py") if path.stem != "__init__"]
    assert len(modules) > 30 and [name for name in modules if listed[name] != 1] == []


def test_every_module_says_what_it_is_for():
    assert len(NAMES) > 300
    assert [path for path in MODULES if not outline(path)[0]] == []


def test_every_task_has_a_prompt_in_each_language_with_exactly_its_fields():
    assert len(TASKS) > 5
    for task, language in product(TASKS, ("en", "zh")):
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", task.__name__).lower()
        prompt = (ROOT / "core/llm/prompts" / language / f"{name}.md").read_text(encoding="utf-8")
        blanks = set(string.Template(prompt).get_identifiers())
        assert blanks == set(task.model_fields) - {"language"}, (task.__name__, language)


def test_every_error_says_what_to_do_and_stands_in_the_drawing():
    assert len(ERRORS) > 20
    assert [e.__name__ for e in ERRORS if not e.hint.endswith((".", "there"))] == []
    assert [e.__name__ for e in ERRORS if e.__name__ not in (errors.__doc__ or "")] == []


def test_the_tests_mirror_the_packages():
    apart = {"browser", "demo"}  # the whole app, and what its demo library answers
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").glob("*/**/test_*.py")}
    assert len(folders) > 15
    assert {str(each) for each in folders if not (ROOT / "core" / each).is_dir()} == apart


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
