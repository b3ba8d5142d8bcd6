"""Everybody runs the same checks: hooks and services call the Makefile, which says what it can do."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[1].split())


def make(*arguments: str) -> str:
    """Return what make prints."""
    done = subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_help_names_every_target_and_what_it_does():
    assert dict(re.findall(r"^make (\S+) +(\S.+)$", make("help"), re.MULTILINE)).keys() == TARGETS


def test_hooks_and_services_call_targets_of_the_makefile():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    called = [hook["entry"] for hook in hooks]
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    called += re.findall(r"^make .+$", script, re.MULTILINE)
    assert called[-1] == "make check"
    assert {call.removeprefix("make ") for call in called} <= TARGETS
    workflow = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["check"]["steps"][-1]["run"] == ".ci/run"


def test_check_is_format_lint_types_contracts_and_tests_each_once():
    steps = ("ruff format --check", "ruff check", "mypy", "lint-imports", "pytest")
    commands = make("--dry-run", "check")
    assert [len(re.findall(rf"{step}\b", commands)) for step in steps] == [1] * len(steps)


def test_every_file_of_data_is_installed_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["core"]
    installed = {path for pattern in patterns for path in (ROOT / "core").glob(pattern)}
    data = {path for path in (ROOT / "core").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in data - installed if path.suffix not in (".py", ".pyi")} == set()


def test_the_pinned_versions_accept_the_oldest_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = f"{project['requires-python'].removeprefix('>=')}.0"
    pins = dict(
        re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    )
    held = {each.name: each for each in distributions()}
    known = {
        name: held[name] for name, version in pins.items() if name in held and held[name].version == version
    }
    needs = {name: each.metadata.get("Requires-Python") for name, each in known.items()}
    assert len(known) > len(pins) / 2
    assert {name for name, versions in needs.items() if oldest not in SpecifierSet(versions or "")} == set()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the usual index's torch is the CPU build")
def test_torch_is_the_cpu_build_unless_there_is_a_gpu():
    install = ("--dry-run", "--always-make", "install")
    without, beside = make(*install, "GPU="), make(*install, "GPU=/usr/bin/nvidia-smi")
    cpu = without.index("--index-url https://download.pytorch.org/whl/cpu torch")
    assert cpu < without.index("--editable")
    assert "--index-url" not in beside and "--editable" in beside
