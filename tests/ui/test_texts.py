"""No text stands outside the catalogues, and each catalogue is whole."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from core.i18n import messages

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(path for folder in ("core/ui", "core/cli", "pages") for path in (ROOT / folder).rglob("*.py"))
SHOWN_BY_CLICK = {"option", "argument", "command", "group", "version_option", "Choice", "prompt"}
LOOKED_UP = {"t", "tn", "plain", "plain_n", "mark"}
SOURCES = ("core.i18n.messages", "core.i18n.escaping")
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "t": None,
    "plain": None,
    "mark": None,
    "tn": (1, 2),
    "plain_n": (1, 2),
}
# Names, commands, headers of HTTP, examples of a file's form: the same in every language.
NAMES = re.compile(
    r"strata |ollama |place = \[|\{\"id\"|Thumbs\.db|Content-|Referrer-|Cross-|Permissions-|\w+-src |X-Frame"
    r"|written again|checked again|1 em 1  f1"
    r"|PowerPoint|Excel|OpenDocument|Word$|Markdown|a page failed|Strata 1, Streamlit|About$|%\{x"
    r"|\w+ \w+=\"|Source Sans|ScriptRunner$"
)
APART = (
    "login_page.py",
    "login.py",
    "openid.py",
    "watched_socket.py",
    "upload_requests.py",
    "app_server.py",
    "first_paint.py",
    "st.py",
    "published_figures.py",  # names of methods
)  # what stands before the app: HTML of its own, or in English


def words(text: str) -> bool:
    """Say whether a reader would read this: two words, or one with a capital."""
    plain = re.sub(r":material/\w+:|<[^>]+>|%\{[^}]*\}", "", text)
    alone = r"\b1(: | )[a-z]{2,}|[a-z]{2,} 1\b"  # beside a value
    return bool(
        re.search(rf"[A-Za-z]{{2,}}[,.:;]? [A-Za-z]|{alone}", plain) or re.match(r"[A-Z][a-z]+", plain)
    )


class Outside(ast.NodeVisitor):
    """Finds text that is not handed to a look-up."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in SHOWN_BY_CLICK:
            return  # help is collected from where it stands
        literals = name in LOOKED_UP | {"layout", "join", "getLogger", "compile"}
        for held in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if not (literals and isinstance(held, ast.Constant)):
                self.visit(held)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # else a docstring
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An error keeps its English; it is recognised when it is shown."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """A type is no text."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values)
        self._look(node, text)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._look(node, node.value)

    def _look(self, node: ast.expr, text: str) -> None:
        if words(text) and not NAMES.match(text):
            self.found.append((node.lineno, text))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@pytest.fixture(autouse=True, scope="module")
def trees() -> Iterator[None]:
    """What several tests go through; a collection of garbage would go through it, too."""
    yield
    tree.cache_clear()


def outside(source: ast.Module) -> list[tuple[int, str]]:
    finder = Outside()
    finder.visit(source)
    return finder.found


def test_no_text_of_the_interface_stands_outside_a_look_up() -> None:
    found = {
        str(path.relative_to(ROOT)): texts
        for path in FILES
        if path.name not in APART and (texts := outside(tree(path)))
    }
    assert found == {}


@pytest.mark.parametrize(
    "call",
    [
        'st.toast("It is gone.")',
        'st.caption(f"{n} files queued")',
        'st.caption(f"in {n} waves")',
        'st.caption(f"{n} in, {m} out")',
        'NAMES = {"a": "Automatic"}',
    ],
)
def test_a_text_outside_is_found(call: str) -> None:
    assert outside(ast.parse(call))


def test_only_literals_are_looked_up() -> None:
    wrong = []
    for path in FILES:
        nodes = list(ast.walk(tree(path)))
        froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in SOURCES]
        ours = {alias.name for node in froms for alias in node.names} & (LOOKED_UP | {"layout"})
        for node in nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ours:
                texts = node.args[:2] if getattr(node.func, "id", "") in ("tn", "plain_n") else node.args[:1]
                if not all(isinstance(text, ast.Constant | ast.IfExp) for text in texts):
                    wrong.append(f"{path.name}:{node.lineno}")
    assert wrong == []


def used() -> Catalog:
    catalogue = Catalog()
    for folder in ("core", "pages"):
        for _, _, message, _, _ in extract_from_dir(
            str(ROOT / folder),
            [("**.py", "core.i18n.collected_messages:extract")],
            keywords=KEYWORDS,
            comment_tags=(),
        ):
            catalogue.add(message)
    return catalogue


@pytest.mark.parametrize("code", [code for code in messages.languages() if code != messages.DEFAULT])
def test_a_catalogue_has_every_text_and_no_other(code: str) -> None:
    with (messages.LOCALE / code / "LC_MESSAGES/strata.po").open("rb") as held:
        catalogue = read_po(held, locale=code)
    ids = {str(message.id) for message in used() if message.id}
    missing = [
        message.id
        for message in catalogue
        if message.id
        and (
            message.fuzzy
            or not all((message.string or "",) if isinstance(message.string, str) else message.string)
        )
    ]
    assert missing == []
    assert {str(message.id) for message in catalogue if message.id} == ids, "run make messages"


def test_every_text_that_is_looked_up_is_in_the_catalogues() -> None:
    """What collects the texts does not look into f-strings; what stands there would never be translated."""
    sources = [path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*.py")]
    asked = {
        (str(path.relative_to(ROOT)), argument.value)
        for path in sources
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in LOOKED_UP
        for argument in node.args[:1]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    assert len(asked) > 1000
    for code in set(messages.languages()) - {messages.DEFAULT}:
        with (messages.LOCALE / code / "LC_MESSAGES" / "strata.po").open("rb") as held:
            known = {m.id[0] if isinstance(m.id, tuple) else m.id for m in read_po(held, locale=code)}
        assert sorted(one for one in asked if one[1] not in known) == []


@pytest.mark.parametrize("path", sorted((ROOT / "core/ui/assets").glob("*.js")), ids=lambda path: path.stem)
def test_no_word_stands_in_a_script(path: Path) -> None:
    """What a figure says is handed to it."""
    script = re.sub(r"//.*", "", path.read_text("utf-8"))
    keys = r"Enter|Escape|Home|End|Tab|Arrow\w+"
    assert re.findall(rf"[\"'`](?!(?:{keys})\")[A-Z][a-z]+\b[^\"'`]*", script) == []


def test_a_choice_says_in_our_words_that_it_is_empty() -> None:
    """Streamlit's own words for it are English; a choice that always holds a value says them to no one who
    sees, but has them in the page."""
    wrong = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"multiselect", "selectbox"}
        if "placeholder" not in {keyword.arg for keyword in node.keywords}
    ]
    assert wrong == []
