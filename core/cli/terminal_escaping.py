"""What may reach a terminal: text, and no order to it.

Questions, answers, titles and names come from others. A terminal takes control characters in them as orders:
to write elsewhere on the screen, to set its title or the clipboard, to make a link of it.
"""

import re
from typing import IO

import click

# C0 and C1 controls, and the marks that turn the direction of writing around. A carriage return at the very
# beginning goes over our own last line, as a count of progress does.
_ORDERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|(?<!\A)\r")
_HIGH = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # those that JSON writes as they are


def echo(text: str = "", *, file: IO[str] | None = None, err: bool = False, nl: bool = True) -> None:
    """Print the text without control characters, but for tabs and the ends of its lines."""
    click.echo(_ORDERS.sub("", text), file=file, err=err, nl=nl)  # noqa: TID251


def json_text(written: str) -> str:
    """Return JSON that means the same and holds no control character."""
    return _HIGH.sub(lambda found: f"\\u{ord(found.group()):04x}", written)
