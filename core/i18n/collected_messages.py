"""Collects the texts of a source file for the catalogues, for Babel: `make messages`.

Beside what is looked up where it is shown: what an error says and advises, what was left out of a file and
what is marked as `recorded`, which are recognised when they are shown (`recorded_messages`), the help of
commands, which click shows, and what each setting says of itself.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from babel.messages.extract import extract_python

_DRAWN = ast.parse((Path(__file__).parent.parent / "errors.py").read_text("utf-8"))
ERRORS = frozenset(node.name for node in _DRAWN.body if isinstance(node, ast.ClassDef))
COMMANDS = ("command", "group")
LEFT_OUT = ("skipped", "missing", "_notes")  # lists of sentences on what was left out
Found = tuple[int, Any, Any, Any]


def extract(
    source: IO[bytes], keywords: Mapping[str, Any], comments: list[str], options: dict[str, Any]
) -> Iterator[Found]:
    """Yield each text with its line, as Babel asks for it."""
    yield from extract_python(source, keywords, comments, options)  # type: ignore[arg-type]
    source.seek(0)
    for node in ast.walk(ast.parse(source.read())):
        if isinstance(node, ast.Call):
            for argument in _read(node):
                yield from ((argument.lineno, None, text, []) for text in _texts(argument))
        elif isinstance(node, ast.FunctionDef) and any(_makes_command(each) for each in node.decorator_list):
            yield node.lineno, None, ast.get_docstring(node) or "", []


def _read(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that a reader is shown."""
    name = _name(call.func)
    if name in ERRORS:
        yield from call.args[:1]
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "hint")
    elif (
        name == "lost"
        or (name == "append" and isinstance(call.func, ast.Attribute) and _name(call.func.value) in LEFT_OUT)
        or name == "recorded"
    ):
        yield from call.args[:1]
    elif name in ("option", "version_option"):
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "help")
    elif name == "Field":
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "description")


def _makes_command(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and _name(decorator.func) in COMMANDS


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the text of an expression, each value in it as a field; both texts of a choice."""
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        own = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
        if any(letter.isalpha() for letter in "".join(own)):
            yield _filled(node)


def _filled(node: ast.JoinedStr) -> str:
    """Return the text with a field for each value: named as the value is, if that name is not taken."""
    template, fields = "", dict[str, str]()
    for at, part in enumerate(node.values):
        if isinstance(part, ast.FormattedValue):
            name, whole = _name(part.value).strip("_").lower(), ast.dump(part.value)
            field = name if name and fields.get(name, whole) == whole else f"value{at}"
            fields[field] = whole
            template += f"{{{field}}}"
        elif isinstance(part, ast.Constant):
            template += str(part.value).replace("{", "{{").replace("}", "}}")
    return template


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))
