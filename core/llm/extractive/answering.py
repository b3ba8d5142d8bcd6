"""The rule for AnswerPart: a short answer copied from the numbered evidence, or an honest "not found"."""

import re
from collections.abc import Sequence

from core.language import content_words, is_cjk, words
from core.llm.extractive.deciding import decide
from core.llm.extractive.facts import facts, saying_role
from core.llm.extractive.labels import labelled
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.nations import is_people
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import Embed, Line, bag_of, heading_of, score_lines, weights_of
from core.llm.extractive.runs_zh import runs
from core.llm.extractive.spans import Candidate, candidates, cells
from core.tasks import Answered, AnswerPart, Evidence

_WH_ZH = re.compile(r"(?:什么|哪)(?:样的|种|个|家|位|些|一|里|座|类型的)*|谁|何[时处地种人]|多少|几")
_ATTRIBUTE = re.compile(
    r"^[Ww]hat (?:is|was|are|were) the ((?:[a-z][\w-]* ){0,3}?[a-z][\w-]*)(?= (?:of|in|for|at|on|to)\b|$)"
)
_ATTRIBUTE_ZH = re.compile(r"(?:的|^)([^的，]{2,10}?)(?:是|为|有)?(?:多少|几)")
_FORMER = re.compile(
    r"(?:\bfrom|[由从自])[^，,。.;；]{0,10}$"
)  # of "from 3.0 to 2.5" the second is how things are now
_LATTER = re.compile(r"\s?(?:to\b|(?:回|提)?(?:升|降|减|增|提高|改|调整|恢复)?(?:到|至|为))")
LEAST_COVERAGE = 0.34  # below, the evidence speaks of something else
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


def answer(task: AnswerPart, embed: Embed | None = None) -> Answered:
    """Return a short answer with its citations; found is False where the evidence does not speak of it."""
    kind = expected_kind(task.question)
    decided = decide(task.question, kind)
    if decided:
        return Answered(answer=decided, citations=_all_cited(task, decided), found=True)
    lines = score_lines(task.question, task.evidence, embed)
    said = _from_cells(task.question, kind, lines) or _from_phrases(task, kind, lines)
    if said is not None:
        return said
    if kind == "person" and not is_cjk(task.question):
        lines = saying_role(task.question, lines)
    if not lines or lines[0].coverage < LEAST_COVERAGE or not _names_agree(task.question, task.evidence):
        return Answered()
    if kind in {"yes/no", "choice"}:
        return _judge(task.question, lines, kind)
    if kind in {"list", "procedure"}:
        return _several(lines, kind)
    return _best_span(task, kind, lines)


def _from_phrases(task: AnswerPart, kind: str, lines: list[Line]) -> Answered | None:
    """Answer from a label ("Owner: ...") or a set phrase ("directed by ...")."""
    if kind in {"yes/no", "choice", "procedure", "cause"}:
        return None
    label = labelled(task.question, task.evidence)
    if label is not None and label.surety >= 0.75:
        return Answered(answer=_tidy(label.answer), citations=(label.n,), found=True)
    told = facts(task.question, lines, task.evidence) if kind != "list" else []
    if told and told[0].surety >= 0.5:
        return Answered(answer=_tidy(told[0].answer), citations=(told[0].n,), found=True)
    return None


def _all_cited(task: AnswerPart, decided: str) -> tuple[int, ...]:
    wanted = set(words(decided))
    return tuple(piece.n for piece in task.evidence if wanted & set(bag_of(piece.text)))[:3]


def _names_agree(question: str, evidence: Sequence[Evidence]) -> bool:
    """Say whether at least one name of the question is spoken of; a question without names passes."""
    named = [frozenset(content_words(name)) for name in read(question).names]
    named = [name for name in named if name]
    if not named:
        return True
    told = [frozenset(bag_of(piece.text)) | frozenset(bag_of(piece.source)) for piece in evidence]
    return any(len(name & bag) >= 0.5 * len(name) for name in named for bag in told)


# -- one span ------------------------------------------------------------------------------


def _best_span(task: AnswerPart, kind: str, lines: list[Line]) -> Answered:
    weights = weights_of(task.question, task.evidence)
    asked = set(words(task.question))
    pieces = {piece.n: piece for piece in task.evidence}
    wanted = _attribute(task.question)
    if len(wanted) > 1:  # of "target yield" the first word tells it from other yields
        weights = weights | {wanted[0]: 1.6 * weights.get(wanted[0], 1.0)}
    chinese = is_cjk(task.question)
    best: tuple[float, str, int] | None = None
    speaking = [line for line in lines[:8] if line.score >= 0.45 * lines[0].score]
    speaking = [line for line in speaking if _says_attribute(line, pieces[line.n], wanted)]
    for rank, line in enumerate(speaking):
        for candidate in _acceptable(line, kind, asked):
            score = _fit(candidate, line, kind, weights, asked, pieces[line.n].source)
            score += line.score * 1.5 - 0.05 * rank
            score += _aligned(task.question, line.text, candidate) if chinese else 0.0
            if best is None or score > best[0]:
                best = (score, candidate.text, line.n)
    if best is not None:
        return Answered(answer=_tidy(best[1]), citations=(best[2],), found=True)
    if not speaking or kind in {"number", "date"}:
        return Answered()
    line = speaking[0]
    return Answered(answer=_shortened(line.text), citations=(line.n,), found=line.coverage >= 0.5)


def _attribute(question: str) -> tuple[str, ...]:
    """Return the words of what is asked of a thing: "base pressure" in "What is the base pressure of X?"."""
    match = (_ATTRIBUTE_ZH if is_cjk(question) else _ATTRIBUTE).search(read(question).frame)
    return tuple(content_words(match.group(1))) if match else ()


def _says_attribute(line: Line, piece: Evidence, wanted: tuple[str, ...]) -> bool:
    if not wanted:
        return True
    bag = frozenset(bag_of(line.text)) | frozenset(bag_of(heading_of(piece.text)))
    said = sum(1 for word in wanted if word in bag or not synonyms(word).isdisjoint(bag))
    return said > 0.5 * len(wanted) or (2 * said >= len(wanted) and is_cjk(line.text))


def _acceptable(line: Line, kind: str, asked: set[str]) -> list[Candidate]:
    wanted = _ACCEPTS.get(kind, _ACCEPTS["thing"])
    if is_cjk(line.text) and kind not in {"date", "number", "cause", "definition"}:
        return runs(line.text, asked)
    return [
        candidate
        for candidate in candidates(line.text, kind)
        if candidate.kind in wanted and not (kind != "thing" and is_people(candidate.text))
    ]


def _fit(
    candidate: Candidate, line: Line, kind: str, weights: dict[str, float], asked: set[str], source: str
) -> float:
    """Say how well a piece fits as the answer: its kind, what stands before it, what words are near."""
    mine = set(words(candidate.text))
    if mine and mine <= asked:
        return -2.0
    fit = _ACCEPTS.get(kind, _ACCEPTS["thing"]).get(candidate.kind, 0.6)
    if _FORMER.search(line.text[: candidate.start]) and _LATTER.match(line.text[candidate.end :]):
        fit -= 0.9
    fit -= 0.5 * len(mine & asked) / max(1, len(mine))
    if candidate.text in source and kind in {"place", "date", "number"}:
        fit -= 0.4
    cue = _VERB_CUES.get(kind)
    if cue is not None and cue.search(line.text[: candidate.start]):
        fit += 0.25
    return fit + 0.8 * _close(line.text, candidate, weights)


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
    """Weigh the question's words around a piece by how rare and how near they are (0 to 1)."""
    before = content_words(text[max(0, candidate.start - 70) : candidate.start])[::-1]
    after = content_words(text[candidate.end : candidate.end + 70])
    mean = sum(weights.values()) / max(1, len(weights)) or 1.0
    near = sum(weights.get(word, 0.0) / (2 + at) for at, word in enumerate(before))
    near += sum(0.8 * weights.get(word, 0.0) / (2 + at) for at, word in enumerate(after))
    return min(1.0, near / mean)


def _tidy(text: str) -> str:
    return _shortened(text.strip(' ,;:，；："“”'))


def _shortened(text: str) -> str:
    text = " ".join(text.split()) if not is_cjk(text) else text.strip()
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"


# -- rows, lists, yes and no ---------------------------------------------------------------


def _from_cells(question: str, kind: str, lines: list[Line]) -> Answered | None:
    """Answer from a table row: the row that says the question's other words, the column it asks for."""
    asked = set(content_words(question))
    if not asked or kind in {"cause", "procedure", "yes/no"}:
        return None
    best: tuple[float, str, int] | None = None
    for line in lines[:40]:
        row = cells(line.text)
        for column, value in row:
            heads = set(content_words(column))
            said = {head for head in heads if head in asked or not synonyms(head).isdisjoint(asked)}
            if not said or set(content_words(value)) <= asked:
                continue
            others = {
                word
                for name, cell in row
                if name != column
                for word in (*content_words(cell), *content_words(name))
            }
            rest = {word for word in asked - heads if synonyms(word).isdisjoint(heads)}
            covered = len(rest & others) / max(1, len(rest))
            score = len(said) / len(heads) + 1.5 * covered
            if (covered >= 0.5 or len(row) == 1) and (best is None or score > best[0]):
                best = (score, value, line.n)
    if best is None or best[0] < 1.4:
        return None
    return Answered(answer=_tidy(best[1]), citations=(best[2],), found=True)


def _several(lines: list[Line], kind: str) -> Answered:
    """Return the sentences near the best one, in the order they stand."""
    close = [line for line in lines[:12] if line.score >= 0.55 * lines[0].score and line.n == lines[0].n]
    chosen = sorted(close[: 5 if kind == "procedure" else 3], key=lambda line: line.at)
    text = (
        " ".join(line.text for line in chosen)
        if not is_cjk(chosen[0].text)
        else "".join(line.text for line in chosen)
    )
    return Answered(answer=text[:600], citations=(chosen[0].n,), found=chosen[0].coverage >= 0.3)


_NEGATED = re.compile(
    r"\b(?:not|no|never|n't|without|neither|nor|cannot|prohibited|forbidden|must "
    r"not)\b|n't\b|不|没有|未|无|禁止|并非|不得",
    re.IGNORECASE,
)


def _judge(question: str, lines: list[Line], kind: str) -> Answered:
    """Answer yes or no by the best sentence; of two alternatives the one it stands beside."""
    line = lines[0]
    chinese = is_cjk(question)
    if kind == "choice":
        options = [name for name in read(question).names if name.lower() in line.text.lower()]
        return Answered(
            answer=options[0] if options else _shortened(line.text), citations=(line.n,), found=bool(options)
        )
    negated = bool(_NEGATED.search(line.text)) != bool(_NEGATED.search(question))
    if line.coverage < (0.75 if negated else 0.6):
        return Answered(answer="否" if chinese else "no", citations=(line.n,), found=line.coverage >= 0.5)
    word = ("否" if negated else "是") if chinese else ("no" if negated else "yes")
    return Answered(answer=word, citations=(line.n,), found=True)
