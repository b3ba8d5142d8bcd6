"""Finds parts without an answer of their own that the whole answer covers."""

from collections.abc import Sequence

from core.domain import PartAnswer, Passage, Sentence, Support
from core.text.tokens import content_words


def answered_by_sentences(
    parts: Sequence[PartAnswer], sentences: Sequence[Sentence], evidence: Sequence[Passage]
) -> tuple[PartAnswer, ...]:
    """Return the open parts that a supported sentence answers, with that sentence as their answer.

    A sentence speaks for the part whose words it and what it cites say most of, and it must cite one of the
    passages that were found for that part.
    """
    left = {part.id: set(content_words(part.question)) for part in parts if part.open and not part.found}
    if not left:
        return ()
    asked = {part.id: set(content_words(part.question)) for part in parts}
    answered: dict[int, Sentence] = {}
    for sentence in sentences:
        if sentence.support is not Support.SUPPORTED:
            continue
        cited = [evidence[n - 1] for n in sentence.citations if 0 < n <= len(evidence)]
        sentence_words = set(content_words(sentence.text))
        around = {word for passage in cited for word in content_words(passage.chunk.passage_text())}
        share = {
            number: (len(words & sentence_words) + len(words & around) / 2) / max(1, len(words))
            for number, words in asked.items()
        }
        most = max(share.values(), default=0.0)
        for number in left:
            if most > 0 and share[number] == most and _rests_on(cited, number, parts):
                answered.setdefault(number, sentence)
    return tuple(_answered(part, answered[part.id], evidence) for part in parts if part.id in answered)


def _rests_on(cited: Sequence[Passage], number: int, parts: Sequence[PartAnswer]) -> bool:
    found = {p.chunk.id for part in parts if part.id == number for p in part.passages}
    return any(passage.chunk.id in found for passage in cited)


def _answered(part: PartAnswer, sentence: Sentence, evidence: Sequence[Passage]) -> PartAnswer:
    cited = {evidence[n - 1].chunk.id for n in sentence.citations if 0 < n <= len(evidence)}
    first = tuple(p for p in part.passages if p.chunk.id in cited)
    rest = tuple(p for p in part.passages if p.chunk.id not in cited)
    answer = sentence.text.replace("**", "")  # a part's answer is plain text
    update = {"answer": answer, "found": True, "open": False, "passages": (*first, *rest)}
    return part.model_copy(update=update)
