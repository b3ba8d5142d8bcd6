"""The documents tell the truth: commands, settings, files, targets and libraries they name are there."""

import re
import tomllib
from pathlib import Path

import click

from core.cli import main
from core.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
WHOLE = "\n".join(TEXTS.values())
SETTINGS = {
    f"STRATA_{group.upper()}__{name.upper()}"
    for group, field in Settings.model_fields.items()
    for name in field.annotation.model_fields
}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def slug(heading: str) -> str:
    """Return the anchor of a heading as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_setting_they_name_is_one():
    assert set(re.findall(r"STRATA_[A-Z]+__[A-Z_]+", WHOLE)) <= SETTINGS


def test_every_command_they_name_is_one():
    named = re.findall(r"(?:`|bin/|· )strata ([a-z]+)(?: ([a-z]+))?", WHOLE)
    assert len(named) > 5
    for command, below in named:
        found = main.get_command(click.Context(main), command)
        assert found is not None, command
        if below and isinstance(found, click.Group):
            assert found.get_command(click.Context(found), below) is not None, (command, below)


def test_every_make_target_they_name_is_one():
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)", WHOLE, re.MULTILINE))
    assert {"run", "test", "check"} <= targets
    assert targets <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_every_module_they_measure_with_is_there():
    modules = set(re.findall(r"python -m (bench\.\w+)", WHOLE))
    assert len(modules) > 5
    paths = [ROOT / module.replace(".", "/") for module in modules]
    runs = (path.with_suffix(".py").is_file() or (path / "__main__.py").is_file() for path in paths)
    assert all(runs)


def test_every_file_they_name_is_there():
    paths = set(re.findall(r"`((?:core|pages|tests|bench|docs|examples)/[\w./-]*[\w/])`", WHOLE))
    assert len(paths) > 20
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_every_link_leads_to_a_file_and_a_heading():
    for name, text in TEXTS.items():
        for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
            path, _, anchor = link.partition("#")
            target = (ROOT / name).parent / path
            assert target.is_file(), (name, link)
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE) if anchor else []
            assert not anchor or anchor in map(slug, headings), (name, link)


def test_every_library_has_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    decisions = TEXTS["docs/decisions.md"]
    reasons = decisions[decisions.index("## Why these libraries") :]
    for requirement in project["dependencies"] + project["optional-dependencies"]["media"]:
        assert re.match(r"[A-Za-z0-9-]+", requirement)[0] in reasons


def test_the_order_of_imports_is_the_one_that_is_enforced():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    order = [set(layer.split(" | ")) for layer in contracts["contracts"][0]["layers"]]
    drawn = re.search(r"^app\.py, pages → (.+?)^```", TEXTS["docs/architecture.md"], re.MULTILINE | re.DOTALL)
    assert [set(re.findall(r"\w+", layer)) for layer in drawn[1].split("→")] == order


def test_the_readme_is_short_and_its_figures_are_those_of_the_benchmarks():
    readme = TEXTS["README.md"]
    assert len(readme.splitlines()) < 120
    rows = re.findall(r"^\| (.+) \| (.+) \|$", readme[readme.index("## Figures") :], re.MULTILINE)[1:]
    assert len(rows) == 6
    for _, figures in rows:
        for figure in re.findall(r"\d+(?:\.\d+)?", figures):
            assert re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d.]*\d)", TEXTS["docs/benchmarks.md"]), (
                figure
            )
