"""Chooses in the best sentences the piece that answers: of the right kind, beside the right words."""

import re
from collections.abc import Sequence

from core.llm.extractive.attributes import attribute, misfits, says_attribute, says_object, told_of
from core.llm.extractive.kinds import of_type
from core.llm.extractive.lexicon import in_chinese, in_english, own_terms
from core.llm.extractive.nations import is_people
from core.llm.extractive.quantities import measures
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import Line, bag_of, heading_of, weights_of
from core.llm.extractive.rows import row_of
from core.llm.extractive.runs_zh import runs
from core.llm.extractive.spans import Candidate, candidates, cells
from core.llm.extractive.supporting import speaks, tells_it_done
from core.tasks import Answered, AnswerPart, Evidence
from core.text.tokens import content_words, is_cjk, words

_WH_ZH = re.compile(r"(?:什么|哪)(?:样的|种|个|家|位|些|一|里|座|类型的)*|谁|何[时处地种人]|多少|几")
_FORMER = re.compile(
    r"(?:\bfrom|[由从自])[^，,。.;；]{0,10}$"
)  # of "from 3.0 to 2.5" the second is how things are now
_APPOSED = re.compile(r"[A-Z][\w.-]+, $")
_ALIAS = re.compile(r"((?:[\w-]+ ){0,2}[\w-]+) \($")  # "the electrostatic chuck (ESC": another name of it
_LATTER = re.compile(r"\s?(?:to\b|(?:回|提)?(?:升|降|减|增|提高|改|调整|恢复)?(?:到|至|为))")
LONGEST = 240
_ACCEPTS = {
    "person": {"person": 1.0, "name": 0.9, "title": 0.1, "organisation": 0.3, "acronym": 0.2},
    "place": {"place": 1.0, "name": 0.9, "organisation": 0.4, "acronym": 0.3},
    "organisation": {"organisation": 1.0, "name": 0.8, "acronym": 0.8, "title": 0.4, "place": 0.3},
    "date": {"date": 1.0},
    "number": {"number": 1.0},
    "cause": {"cause": 1.0},
    "definition": {"definition": 1.0},
    "thing": {"title": 0.9, "name": 0.85, "equipment": 0.9, "document": 0.9, "material": 0.9, "process": 0.9,
              "alarm": 0.9, "code": 0.9, "acronym": 0.7, "organisation": 0.8, "place": 0.7, "person": 0.6,
              "number": 0.2},
}  # fmt: skip
_VERB_CUES = {
    "place": re.compile(
        r"\b(?:in|at|from|near|of|to|based|located|situated|born)\s+(?:the )?$", re.IGNORECASE),
    "person": re.compile(
        r"\b(?:by|with|of|to|and|starring|named|is|was|featuring|from|son|father|husband|wife|"
        r"director|author|singer|engineer)[,:]?\s+(?:the )?$", re.IGNORECASE),
    "date": re.compile(
        r"\b(?:on|in|since|from|until|born|died|released|founded|by|at|of)\s*(?:the )?\(?$", re.IGNORECASE),
}  # fmt: skip


def names_agree(question: str, evidence: Sequence[Evidence]) -> bool:
    """Say whether at least one name of the question is spoken of; a question without names passes."""
    named = [frozenset(content_words(name)) for name in read(question).names]
    named = [name for name in named if name]
    if not named:
        return True
    told = [frozenset(bag_of(piece.text)) | frozenset(bag_of(piece.source)) for piece in evidence]
    return any(len(name & bag) >= 0.5 * len(name) for name in named for bag in told)


def best_span(task: AnswerPart, kind: str, lines: list[Line]) -> Answered:
    weights = weights_of(task.question, task.evidence)
    asked = set(words(task.question))
    pieces = {piece.n: piece for piece in task.evidence}
    wanted = attribute(task.question)
    if len(wanted) > 1:  # of "target yield" the first word tells it from other yields
        weights = weights | {wanted[0]: 1.6 * weights.get(wanted[0], 1.0)}
    chinese = is_cjk(task.question)
    weights = in_english(weights) | weights if chinese else weights
    known = asked if chinese else asked | in_chinese(task.question)
    best: tuple[float, str, int] | None = None
    speaking = [line for line in lines[:40] if line.score >= 0.45 * lines[0].score]
    speaking = [
        line
        for line in speaking
        if says_attribute(task.question, f"{line.text} {heading_of(pieces[line.n].text)}")
        and speaks(task.question, line)
        and says_object(task.question, told_of(line, pieces[line.n]))
        and (not row_of(line.text) or names_agree(task.question, [_as_piece(line, pieces[line.n])]))
    ][:8]
    for rank, line in enumerate(speaking):
        for candidate in _acceptable(line, kind, known, chinese):
            score = _fit(candidate, line, task.question, weights, asked, pieces[line.n].source)
            score += line.score * 1.5 - 0.05 * rank
            score += _aligned(task.question, line.text, candidate) if chinese else 0.0
            if best is None or score > best[0]:
                best = (score, candidate.text, line.n)
    if best is not None and best[0] > -0.5:
        return Answered(answer=tidy(best[1]), citations=(best[2],), found=True)
    if not speaking or kind in {"number", "date"} or not tells_it_done(task.question, speaking[0]):
        return Answered()
    line = speaking[0]
    return Answered(answer=shortened(line.text), citations=(line.n,), found=line.coverage >= 0.5)


def _as_piece(line: Line, piece: Evidence) -> Evidence:
    """Return a row as evidence of its own, with its heading."""
    return piece.model_copy(update={"text": f"{heading_of(piece.text)} {line.text}"})


def _acceptable(line: Line, kind: str, asked: set[str], chinese: bool) -> list[Candidate]:
    """Return the pieces of a sentence that may answer; for an English question fewer of a Chinese one."""
    wanted = _ACCEPTS.get(kind, _ACCEPTS["thing"])

    if len(cells(line.text)) > 1:  # of a row its values answer, never the names of its columns
        return [
            found._replace(start=at + found.start, end=at + found.end)
            for column, value in cells(line.text)
            for at in [_after(line.text, column, value)]
            for found in candidates(value, kind)
            if found.kind in wanted
        ]
    if is_cjk(line.text) and kind not in {"date", "number", "cause", "definition"}:
        found = runs(line.text, asked)  # what the question says is no answer to it
        return found if chinese else [candidate for candidate in found if candidate.kind in wanted]
    return [
        candidate
        for candidate in candidates(line.text, kind)
        if candidate.kind in wanted and not (kind != "thing" and is_people(candidate.text))
    ]


def _after(row: str, column: str, value: str) -> int:
    """Return where in a row the value of a column stands."""
    return row.find(value, row.find(column) + len(column))


def _fit(
    candidate: Candidate,
    line: Line,
    question: str,
    weights: dict[str, float],
    asked: set[str],
    source: str,
) -> float:
    """Say how well a piece fits as the answer: its kind, what stands before it, what words are near."""
    mine, kind = set(words(candidate.text)), expected_kind(question)
    if (mine and mine <= asked) or not of_type(question, candidate.kind):
        return -2.0
    if kind == "number" and misfits(question, candidate.text):
        return -2.0
    if candidate.text.isupper() and _is_alias(line.text[: candidate.start], question, asked):
        return -2.0
    fit = _ACCEPTS.get(kind, _ACCEPTS["thing"]).get(candidate.kind, 0.6)
    if _FORMER.search(line.text[: candidate.start]) and _LATTER.match(line.text[candidate.end :]):
        fit -= 0.9
    fit -= 0.5 * len(mine & asked) / max(1, len(mine))
    if is_cjk(candidate.text) and not is_cjk(question) and kind not in {"date", "number"}:
        fit -= 0.4  # what is asked in English is sooner answered so
    if candidate.text in source and kind in {"place", "date", "number"}:
        fit -= 0.4
    before, after = line.text[: candidate.start], line.text[candidate.end :]
    if kind in {"organisation", "person"} and _APPOSED.search(before) and after.startswith(","):
        fit -= 0.5  # "Nordvak, Trondheim, makes": the second says where the first is
    if kind == "number" and any(measures(word, candidate.text) for word in weights):
        fit += 0.5
    cue = _VERB_CUES.get(kind)
    if cue is not None and cue.search(line.text[: candidate.start]):
        fit += 0.25
    return fit + 0.8 * _close(line.text, candidate, weights)


def _is_alias(before: str, question: str, asked: set[str]) -> bool:
    """Say whether what stands before an acronym in brackets is what the question asks about."""
    named = _ALIAS.search(before)
    if named is not None and frozenset(content_words(named.group(1))) <= asked:
        return True
    bare = before.rstrip()
    return bare.endswith(("(", "（")) and bare[:-1].endswith((*in_chinese(question), *own_terms(question)))


def _aligned(question: str, text: str, candidate: Candidate) -> float:
    """Say whether a Chinese piece stands between the words the question word stands between (0 to 1)."""
    wh = _WH_ZH.search(question)
    if wh is None:
        return 0.0
    left, right = content_words(question[: wh.start()])[-2:], content_words(question[wh.end() :])[:2]
    before, after = (
        text[max(0, candidate.start - 6) : candidate.start],
        text[candidate.end : candidate.end + 6],
    )
    return 0.5 * any(word in before for word in left) + 0.5 * any(word in after for word in right)


def _close(text: str, candidate: Candidate, weights: dict[str, float]) -> float:
    """Weigh the question's words around a piece by how rare and how near they are (0 to 1).

    Of a row only what stands in the cell counts: the next column says what another figure is.
    """
    first, last = max(0, candidate.start - 70), candidate.end + 70
    if len(cells(text)) > 1:
        first, last = text.rfind("; ", 0, candidate.start) + 1, candidate.end
    before = content_words(text[first : candidate.start])[::-1]
    after = content_words(text[candidate.end : last])
    mean = sum(weights.values()) / max(1, len(weights)) or 1.0
    near = sum(weights.get(word, 0.0) / (2 + at) for at, word in enumerate(before))
    near += sum(0.8 * weights.get(word, 0.0) / (2 + at) for at, word in enumerate(after))
    return min(1.0, near / mean)


def tidy(text: str) -> str:
    return shortened(text.strip(' ,;:，；："“”'))


def shortened(text: str) -> str:
    text = " ".join(text.split()) if not is_cjk(text) else text.strip()
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
