"""Tells a model that reasons aloud from one that answers: thoughts are never an answer, marked or not."""

_OPENINGS = tuple(
    """okay, so|okay, let|okay, the user|okay, i |ok, so|ok, let|ok, the user|alright, so|alright, let|hmm
    |let me see|let me think|let me start|let me look|let me check|let me go|let me read|let me analy
    |let's see
    |let's think|let's look|let's analy|the user is asking|the user asks|the user want|the user's question
    |the user asked|i need to answer|i need to find|i need to look|i need to figure|i need to determine
    |we need to answer|we need to find|we need to determine|we need to look|we are asked|we are given
    |first, i need|first, i should|first, let me|thinking process|here's a thinking process
    |嗯，|好的，用户|好，用户|好的，我|好的，让我|好的，首先|用户问|用户想|用户要求|用户的问题
    |首先，我需要|首先，我要|我需要先
    |让我先|让我看|让我想""".replace("\n    ", "").split("|")
)
_MAX_OPENING_CHARACTERS = max(map(len, _OPENINGS))


def reasons(text: str) -> bool:
    """Say whether a reply begins as somebody does who thinks aloud."""
    return _plain(text).startswith(_OPENINGS)


def may_reason(text: str) -> bool:
    """Say whether the beginning of a reply could still become that of a thought."""
    start = _plain(text)
    return len(start) < _MAX_OPENING_CHARACTERS and any(opening.startswith(start) for opening in _OPENINGS)


def _plain(text: str) -> str:
    return text[:80].lstrip("*_# \n\t").lower().replace("’", "'")
