"""Foreign text cannot reach a Streamlit call unescaped: mypy says so, and nothing goes around its stub."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import streamlit

from core.ui.shared import st

ROOT = Path(__file__).resolve().parent.parent.parent


def test_mypy_checks_that_a_title_that_is_not_escaped_is_refused() -> None:
    """tests/ui/unescaped.py holds the calls; strict mypy complains of each mark that it does not need."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert config["strict"] is True and "warn_unused_ignores" not in config
    assert "tests/ui/unescaped.py" in config["files"]
    calls = (ROOT / "tests/ui/unescaped.py").read_text(encoding="utf-8").partition("def right")
    assert len(re.findall(r"^    st\..*# type: ignore\[", calls[0], re.MULTILINE)) == calls[0].count(
        "\n    st."
    )


def test_ruff_refuses_streamlit_itself_in_the_interface() -> None:
    checked = [sys.executable, "-m", "ruff", "check", "--select", "TID251", "--no-cache"]
    name = ["--stdin-filename", str(ROOT / "core/ui/shared/made_up.py"), "-"]
    for source in (
        "import streamlit as st\n",
        "from streamlit import toast\n",
        "import streamlit.elements.toast\n",
    ):
        done = subprocess.run([*checked, *name], input=source, capture_output=True, text=True, cwd=ROOT)
        assert "TID251" in done.stdout, done.stdout + done.stderr


def test_only_documented_modules_of_streamlit_are_imported() -> None:
    """docs.streamlit.io documents the package itself and the types of its components; the rest may go with
    any release. The app works without the two messages of its protocol (serving/upload_requests.py)."""
    paths = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "core").rglob("*.py")]
    sources = [text for text in (path.read_text("utf-8") for path in paths) if "streamlit" in text]
    taken = set()
    for node in (node for text in sources for node in ast.walk(ast.parse(text))):
        if isinstance(node, ast.Import):
            taken |= {each.name for each in node.names if each.name.split(".")[0] == "streamlit"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            taken |= {f"{node.module}.{each.name}" for each in node.names}
    assert taken == {
        "streamlit",
        "streamlit.web.cli",  # what `python -m streamlit` calls (serving/server_process.py)
        "streamlit.components.v2.types.ComponentRenderer",
        "streamlit.proto.BackMsg_pb2.BackMsg",
        "streamlit.proto.ForwardMsg_pb2.ForwardMsg",
    }


def test_the_stub_names_only_what_streamlit_has() -> None:
    stub = (ROOT / "core/ui/shared/st.pyi").read_text(encoding="utf-8")
    names = [row.split(" = ")[0] for row in stub.splitlines() if " = _page." in row or " = streamlit." in row]
    assert len(names) > 50
    assert [name for name in names if not hasattr(streamlit, name)] == []
    assert st.toast is streamlit.toast


def test_tables_leave_only_through_the_export_that_begins_no_formula() -> None:
    client = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["client"]
    assert client["disableDataExport"] is True
    assert streamlit.get_option("client.disableDataExport") in (True, False)  # Streamlit knows the option
