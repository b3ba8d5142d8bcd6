"""Who wrote the text *on* a thing: not the authors of the thing's own paper, where another text is on it."""

import re
from collections.abc import Sequence

from core.domain import Evidence
from core.llm.builtin.answer.scorer import Scored
from core.llm.builtin.answer.word_matching import keys_of

_ON = re.compile(
    r"\b(?:who|whose)\b.*\b(?:wrote|written|authors?)\b.*\b(?:on|about)\s+(?:the\s+)?(?P<thing>[^?!]+)", re.I
)
_AFTER_NAME = (":", " –", " —", " was written by", " were written by")


def without_own_works(question: str, scored: Sequence[Scored], evidence: Sequence[Evidence]) -> list[Scored]:
    """Return the pieces but for what is said of the work that bears the thing's own name ("Kiln: A toolkit"),
    where the evidence has a work with the thing in its title ("What Kiln changes")."""
    asked = _ON.search(question)
    if asked is None:
        return list(scored)
    thing = asked["thing"].strip(" .\"“”'").casefold()
    own = {piece.document for piece in evidence if _is_titled_after(piece.source, thing)}
    wanted = keys_of(thing)
    others = any(piece.document not in own and wanted <= keys_of(piece.source) for piece in evidence)
    if not own or not others or not wanted:
        return list(scored)
    return [one for one in scored if one.unit.evidence.document not in own]


def _is_titled_after(title: str, thing: str) -> bool:
    folded = title.casefold()
    return folded == thing or (folded.startswith(thing) and folded[len(thing) :].startswith(_AFTER_NAME))
