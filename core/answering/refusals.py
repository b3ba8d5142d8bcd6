"""Recognises the sentences of an answer that only state that the library does not say.

Only what is said of the library or the evidence as a whole counts: "the procedure names no torque [2]" is
a finding like any other, and so is "the library does not say that it was lit in 1850, but in 1871 [2]".
"""

import re
from collections.abc import Sequence

from core.domain import Outcome, PartAnswer, Sentence

_WHOLE = (
    r"(?:the|this|your|our)?\s*(?:(?:provided|given|available|supplied|numbered|present)\s+)?"
    r"(?:library|evidence|context|documents|sources|pieces(?: of evidence)?|passages|texts|information)"
    r"(?:\s+(?:provided|given|available|here|above))?"
)
_SAY = r"(?:say|state|mention|give|contain|hold|provide|specify|include|indicate|name|tell|answer|cover)"
_EN = re.compile(
    rf"(?:(?:however|unfortunately|also|but|and|in addition)[,;]?\s+)?(?:"
    rf"{_WHOLE}\s+(?:does not|do not|doesn't|don't|did not|cannot)\s+(?:explicitly\s+|directly\s+)?{_SAY}\b"
    rf"|{_WHOLE}\s+(?:says?|states?|mentions?|gives?|contains?|holds?|provides?)\s+(?:nothing|no)\b"
    rf"|(?:there is|there's)\s+(?:no|nothing)\s+(?:\w+\s+){{0,3}}(?:in|within)\s+{_WHOLE}"
    rf"|(?:no|nothing)\s+(?:\w+\s+){{0,3}}(?:in|within)\s+{_WHOLE}\s"
    rf"|no\s+(?:information|evidence|mention)\b"
    rf"|(?:i|we)\s+(?:could not|cannot|can't|did not|(?:was|am) unable to)\s+(?:find|answer|determine)\b"
    rf"|(?:it|this)\s+is\s+not\s+(?:stated|mentioned|said|given|specified)\s+in\s+{_WHOLE}"
    rf"|it\s+cannot\s+be\s+(?:determined|answered|found|said)\b"
    rf")",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"(?:但是?|不过|然而|此外|另外|很抱歉|抱歉|遗憾的是)?[，,]?\s*(?:"
    r"(?:根据|依据|从)?(?:所给|所提供|提供|给出|现有|已有|当前|上述|以上)?的?(?:资料库?|证据|文档|文件|材料|内容|信息|来源)(?:中|里|内)?"
    r"[，,]?(?:都|也|均)?(?:并?没有?|并?未(?:能|曾)?|无法|不能|无)(?:明确|直接|具体|关于|任何|相关|与)*"
    r"(?:说明|提到|提及|提供|给出|记载|记录|包含|指出|涉及|写明|列出|回答|得知|确定|判断|找到|信息|内容|说)"
    r"|(?:我|我们)?(?:没有|未能?|无法)(?:在(?:资料库|证据|文档|材料)[中里]?)?(?:找到|回答|确定)"
    r")"
)
_OWN = re.compile(r"\W*(?:\w+[,，]?\s*)?(?:the\s+)?(?:library|evidence|资料库|证据)", re.IGNORECASE)
_CORRECTS = re.compile(r"\bthat\b.*(?:;|, but|, it )|而是|其实|实际上")


def refuses(sentence: Sentence, *, first: bool = False) -> bool:
    """Say whether a sentence only says that the library does not say; one that cites must name the library,
    unless it is the `first` of the answer."""
    text = sentence.text.strip().lstrip("*_#->• \t")
    if not (_EN.match(text) or _ZH.match(text)):
        return False
    if not sentence.citations:
        return True
    return (first or _OWN.match(text) is not None) and not _CORRECTS.search(text)


def refusals(sentences: Sequence[Sentence]) -> frozenset[int]:
    """Return the places of the sentences that only say that the library does not say."""
    return frozenset(i for i, sentence in enumerate(sentences) if refuses(sentence, first=i == 0))


def declined(sentences: Sequence[Sentence], parts: Sequence[PartAnswer]) -> Outcome | None:
    """Return CLOSEST for an answer that begins by saying that the library does not say, else None.

    Of a question in several parts one may be refused and the others answered: then the whole is no refusal.
    """
    refused = refusals(sentences)
    if 0 not in refused:
        return None
    others = [one for i, one in enumerate(sentences) if one.citations and i not in refused]
    return None if len(parts) > 1 and others else Outcome.CLOSEST
