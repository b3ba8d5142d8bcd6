"""The rule for Summarise: the lead and the most central sentences, in their order (SumBasic's idea)."""

from collections import Counter
from math import fsum

from core.llm.extractive.names import sentences_of
from core.tasks import Summarise, Summary
from core.text.tokens import content_words, detect_language

MOST_SENTENCES = 3
LONGEST = {"en": 480, "zh": 220}


def summarise(task: Summarise) -> Summary:
    """Return up to three sentences of the text, quoted; what the summary before already says is left out."""
    text = task.text
    language = detect_language(text)
    pieces = [text[start:end] for start, end in sentences_of(text)]
    bags = [frozenset(content_words(piece)) for piece in pieces]
    if not any(bags):
        return Summary(summary=text.strip()[: LONGEST[language]])
    counts = Counter(word for bag in bags for word in bag)
    known = frozenset(content_words(task.before)) if task.before else frozenset()
    title = frozenset(content_words(task.title))
    room = LONGEST[language]
    chosen: list[int] = []
    said: set[str] = set()
    while len(chosen) < MOST_SENTENCES and len(chosen) < len(pieces):
        scores = {
            at: _score(bag, counts, said, known, title) * (1.3 if at == 0 else 1.0)
            for at, bag in enumerate(bags)
            if at not in chosen and len(pieces[at]) <= room
        }
        if not scores:
            break
        best = max(scores, key=lambda at: (scores[at], -at))
        if scores[best] <= 0:
            break
        chosen.append(best)
        said |= bags[best]
        room -= len(pieces[best])
    if not chosen:
        return Summary(summary=pieces[0][: LONGEST[language]])
    return Summary(summary=("" if language == "zh" else " ").join(pieces[at] for at in sorted(chosen)))


def _score(
    bag: frozenset[str], counts: Counter[str], said: set[str], known: frozenset[str], title: frozenset[str]
) -> float:
    """Return the mean weight of a sentence's words: frequent ones weigh more, said ones little."""
    if len(bag) < 3:
        return 0.0
    total = fsum(  # exact, so that the order of a set's words never decides
        counts[word]
        * (0.2 if word in said else 1.0)
        * (0.5 if word in known else 1.0)
        * (1.5 if word in title else 1.0)
        for word in bag
    )
    return total / (len(bag) + 6)
