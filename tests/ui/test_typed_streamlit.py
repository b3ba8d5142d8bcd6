"""Foreign text cannot reach a Streamlit call unescaped: mypy says so, and nothing goes around its stub."""

import subprocess
import sys
import tomllib
from pathlib import Path

import streamlit
from mypy import api
from streamlit import config

from core.ui.shared import st

ROOT = Path(__file__).resolve().parent.parent.parent
HEAD = """
from core.text.messages import t
from core.ui.shared import st
def show(title: str) -> None:
"""
WRONG = (
    "st.markdown(title)",
    "st.toast(f'{t(\"Deleted.\")} {title}')",
    "st.toast(t('Deleted.') + title)",
    "st.columns(2)[0].caption(title)",
    "st.dialog(title)(show)(title)",
    "st.button(t('Open'), help=title)",
    "st.tabs([title])",
    "st.radio(t('Which?'), [title], format_func=str)",
    "st.sidebar.error(title)",
    "st.markdown(t('Open'), unsafe_allow_html=True)",
)
RIGHT = ("st.toast(t('Deleted {title}.', title=title))", "st.code(title)", "st.text_input(t('Name'), title)")


def test_mypy_refuses_a_title_that_is_not_escaped(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(HEAD + "".join(f"    {call}\n" for call in (*WRONG, *RIGHT)), encoding="utf-8")
    config = [
        "--config-file",
        str(ROOT / "pyproject.toml"),
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
    ]  # make lint has filled it
    said, complaints, _ = api.run([*config, "--follow-imports", "silent", str(snippet)])
    first = HEAD.count("\n") + 1
    lines = {int(found.split(":")[1]) for found in said.splitlines() if ": error:" in found}
    assert lines == set(range(first, first + len(WRONG))), said + complaints


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


def test_the_stub_names_only_what_streamlit_has() -> None:
    stub = (ROOT / "core/ui/shared/st.pyi").read_text(encoding="utf-8")
    names = [row.split(" = ")[0] for row in stub.splitlines() if " = _page." in row or " = streamlit." in row]
    assert len(names) > 50
    assert [name for name in names if not hasattr(streamlit, name)] == []
    assert st.toast is streamlit.toast


def test_tables_leave_only_through_the_export_that_begins_no_formula() -> None:
    client = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["client"]
    assert client["disableDataExport"] is True
    assert config.get_option("client.disableDataExport") in (True, False)  # Streamlit knows the option
