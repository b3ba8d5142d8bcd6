"""Sentences of ours that were kept in English, such as an error of a job, in the reader's language."""

from core.text.escaping import Safe, line


def told(text: str, limit: int = 0) -> Safe:
    """Return a kept sentence for the reader, on one line."""
    return line(text, limit)


def told_plain(text: str) -> str:
    """Return a kept sentence for a place that knows no markup."""
    return text
