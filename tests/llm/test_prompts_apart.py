"""No prompt says anything of the demo library: an idea from an example would look like one of its own."""

import re
from calendar import month_name
from pathlib import Path

import pytest

from core.text.tokens import is_cjk

HERE = Path(__file__).parent.parent.parent
PROMPTS = sorted((HERE / "core" / "llm" / "prompts").rglob("*.md"))
DEMO = [file for file in (HERE / "examples" / "fab").iterdir() if file.suffix in {".md", ".txt", ".html"}]
CODE = re.compile(r"\b(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{3,}\b")
NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
LONG, LONG_CJK = 4, 6  # words, or signs, in a row that two texts share by copying only


def runs(text: str) -> set[str]:
    """Return each run of words (English) and of signs (Chinese) in a text."""
    words = re.findall(r"[a-z]+", text.lower())
    signs = re.findall("[\u4e00-\u9fff]+", text)
    found = {" ".join(words[at : at + LONG]) for at in range(len(words) - LONG + 1)}
    return found | {run[at : at + LONG_CJK] for run in signs for at in range(len(run) - LONG_CJK + 1)}


@pytest.fixture(scope="module")
def demo() -> str:
    """What the plain files of the demo library say."""
    text = "\n".join(re.sub(r"<[^>]+>", " ", file.read_text("utf-8")) for file in DEMO)
    assert "ETCH-03" in text and is_cjk(text)
    return text


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_prompt_shares_no_code_name_or_phrase_with_the_demo_library(prompt: Path, demo: str):
    text = prompt.read_text("utf-8")
    assert not set(CODE.findall(text)) & set(CODE.findall(demo))
    assert not {
        name for name in {*NAME.findall(demo)} - {*month_name} if re.search(rf"\b{re.escape(name)}\b", text)
    }
    assert not runs(text) & runs(demo)


def test_what_is_copied_from_the_demo_library_would_be_seen(demo: str):
    copied = "Each idea names its part, for example the backside helium leak of ETCH-03. 聚焦环的更换周期保持"
    assert set(CODE.findall(copied)) & set(CODE.findall(demo))
    assert any(is_cjk(run) for run in runs(copied) & runs(demo))
