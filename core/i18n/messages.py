"""Every text a reader sees, in the reader's language.

A text is written in English where it is used: `t("Deleted {title}.", title=title)`. It is looked up in the
gettext catalogue of the reader's language (locale/LANGUAGE/LC_MESSAGES/strata.po), then filled. `t` and `tn`
give Markdown whose values are escaped; `plain` and `plain_n` give text for places that know no markup: a
terminal, a table's cells, a file. These take literals only; a constant is made by `mark` and shown by `say`
or `say_plain`. `make messages` collects them; a further language is one more file.
"""

import gettext
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NewType

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from core.i18n.escaping import Safe, layout

DEFAULT = "en"  # the language the texts are written in
LOCALE = Path(__file__).parent / "locale"

Message = NewType("Message", str)  # an English text of ours, to be looked up when it is shown

_spoken: ContextVar[str] = ContextVar("language", default="")
_language_sources: list[Callable[[], str]] = []


def t(message: str, /, **values: object) -> Safe:
    """Return the message in the reader's language as Markdown, its values escaped."""
    return layout(_catalogue(language()).gettext(message), **values)


def tn(one: str, many: str, n: int, /, **values: object) -> Safe:
    """Return the form of the message that the number `n` asks for, as `t` does; `{n}` is the number."""
    return layout(_catalogue(language()).ngettext(one, many, n), n=n, **values)


def plain(message: str, /, **values: object) -> str:
    """Return the message in the reader's language for a place that knows no markup."""
    return _catalogue(language()).gettext(message).format(**values)


def plain_n(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the form of the message that the number `n` asks for, as `plain` does."""
    return _catalogue(language()).ngettext(one, many, n).format(n=n, **values)


def mark(message: str, /) -> Message:
    """Return the message as it is: a constant that `say` or `say_plain` looks up when it is shown."""
    return Message(message)


def recorded(sentence: str, /) -> str:
    """Return a sentence as it is, kept in English; `recorded_messages` recognises it when it is shown."""
    return sentence


def say(message: Message, /, **values: object) -> Safe:
    """Return a marked message as `t` does."""
    return t(message, **values)


def say_plain(message: Message, /, **values: object) -> str:
    """Return a marked message as `plain` does."""
    return plain(message, **values)


def language() -> str:
    """Return the reader's language: what `speaking` says, else what the interface knows about its reader."""
    return _spoken.get() or next((found for found in (ask() for ask in _language_sources) if found), DEFAULT)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use this language within the block."""
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def add_language_source(source: Callable[[], str]) -> None:
    """Ask this for the reader's language; it returns "" where it knows no reader."""
    if source not in _language_sources:
        _language_sources.append(source)


def languages() -> dict[str, str]:
    """Return the languages there are, each with its own name for itself."""
    codes = (
        DEFAULT,
        *sorted(catalogue.parent.parent.name for catalogue in LOCALE.glob("*/LC_MESSAGES/strata.po")),
    )
    return {code: Locale.parse(code).get_display_name() or code for code in codes}


def choose(preferred: Iterable[str]) -> str:
    """Return the first preferred language that there is: "zh-CN", "zh_CN.UTF-8" and "zh" are all "zh"."""
    known = languages()
    asked = (code.replace("_", "-").split("-")[0].lower() for code in preferred)
    return next((code for code in asked if code in known), DEFAULT)


@cache
def texts(code: str) -> dict[str, str]:
    """Return every message of a language that has no counted form, with what it says there."""
    if code == DEFAULT:
        return {}
    catalogue = read_po(BytesIO((LOCALE / code / "LC_MESSAGES" / "strata.po").read_bytes()), locale=code)
    return {m.id: str(m.string) for m in catalogue if isinstance(m.id, str) and m.id and m.string}


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == DEFAULT:
        return gettext.NullTranslations()
    compiled = BytesIO()
    with (LOCALE / code / "LC_MESSAGES" / "strata.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
