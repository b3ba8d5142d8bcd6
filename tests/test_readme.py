"""The README tells the truth: commands, settings, files and libraries it names are there."""

import re
import tomllib
from pathlib import Path

import pytest

from core.cli import main
from core.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
KNOBS = {
    f"STRATA_{group.upper()}__{knob.upper()}"
    for group, field in Settings.model_fields.items()
    for knob in field.annotation.model_fields
}


def test_every_setting_it_names_is_one():
    assert set(re.findall(r"STRATA_[A-Z]+__[A-Z_]+", README)) <= KNOBS


def test_every_command_it_names_is_one():
    assert set(re.findall(r"strata ([a-z]+)", README)) <= set(main.commands) | {"is"}


def test_every_make_target_it_names_is_one():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"make (run|test|check|install|bench-smoke)\b", README))
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_every_module_it_measures_with_is_there():
    modules = set(re.findall(r"python -m (bench\.\w+)", README))
    assert all((ROOT / f"{module.replace('.', '/')}.py").is_file() for module in modules)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_every_file_it_links_is_there(link: str):
    assert (ROOT / link).is_file()


def test_every_library_has_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reasons = README[README.index("## Why these libraries") :]
    for requirement in project["dependencies"] + project["optional-dependencies"]["media"]:
        assert re.match(r"[A-Za-z0-9-]+", requirement)[0] in reasons
