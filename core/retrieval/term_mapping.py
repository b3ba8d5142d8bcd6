"""Reads the words of a question as the library's terms where there is evidence for it (PIKE-RAG 5.2.2)."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.knowledge.base import KnowledgeBase
from core.retrieval.search_port import LibrarySearch
from core.retrieval.topics import alike
from core.tasks import TagPair
from core.text.chinese_english import in_english
from core.text.compounds import compounds
from core.text.tokens import content_words, is_cjk, segment
from core.text.vocabulary import NO_WORDS, Vocabulary

MIN_TERM_COSINE = 0.2  # cosine of two terms from which one may be read as the other
MIN_SAMPLES = 2  # samples that must show a pair before it is learnt
MAX_PAIRS = 8  # words of the library that are searched beside those of a question
MAX_PHRASE_WORDS = 4  # words of a colloquial phrase


@dataclass(frozen=True)
class TermMapper:
    """Applies learnt pairs of words and terms, checks proposed ones, and learns pairs from samples."""

    knowledge: KnowledgeBase
    retriever: LibrarySearch
    vocabulary: Vocabulary = NO_WORDS

    def learnt(self, question: str) -> list[TagPair]:
        """Return the learnt pairs whose colloquial side the question says, the surest first."""
        return [
            TagPair(said=pair.said, meant=pair.meant)
            for pair in self.knowledge.tag_pairs()
            if _contains(question, pair.said)
        ]

    def read(self, question: str) -> tuple[str, list[TagPair]]:
        """Return the question in the library's terms and the learnt pairs that were used for it.

        A word that no passage holds is replaced by what it was learnt to stand for (the surest pair), so
        that those who search, read and write all understand it; a word the library holds itself stays.
        """
        used: list[TagPair] = []
        for pair in self.learnt(question):
            known = any(
                _contains(pair.said, other.said) or _contains(other.said, pair.said) for other in used
            )
            if known or _contains(question, pair.meant) or self.knowledge.contains_words(pair.said):
                continue
            question = pair.meant.join(_term_pattern(pair.said).split(question))
            used.append(pair)
        return question, used

    def pairs(
        self, question: str, tags: tuple[str, ...], proposed: Iterable[TagPair] = ()
    ) -> tuple[TagPair, ...]:
        """Return the words of the question as the library says them, in any of its languages.

        They are learnt, or other names its documents give, of the vocabulary, of the same form, or proposed
        by a model; of all but the learnt, only what the library uses itself is taken.
        """
        found = [pair for pair in self.learnt(question) if _fresh(pair, question)]
        named = [TagPair(said=phrase, meant=meant) for phrase, meant in self.vocabulary.pairs(question)]
        for pair in (
            *self._aliases(question),
            *self._columns(question),
            *named,
            *alike(question, tags),
            *proposed,
        ):
            if _fresh(pair, question) and pair not in found and self._borne_out(pair):
                found.append(pair)
        return tuple(dict.fromkeys(found))[:MAX_PAIRS]

    def _columns(self, question: str) -> list[TagPair]:
        """Return the columns that compounds of a Chinese question name word by word."""
        if not is_cjk(question):
            return []
        names = (column.name for table in self.knowledge.tables() for column in table.columns)
        return [TagPair(said=phrase, meant=name) for phrase, name in compounds(question, names)]

    def _aliases(self, question: str) -> list[TagPair]:
        """Return pairs of names in the question and other names the documents give the same thing."""
        known_phrases = {phrase.casefold(): phrase for phrase in phrases(question)}
        found: list[TagPair] = []
        for entity in self.knowledge.entities_called(list(known_phrases.values())):
            names = (entity.name, *entity.aliases)
            known = next(
                (known_phrases[name.casefold()] for name in names if name.casefold() in known_phrases), ""
            )
            found += [
                TagPair(said=known, meant=name)
                for name in names
                if known and name.casefold() not in known_phrases
            ]
        return found

    def _borne_out(self, pair: TagPair) -> bool:
        """Say whether the library uses the other word, and not the reader's own of the same script."""
        if not self.knowledge.contains_words(pair.meant):
            return False
        same_script = is_cjk(pair.said) == is_cjk(pair.meant)
        return not (same_script and self.knowledge.contains_words(pair.said)) and self.evident(pair)

    def evident(self, pair: TagPair) -> bool:
        """Say whether the library supports the pair.

        A term the library uses itself is read as it stands: where copper and tungsten both are names, one is
        not the other. Else the two must be near in meaning or be in one passage; between scripts, the
        dictionary is believed.
        """
        if self.knowledge.is_known_name(pair.said):
            return False
        if is_cjk(pair.said) != is_cjk(pair.meant):
            return True
        cosine = float(self.retriever.vector(pair.said) @ self.retriever.vector(pair.meant))
        return cosine >= MIN_TERM_COSINE or _initials(pair) or self.knowledge.co_occur(pair.said, pair.meant)

    def learn(self, samples: Iterable[tuple[str, str]], tags: Sequence[str]) -> list[TagPair]:
        """Learn pairs from (question, answer): a phrase no passage holds, and a tag only the answer says.

        A pair is learnt when several samples show it, the phrase goes with no other tag as often (but for a
        part of it), and it is not part of a longer phrase that is learnt. A tag that all their answers say
        as part of the same longer term of the library stands for that term. A phrase without such a tag
        stands for the term that all its answers say and no other does. Returns what was learnt.
        """
        samples = list(samples)
        shown: Counter[tuple[str, str]] = Counter()
        answers: dict[tuple[str, str], list[str]] = {}
        for question, answer in samples:
            unknown = [phrase for phrase in phrases(question) if not self.knowledge.contains_words(phrase)]
            meant = [tag for tag in tags if _contains(answer, tag) and not _contains(question, tag)]
            pairs = {(phrase, tag) for phrase in unknown for tag in meant}
            shown.update(pairs)
            for pair in pairs:
                answers.setdefault(pair, []).append(answer)
        learnt: list[TagPair] = []
        for phrase in sorted({phrase for phrase, _ in shown}, key=lambda p: (-len(p.split()), -len(p), p)):
            tags_of = {tag: times for (shown_phrase, tag), times in shown.items() if shown_phrase == phrase}
            most = max(tags_of.values())
            tag, *rivals = sorted((t for t, n in tags_of.items() if n == most), key=lambda t: (-len(t), t))
            part = any(_contains(pair.said, phrase) for pair in learnt)
            if most >= MIN_SAMPLES and not part and all(_contains(tag, rival) for rival in rivals):
                meaning = self._whole(tag, answers[phrase, tag])
                learnt.append(TagPair(said=phrase, meant=meaning))
                self.knowledge.learn_tag_pair(phrase, meaning, "samples", f"{most} questions and answers")
        return learnt + self._terms(samples, learnt)

    def _terms(self, samples: Sequence[tuple[str, str]], learnt: Sequence[TagPair]) -> list[TagPair]:
        """Learn what phrases without a tag stand for: not all that a library mentions is one of its tags."""
        answers: dict[str, list[int]] = {}
        for place, (question, _) in enumerate(samples):
            for phrase in dict.fromkeys(phrases(question.casefold())):
                answers.setdefault(phrase, []).append(place)
        found: list[TagPair] = []
        for phrase in sorted(answers, key=lambda p: (-len(p.split()), -len(p), p)):
            places = answers[phrase]
            part = any(
                _contains(pair.said, phrase) or _contains(phrase, pair.said) for pair in (*learnt, *found)
            )
            if len(places) < MIN_SAMPLES or part or self.knowledge.contains_words(phrase):
                continue
            terms = self._only(samples, places)
            term = max(terms, key=lambda term: (len(term), term), default="")
            pair = TagPair(said=phrase, meant=term)
            if term and all(_contains(term, other) for other in terms) and self.evident(pair):
                found.append(pair)
                shown = f"{len(places)} questions and answers"
                self.knowledge.learn_tag_pair(phrase, term, "samples", shown)
        return found

    def _only(self, samples: Sequence[tuple[str, str]], places: Sequence[int]) -> list[str]:
        """Return the terms of passages that the answers at these places say, and no question and no answer
        elsewhere."""
        own = [samples[place][1] for place in places]
        others = [answer for place, (_, answer) in enumerate(samples) if place not in set(places)]
        others += [samples[place][0] for place in places]
        shared = [p for p in dict.fromkeys(phrases(own[0])) if all(_contains(answer, p) for answer in own)]
        alone = [phrase for phrase in shared if not any(_contains(other, phrase) for other in others)]
        return [phrase for phrase in alone if self.knowledge.contains_words(phrase)]

    def _whole(self, tag: str, answers: Sequence[str]) -> str:
        """Return the longest term around a tag that all the answers say and a passage holds: "focus ring" of
        "Focus"."""
        longer = [
            phrase
            for phrase in phrases(answers[0])
            if _contains(phrase, tag) and all(_contains(answer, phrase) for answer in answers)
        ]
        contained = [phrase for phrase in longer if self.knowledge.contains_words(phrase)]
        return max(contained, key=lambda phrase: (len(phrase), phrase), default=tag)


def put_in_columns(question: str, pairs: Iterable[TagPair], columns: Collection[str]) -> str:
    """Return the question with words of its own script replaced by the column that the library calls so in
    the other; `columns` are names in lower case. What is no column's name stays, for it could pass for a
    value, and so does what a dictionary translates to one."""
    for pair in pairs:
        named = is_cjk(pair.said) != is_cjk(pair.meant) and pair.meant.casefold() in columns
        if named and not any(meaning in columns for meaning in in_english(pair.said)):
            question = f" {pair.meant} ".join(_term_pattern(pair.said).split(question))
    return question


def phrases(text: str) -> list[str]:
    """Return the runs of up to four words that begin and end with a word of meaning, Chinese ones joined."""
    found: list[str] = []
    for run in re.findall(r"[A-Za-z][\w'’-]*(?:\s+[A-Za-z][\w'’-]*)*|[\u4e00-\u9fff]+", text):
        chinese = is_cjk(run)
        tokens = _cut(run) if chinese else run.split()
        meant = [bool(content_words(token)) and (not chinese or len(token) > 1) for token in tokens]
        found += [
            ("" if chinese else " ").join(tokens[at : at + length])
            for at in range(len(tokens))
            for length in range(1, min(MAX_PHRASE_WORDS, len(tokens) - at) + 1)
            if meant[at] and meant[at + length - 1]
        ]
    return found


def _cut(run: str) -> list[str]:
    """Return a run of Chinese characters as words side by side, the longest where they overlap."""
    known = sorted(segment(run), key=len, reverse=True)
    found: list[str] = []
    while run:
        word = next((word for word in known if run.startswith(word)), run[0])
        found.append(word)
        run = run[len(word) :]
    return found


def _fresh(pair: TagPair, question: str) -> bool:
    """Say whether a pair starts from a word of the question and adds one that it does not have."""
    meant = pair.meant.strip().casefold()
    return bool(meant) and meant not in question.casefold() and _contains(question, pair.said)


def _contains(text: str, term: str) -> bool:
    return _term_pattern(term).search(text) is not None


def _term_pattern(term: str) -> re.Pattern[str]:
    """Return a pattern for a term in any case, as whole words unless it is Chinese."""
    if is_cjk(term):
        return re.compile(re.escape(term))
    return re.compile(rf"(?<!\w){re.escape(term)}(?!\w)", re.IGNORECASE)


def _initials(pair: TagPair) -> bool:
    return pair.said.casefold() == "".join(word[0] for word in re.findall(r"\w+", pair.meant)).casefold()
