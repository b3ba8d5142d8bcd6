"""Reads the words of a question as the library's terms where there is evidence for it (PIKE-RAG 5.2.2)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.knowledge.base import KnowledgeBase
from core.language import content_words, is_cjk
from core.steps.retriever import Retriever
from core.tasks import TagPair

NEAR = 0.2  # cosine of two terms from which one may be read as the other
TWICE = 2  # samples that must show a pair before it is learnt
MOST = 4  # words of a colloquial phrase


@dataclass(frozen=True)
class Bridge:
    """Knows the pairs that were learnt, judges those that are proposed, and learns from samples."""

    knowledge: KnowledgeBase
    retriever: Retriever

    def learnt(self, question: str) -> list[TagPair]:
        """Return the learnt pairs whose colloquial side the question says, the surest first."""
        return [
            TagPair(said=pair.said, meant=pair.meant)
            for pair in self.knowledge.tag_pairs()
            if _says(question, pair.said)
        ]

    def evident(self, pair: TagPair) -> bool:
        """Say whether the library bears the pair out.

        A term the library uses itself is read as it stands: where copper and tungsten both are names, one is
        not the other. Else the two must be near in meaning or stand in one passage; between scripts, the
        dictionary is believed.
        """
        if self.knowledge.calls(pair.said):
            return False
        if is_cjk(pair.said) != is_cjk(pair.meant):
            return True
        cosine = float(self.retriever.vector(pair.said) @ self.retriever.vector(pair.meant))
        return cosine >= NEAR or _initials(pair) or self.knowledge.together(pair.said, pair.meant)

    def learn(self, samples: Iterable[tuple[str, str]], tags: Sequence[str]) -> list[TagPair]:
        """Learn pairs from (question, answer): a phrase no passage holds, and a tag only the answer says.

        A pair is learnt when several samples show it, the phrase goes with no other tag as often (but for a
        part of it), and it is not part of a longer phrase that is learnt. Returns what was learnt.
        """
        shown: Counter[tuple[str, str]] = Counter()
        for question, answer in samples:
            said = [phrase for phrase in phrases(question) if not self.knowledge.holds(phrase)]
            meant = [tag for tag in tags if _says(answer, tag) and not _says(question, tag)]
            shown.update({(phrase, tag) for phrase in said for tag in meant})
        learnt: list[TagPair] = []
        for phrase in sorted({phrase for phrase, _ in shown}, key=lambda p: (-len(p.split()), p)):
            tags_of = {tag: times for (said_phrase, tag), times in shown.items() if said_phrase == phrase}
            most = max(tags_of.values())
            tag, *rivals = sorted((t for t, n in tags_of.items() if n == most), key=lambda t: (-len(t), t))
            part = any(_says(pair.said, phrase) for pair in learnt)
            if most >= TWICE and not part and all(_says(tag, rival) for rival in rivals):
                learnt.append(TagPair(said=phrase, meant=tag))
                self.knowledge.learn_tag_pair(phrase, tag, "samples", f"{most} questions and answers")
        return learnt


def phrases(text: str) -> list[str]:
    """Return the runs of up to four words that begin and end with a word of meaning."""
    tokens = re.findall(r"[A-Za-z][\w'’-]*", text)
    meant = [bool(content_words(token)) for token in tokens]
    return [
        " ".join(tokens[at : at + length])
        for at in range(len(tokens))
        for length in range(1, min(MOST, len(tokens) - at) + 1)
        if meant[at] and meant[at + length - 1]
    ]


def _says(text: str, term: str) -> bool:
    if is_cjk(term):
        return term in text
    return re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE) is not None


def _initials(pair: TagPair) -> bool:
    return pair.said.casefold() == "".join(word[0] for word in re.findall(r"\w+", pair.meant)).casefold()
