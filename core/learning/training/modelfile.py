"""Ollama's Modelfile, read as its server reads it (docs/modelfile.mdx of github.com/ollama/ollama).

Instructions stand one a line, their names in any case; text that holds line ends is in triple quotes;
`#` begins a comment.
"""

import re
from typing import NamedTuple

from core.errors import TrainingError

_TEXTS = frozenset({"TEMPLATE", "SYSTEM", "LICENSE"})  # may go over several lines
_ROLES = frozenset({"system", "user", "assistant"})
_NUMBERS = frozenset(
    {"temperature", "repeat_penalty", "top_p", "min_p", "num_ctx", "repeat_last_n", "seed", "num_predict"}
    | {"top_k"}
)
_LINE = re.compile(r"(?P<name>[A-Za-z]+)[ \t]+(?P<rest>.*)", re.DOTALL)
_TRIPLE = '"""'


class ModelfileLine(NamedTuple):
    """An instruction in capitals, and what stands behind it, its quotes taken off."""

    name: str
    value: str


def parse(text: str) -> tuple[ModelfileLine, ...]:
    """Return the instructions in order. Raises TrainingError with the line for what Ollama would refuse."""
    found: list[ModelfileLine] = []
    lines = iter(enumerate(text.split("\n"), 1))
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise _refused(number, "an instruction and its value are expected")
        name, value = match["name"].upper(), match["rest"].strip()
        quoted = value.removeprefix("user ").removeprefix("system ").removeprefix("assistant ")
        if quoted.startswith(_TRIPLE) and not (len(quoted) >= 6 and quoted.endswith(_TRIPLE)):
            for _, more in lines:
                value += f"\n{more}"
                if more.rstrip().endswith(_TRIPLE):
                    break
            else:
                raise _refused(number, "its quotes are not closed")
        found.append(ModelfileLine(name, _checked(number, name, value.strip())))
    if sum(one.name == "FROM" for one in found) != 1:
        raise TrainingError("A Modelfile needs one FROM.", hint="Name the base model with --from.")
    return tuple(found)


def _checked(number: int, name: str, value: str) -> str:
    """Return the value without its quotes. Raises TrainingError."""
    if name in ("FROM", "ADAPTER"):
        if re.search(r"\s", value):
            raise _refused(number, f"{name} takes one name or path")
        return value
    if name == "PARAMETER":
        key, _, argument = value.partition(" ")
        if key != "stop" and (key not in _NUMBERS or not re.fullmatch(r"-?\d+(?:\.\d+)?", argument.strip())):
            raise _refused(number, f"{value} is no parameter with its number")
        return value
    if name == "MESSAGE":
        if value.partition(" ")[0] not in _ROLES:
            raise _refused(number, "MESSAGE needs system, user or assistant")
        return value
    if name not in _TEXTS:
        raise _refused(number, f"{name} is no instruction")
    return value.removeprefix(_TRIPLE).removesuffix(_TRIPLE)


def _refused(number: int, why: str) -> TrainingError:
    return TrainingError(
        f"Line {number} of the Modelfile cannot be read: {why}.",
        hint="Names of models and folders hold neither spaces nor line ends.",
    )
