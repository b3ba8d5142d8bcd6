"""The rules for Answer and Bridge: quote what answers, part by part; else show what comes closest."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain import Evidence, Outcome, Sentence
from core.i18n.outcome_texts import NOT_ANSWERED, NOTHING_ZH
from core.llm.builtin.answer.admission import LITERAL_LIKENESS, MIN_SHARE_TO_ADMIT
from core.llm.builtin.answer.answer_or_abstain import COMPUTED_CONFIDENCE, RESULT, Finding, decide_outcome
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.answer.polarity import NO_EN, NO_ZH, YES_EN, YES_ZH
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.answer.word_matching import likeness, words_of
from core.tasks import Answer, Bridge, Bridged, BridgedPart, QuestionAnswer, Written

_BULLET = re.compile(r"^\s*[-*•·▪‣–—]\s+")  # an item's own mark, where it is quoted as an item
CLOSE_CONFIDENCE = 0.05  # a single quotation that is hardly less sure goes before one of each part
_OUTCOMES = {
    "answer": Outcome.ANSWER,
    "conflict": Outcome.CONFLICT,
    "closest passages": Outcome.CLOSEST,
    "nothing": Outcome.NOTHING,
}
_PHRASES = {
    "en": {
        "closest": "The library does not say this outright. Closest passages:",
        "likely": "The library does not say this outright. It most likely stands in the first of these:",
        "lacking": "The library does not say this; nothing found speaks of {what}. Closest passages:",
        "edition": "The library does not say this; it knows {instead}, not {what}. Closest passages:",
        "nothing": NOT_ANSWERED,
        "open": "The library does not say: {what}",
        "disagree": "The sources disagree:",
        "yes": f"{YES_EN} ",
        "no": f"{NO_EN} ",
    },
    "zh": {
        "closest": "资料库没有直接说明。最接近的段落：",
        "likely": "资料库没有直接说明。答案很可能在下面第一段中：",
        "lacking": "资料库没有说明；找到的内容都没有提到{what}。最接近的段落：",
        "edition": "资料库没有说明；找到的是{instead}，而不是{what}。最接近的段落：",
        "nothing": NOTHING_ZH,
        "open": "资料库没有说明：{what}",
        "disagree": "各来源说法不一：",
        "yes": YES_ZH,
        "no": NO_ZH,
    },
}


def answer(task: Answer, scorer: Scorer) -> Written:
    """Return the answer in quotations, or the closest passages, and how sure that is."""
    if any(part.computed or part.lines for part in task.parts):  # no passage says the order of two others
        return _parts(task, Finding("nothing"), scorer)
    of_parts = {n for part in task.parts for n in part.citations} if len(task.parts) > 1 else frozenset()
    whole = decide_outcome(
        task.question,
        [piece for piece in task.evidence if piece.kind != RESULT or piece.n not in of_parts],
        scorer,
    )  # what was computed for a part answers no more than that
    if task.parts:
        return _parts(task, whole, scorer)
    return _written(whole, task.language)


def bridge(task: Bridge, scorer: Scorer) -> Bridged:
    """Answer each part from the evidence it names: the value where it is clear, else what is quoted."""
    by_number = {piece.n: piece for piece in task.evidence}
    replies = []
    for part in task.parts:
        own = [by_number[n] for n in part.evidence if n in by_number]
        ranked = _ranked(own)
        reply = _bridged(part.id, part.question, ranked, scorer)
        cited = tuple(own[rank - 1].n for rank in reply.citations)
        replies.append(reply.model_copy(update={"citations": cited}))
    return Bridged(parts=tuple(replies))


def _ranked(pieces: Sequence[Evidence]) -> list[Evidence]:
    """Return the pieces numbered by their place."""
    ranks = {piece.n: rank for rank, piece in enumerate(pieces, 1)}
    return [
        piece.model_copy(
            update={
                "n": ranks[piece.n],
                "rest": tuple((ranks[n], item) for n, item in piece.rest if n in ranks),
            }
        )
        for piece in pieces
    ]


def _bridged(number: int, question: str, evidence: Sequence[Evidence], scorer: Scorer) -> BridgedPart:
    found = decide_outcome(question, evidence, scorer, plainly=True)
    if found.outcome in ("answer", "conflict"):
        cited = tuple(dict.fromkeys(n for sentence in found.sentences for n in sentence.citations))
        text = found.value or found.sentences[0].text.replace("**", "")
        return BridgedPart(id=number, answer=text, citations=cited)
    near = found.sentences[0].text.replace("**", "") if found.sentences else ""
    return BridgedPart(id=number, near_miss=near)


def _parts(task: Answer, whole: Finding, scorer: Scorer) -> Written:
    """Tell each part that was answered, first what was computed from others; what is open is said. A whole
    answer that mentions every part goes before half of one; one that does not answers none."""
    answered = [part for part in task.parts if part.answer]
    is_answered = whole.outcome in ("answer", "conflict")
    by_number = {piece.n: piece for piece in task.evidence}
    computed = all(by_number[n].kind == RESULT for one in whole.sentences for n in one.citations)
    if is_answered and computed and read(task.question).kind != "compare":  # of two sides it may hold one
        return _written(whole, task.language)  # a query has a place for every word of the question
    covered = is_answered and _covers_all_parts(whole, task.parts)
    if not answered:
        half = is_answered and not covered and len(task.parts) > 1
        return _written(replace(whole, outcome="closest passages") if half else whole, task.language)
    sentences: list[Sentence] = []
    sure: list[float] = []
    for part in sorted((part for part in task.parts if not part.side), key=lambda part: not part.computed):
        part_sentences, confidence = _answered_parts(part, by_number, scorer, task.language)
        sentences += part_sentences
        sure += [confidence] if part.answer else []
    surer = len(answered) < len(task.parts) or whole.confidence >= min(sure) - CLOSE_CONFIDENCE
    if covered and surer:
        return _written(whole, task.language)
    outcome = Outcome.ANSWER if len(answered) == len(task.parts) else Outcome.GAP
    unique = tuple(dict.fromkeys(sentences))
    return Written(text=_text(unique), outcome=outcome, sentences=unique, confidence=min(sure))


def _covers_all_parts(found: Finding, parts: Sequence[QuestionAnswer]) -> bool:
    """Say whether the answer contains most words of every part: one place may answer only one."""
    answer_keys = {word.key for sentence in found.sentences for word in words_of(sentence.text)}
    for part in parts:
        words = read(part.question).words
        covered = sum(
            any(likeness(word.key, key) >= LITERAL_LIKENESS for key in answer_keys) for word in words
        )
        if covered < MIN_SHARE_TO_ADMIT * len(words):
            return False
    return True


def _answered_parts(
    part: QuestionAnswer, by_number: dict[int, Evidence], scorer: Scorer, language: str
) -> tuple[tuple[Sentence, ...], float]:
    if not part.answer:
        return (Sentence(text=_phrase("open", language, what=part.question)),), 0.0
    if part.computed:
        sentence = Sentence(text=part.answer, citations=part.citations, made="computed")
        return (sentence,), COMPUTED_CONFIDENCE
    if part.lines:
        return part.lines, COMPUTED_CONFIDENCE
    cited = [by_number[n] for n in part.citations if n in by_number]
    found = decide_outcome(part.question, cited, scorer, plainly=True)
    if found.outcome in ("answer", "conflict"):
        return found.sentences, found.confidence
    return (Sentence(text=part.answer, citations=part.citations[:1]),), 0.5


def _written(found: Finding, language: str) -> Written:
    outcome = _OUTCOMES[found.outcome]
    if outcome is Outcome.CLOSEST:
        what, instead = (_listed(words, language) for words in (found.lacking, found.instead))
        form = "likely" if found.likely else "edition" if instead else "lacking" if what else "closest"
        lead = _phrase(form, language, what=what, instead=instead)
        items = tuple(s.model_copy(update={"text": f"- {_BULLET.sub('', s.text)}"}) for s in found.sentences)
        return Written(text=f"{lead}\n{_text(items)}", outcome=outcome, confidence=found.confidence)
    if outcome is Outcome.NOTHING:
        return Written(text=_phrase("nothing", language), outcome=outcome, confidence=found.confidence)
    lead = f"{_phrase('disagree', language)}\n" if outcome is Outcome.CONFLICT else ""
    sentences = found.sentences
    if found.says and sentences:
        text = f"{_phrase(found.says, language)}{sentences[0].text}"
        sentences = (sentences[0].model_copy(update={"text": text}), *sentences[1:])
    return Written(
        text=lead + _text(sentences),
        outcome=outcome,
        sentences=sentences,
        confidence=found.confidence,
    )


def _listed(words: Sequence[str], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(f"“{word}”" for word in words)


def _text(sentences: Sequence[Sentence]) -> str:
    """Return sentences a line each, with their citations."""
    return "\n".join(sentence.text + "".join(f" [{n}]" for n in sentence.citations) for sentence in sentences)


def _phrase(key: str, language: str, **values: str) -> str:
    return _PHRASES["zh" if language == "zh" else "en"][key].format(**values)
