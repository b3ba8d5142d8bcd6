"""What every test shares: no network beyond this machine, no telemetry, a clean environment."""

import os
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from bench.data import data_folder

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
if "PYTEST_XDIST_WORKER" in os.environ:  # threads of workers side by side would wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")
for name in [n for n in os.environ if n.startswith("STRATA_") and n != "STRATA_BENCH_DATA"]:
    del os.environ[name]
os.environ.pop("OLLAMA_HOST", None)
# Processes started by a suite that runs in the background would ignore the interrupt that ends them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Each of the hundreds of processes the tests start would compile every module.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Libraries in memory: every change of one waits for its disk several times.
_MEMORY = Path("/dev/shm")
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

# The same examples at each run, new ones with --hypothesis-profile random: a change is not refused by chance.
# How fast a busy machine makes them says nothing: the first text waits for the table of all characters.
_BUSY = [HealthCheck.too_slow]
settings.register_profile("repeated", derandomize=True, database=None, suppress_health_check=_BUSY)
settings.register_profile("random", print_blob=True, suppress_health_check=_BUSY)
settings.load_profile("repeated")

ROOT = Path(__file__).resolve().parent.parent
UNIT = tuple(  # rules and values; of these the tests that need no folder
    ROOT / "tests" / name
    for name in ("answering", "evaluation", "export", "llm/builtin", "llm/ollama", "text", "i18n")
)
# These ask one app over one library, made once for all of them: one worker does them, and does them first.
TOGETHER = tuple(
    f"tests/browser/test_{name}.py" for name in (
        "interface_language", "learning", "main_job", "real_file", "retrieval", "slow_line", "workbench",
        "workspace",
    )
)  # fmt: skip
# These need torch and its libraries, which take five seconds to import: one worker does it.
NETWORKS = tuple(
    f"tests/{name}"
    for name in (
        "learning/training/", "work/upkeep/test_reembed", "llm/encoders/test_rerankers.py",
        "llm/encoders/test_span_extractor.py",
    )
)  # fmt: skip
LONG = (*TOGETHER, "tests/browser/", "tests/work/", "tests/ui/", "tests/cli/")  # longest first ends soonest
_LOCAL = ("127.", "::1", "localhost", "0.0.0.0")
_connect = socket.socket.connect


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m unit` open only the folders of those: importing the others takes longer than the tests."""
    if config.getoption("markexpr") != "unit":
        return None
    path = collection_path
    near = any(path.is_relative_to(folder) or folder.is_relative_to(path) for folder in UNIT)
    return None if near else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folders = {"tmp_path", "tmp_path_factory"} & set(getattr(item, "fixturenames", ()))
        if _is_unit(item.path) and not folders and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.unit)
    items.sort(
        key=lambda item: next((n for n, each in enumerate(LONG) if item.nodeid.startswith(each)), len(LONG))
    )


class Scheduling(LoadFileScheduling):
    """A file goes to one worker, and so do the files that share an app, a library or what they import."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        if file in TOGETHER:
            return "tests/browser"
        if file.startswith(NETWORKS):
            return NETWORKS[0]
        return "tests/demo" if file.startswith("tests/demo/") else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduling:
    """Whatever `--dist` says: a plain `-n 2` takes whole files too, in the order above."""
    config.option.loadscopereorder = False
    return Scheduling(config, log)


@cache
def _is_unit(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in UNIT)


def _local_only(self: socket.socket, address: object) -> None:
    if isinstance(address, tuple) and not str(address[0]).startswith(_LOCAL):
        raise AssertionError(f"a test tried to reach {address}")
    _connect(self, address)  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Any connection to another machine fails the test that tried it."""
    socket.socket.connect = _local_only  # type: ignore[method-assign]
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def bench_data() -> Path:
    """The folder of public evaluation data, or a skip that says how to name it."""
    path = data_folder()
    if not (path / "README.md").is_file():
        pytest.skip(f"no evaluation data at {path}; name its folder in STRATA_BENCH_DATA")
    return path


@pytest.fixture(scope="session")
def fab() -> Path:
    """The demo documents."""
    return ROOT / "examples" / "fab"
