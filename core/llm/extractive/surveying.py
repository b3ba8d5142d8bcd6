"""Questions about documents as a whole: surveys of a subject, and which document speaks of something."""

import re
from collections.abc import Mapping, Sequence

from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.reading import Line, bag_of
from core.llm.extractive.rows import row_of
from core.tasks import Evidence
from core.text.tokens import content_words, word_set

_SURVEY = re.compile(
    r"\b(?:summari[sz]e|summary of|overview|survey of|sum up|main (?:topics?|subjects?|themes?|points?)|"
    r"key (?:points?|findings)|"
    r"what (?:is|are) (?:the |this |these |my )?(?:library|documents?|corpus|collection) about|"
    r"what is (?:known|said|written) (?:about|on)|tell me (?:all|everything) about)\b"
    r"|\bwhat (?:does|do) the (?:library|documents?|sources?|reports?) say (?:about|on)\b"
    r"|概述|综述|总结|概括|总体情况|主要(?:内容|主题|观点)|讲了什么|说了些什么|有哪些说法",
    re.IGNORECASE,
)
_FRAME = word_set(
    """summaris summar summari overview survey sum main topic subject theme point key find librari
    document corpus collect sourc known said say written tell all everyth report 概述 综述 总结 概括 主要
    内容 主题 资料 资料库 文档 库"""
)
MOST = 5  # sentences of a survey
LEAST = 0.5  # share of the subject's words a sentence must say


def surveys(question: str) -> bool:
    """Say whether a question asks for all that is said on a subject."""
    return _SURVEY.search(question) is not None


def subject(question: str) -> frozenset[str]:
    """Return the words of the subject, without those that ask for the survey."""
    return frozenset(word for word in content_words(question) if word not in _FRAME)


def surveyed(question: str, lines: Sequence[Line], evidence: Sequence[Evidence]) -> list[Line]:
    """Return the sentences that say most of the subject, one a passage and two a document, best first."""
    about = subject(question)
    if not about:
        return []
    sources = {piece.n: piece.source for piece in evidence}
    rated = []
    for line in _own(lines, sources):
        bag = frozenset(bag_of(line.text))
        said = sum(word in bag or not synonyms(word).isdisjoint(bag) for word in about)
        share = said / len(about)
        if share >= LEAST and len(bag) > 3 and not row_of(line.text):
            rated.append((-share, -line.score, line.n, line.at, line))
    rated.sort(key=lambda each: each[:4])
    kept: list[Line] = []
    for *_, line in rated:
        source = sources.get(line.n, "")
        if line.n in {k.n for k in kept} or sum(sources.get(k.n) == source for k in kept) >= 2:
            continue
        kept.append(line)
    return kept[:MOST]


def _own(lines: Sequence[Line], sources: Mapping[int, str]) -> list[Line]:
    """Return the sentences that only one document says: what several say word by word is a form's text."""
    said: dict[str, set[str]] = {}
    for line in lines:
        said.setdefault(line.text.strip(), set()).add(sources.get(line.n, ""))
    return [line for line in lines if len(said[line.text.strip()]) == 1]


_WHICH_DOCUMENT = re.compile(
    r"^(?:in )?(?:which|what) (?P<noun>document|file|sop|procedure|manual|report|minutes|meeting notes|"
    r"standard|catalogue|catalog|guide|training|presentation|workbook|recipe file)s? "
    r"(?:describes?|covers?|explains?|contains?|deals? with|speaks? of|is about|are about|defines?|"
    r"documents?|says?|(?:does|do|is|are|can|will|was|were)\b)"
    r"|^(?:哪|什么)(?:一)?(?:份|个|篇|本)?(?P<zh>文件|文档|规程|报告|手册|纪要|SOP)"
    r"(?:描述|说明|介绍|规定|包含|讲|涉及|写)",
    re.IGNORECASE,
)


def titles_of(question: str, evidence: Sequence[Evidence]) -> dict[str, int]:
    """Return the titles that answer "what is the library about" with one passage of each, in their order."""
    if not surveys(question) or subject(question):
        return {}
    first: dict[str, int] = {}
    for piece in evidence:
        if piece.source:
            first.setdefault(piece.source, piece.n)
    return dict(list(first.items())[:MOST])


def which_document(question: str, lines: Sequence[Line], evidence: Sequence[Evidence]) -> Line | None:
    """Return the sentence of the document that speaks most of what is asked, None for other questions.

    A title that says it counts most; a document of the kind that is asked for ("which SOP") comes first.
    """
    match = _WHICH_DOCUMENT.match(question.strip())
    if match is None:
        return None
    noun = (match["noun"] or match["zh"]).casefold()
    about = frozenset(content_words(question[match.end() :]))
    sources = {piece.n: piece.source for piece in evidence}
    if not about:
        return None

    def said(text: str) -> float:
        bag = frozenset(bag_of(text))
        each = (1.0 if w in bag else 0.8 * (not synonyms(w).isdisjoint(bag)) for w in about)
        return sum(each) / len(about)

    rated = [
        (2 * said(sources[n]) + said(line.text) + 0.5 * (noun in sources[n].casefold()), -at, line)
        for at, line in enumerate(_own(lines, sources))
        if (n := line.n) in sources and not row_of(line.text)
    ]
    best = max(rated, key=lambda each: each[:2], default=None)
    return best[2] if best is not None and best[0] >= 1.0 else None
