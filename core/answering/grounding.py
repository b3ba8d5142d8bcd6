"""Finds the passages that support a text a reader wrote: citations first, then the usual check."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.answer_checking import AnswerChecker
from core.answering.citations import cited, numbers
from core.domain import Passage, Sentence
from core.text.tokens import content_words, detect_language

MAX_CITATIONS = 2  # passages a sentence cites at most
MIN_SHARE_TO_CITE = 0.34  # share of a sentence's words a passage must hold to be cited


@dataclass(frozen=True)
class Grounder:
    """Finds, for each sentence, the passages it can cite."""

    checker: AnswerChecker

    def ground(self, question: str, text: str, passages: Sequence[Passage]) -> tuple[Sentence, ...]:
        """Return the text's sentences with 1-based citations and how far these support them.

        A sentence no passage says cites nothing and stays unsupported. Raises LLMError.
        """
        about = set(content_words(question))
        passage_words = [set(content_words(p.chunk.passage_text())) for p in passages]
        figures = [numbers(p.chunk.passage_text()) for p in passages]
        sentences = []
        for sentence in cited(text):
            sentence_words, counted = set(content_words(sentence.text)), numbers(sentence.text)

            def worth(
                n: int, own_words: set[str] = sentence_words, counted: set[str] = counted
            ) -> tuple[bool, float, float]:
                share = len(own_words & passage_words[n]) / max(1, len(own_words))
                return counted <= figures[n], share, len(about & passage_words[n]) / max(1, len(about))

            able = [n for n in range(len(passages)) if worth(n)[0] and worth(n)[1] >= MIN_SHARE_TO_CITE]
            best = sorted(able, key=lambda n: (*(-value for value in worth(n)[1:]), n))[:MAX_CITATIONS]
            sentences.append(sentence.model_copy(update={"citations": tuple(n + 1 for n in sorted(best))}))
        if not sentences:
            return ()
        language = detect_language(question)
        return self.checker.check(question, sentences, (), passages, language).sentences
