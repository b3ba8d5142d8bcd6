"""Sentences of ours that were kept in English, such as an error of a job, in the reader's language.

What is stored or comes from a worker process is an English sentence. The catalogue's message it was made from
is found, its values are parsed back, and the message is shown in the reader's language; a sentence that no
message matches is shown as it is. Of several sentences each is translated by itself.
"""

import re
from functools import lru_cache
from string import Formatter

from core.i18n.escaping import Safe, commands
from core.i18n.messages import language, plain, texts

_MIN_OWN_LETTERS = 10  # letters of its own that a message has, to be recognised by them
_MAX_SENTENCES = 4  # sentences, as they are cut here, that one message may hold
_BETWEEN = re.compile(r"(?<=[.!?])\s+")


def translated(text: str, limit: int = 0) -> Safe:
    """Return a kept sentence for the reader, on one line, the commands it names as code."""
    return commands(translated_plain(text), limit)


def translated_plain(text: str) -> str:
    """Return a kept sentence for a place that knows no markup."""
    return _translated(text, language())


@lru_cache(maxsize=4096)
def _translated(text: str, code: str) -> str:
    known = texts(code)
    if not known or not text or text in known:
        return known.get(text, text)
    whole = _recognised(text, code) or _recognised_error(text, code)
    if whole is not None and len(_BETWEEN.split(text)) == 1:
        return whole
    pieces, all_known = _by_sentences(text, code)
    # A message may hold several sentences; one whose value swallowed the next sentence must not win.
    return pieces if whole is None or all_known else whole


def _by_sentences(text: str, code: str) -> tuple[str, bool]:
    """Return the text with each of its sentences translated by itself, and whether all were recognised."""
    pieces = _BETWEEN.split(text)
    translations: list[str] = []
    all_known = True
    while pieces:
        for count in range(1, min(_MAX_SENTENCES, len(pieces)) + 1):
            piece = " ".join(pieces[:count])
            translation = _recognised(piece, code) or _recognised_error(piece, code)
            if translation is not None:
                break
        else:
            translation, count, all_known = pieces[0], 1, False
        translations.append(translation)
        pieces = pieces[count:]
    return " ".join(translations).replace("。 ", "。"), all_known


def _recognised(text: str, code: str) -> str | None:
    """Return what a message says in the language, None for what is no message of ours."""
    known = texts(code)
    if text in known:
        return known[text]
    for pattern, message in _patterns(code):
        if found := pattern.fullmatch(text):
            values = found.groupdict()
            return plain(
                message, **{name: _recognised(value, code) or value for name, value in values.items()}
            )
    return None


def _recognised_error(text: str, code: str) -> str | None:
    """Return what an error says that was made a sentence: with a capital and a full stop."""
    if not text.endswith("."):
        return None
    bare = text[:1].lower() + text[1:]
    translation = _recognised(bare, code) or _recognised(bare[:-1], code)
    return None if translation is None else f"{translation.rstrip('。.')}{'。' if code == 'zh' else '.'}"


@lru_cache(maxsize=8)
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what recognises each message with values, those with most letters of their own first."""
    found = []
    for message in texts(code):
        parts = _parts(message)
        letters = sum(len(literal) for literal, _, _, _ in parts)
        # A value that was formatted cannot be formatted again.
        if (
            letters >= _MIN_OWN_LETTERS
            and any(name for _, name, _, _ in parts)
            and not any(s for _, _, s, _ in parts)
        ):
            found.append((letters, re.compile(_expression(parts), re.DOTALL), message))
    return tuple((pattern, message) for _, pattern, message in sorted(found, key=lambda item: -item[0]))


def _parts(message: str) -> list[tuple[str, str | None, str | None, str | None]]:
    """Return the message's literals and fields; none of a text whose braces are its own."""
    try:
        parts = list(Formatter().parse(message))
    except ValueError:
        return []
    return parts if all(name is None or name.isidentifier() for _, name, _, _ in parts) else []


def _expression(parts: list[tuple[str, str | None, str | None, str | None]]) -> str:
    expression, seen = "", set()
    for literal, name, _, _ in parts:
        expression += re.escape(literal)
        if name:
            expression += f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
            seen.add(name)
    return expression
