"""The words of an answer, in both languages, and the answer while it is written."""

import re
from dataclasses import dataclass, field

from core.llm.extractive.alone import in_context
from core.llm.extractive.reading import Line
from core.llm.extractive.rows import tell
from core.tasks import Evidence
from core.text.tokens import is_cjk

SAY = {
    "en": {
        "nothing": "Nothing in the library answers this question.",
        "gap": "The library does not say: {question}",
        "found": "{question} – {answer}",
        "conclusion": "Put together: {question} – {answer}",
        "conflict": "The sources disagree: {one} says {a}, {other} says {b}",
        "superseded": "The sources disagree: {one} is the newer source and says {a}; the {b} of {other} is "
        "superseded",
    },
    "zh": {
        "nothing": "资料库中没有能够回答这个问题的内容。",
        "gap": "资料库中没有说明：{question}",
        "found": "{question}：{answer}",
        "conclusion": "综合来看，{question}：{answer}",
        "conflict": "来源之间有分歧：{one}为{a}，{other}为{b}",
        "superseded": "来源之间有分歧：{one}较新，为{a}；{other}的{b}已被取代",
    },
}


@dataclass
class Writing:
    """The answer while it is written: no sentence twice, no citation without its sentence."""

    language: str
    evidence: dict[int, Evidence]
    sentences: list[str] = field(default_factory=list)
    used: list[tuple[int, int]] = field(default_factory=list)

    def say(self, text: str, cited: tuple[int, ...]) -> None:
        bare = re.sub(r"\s*\[\d+\]", "", text).strip().rstrip(".。；;!！ ")
        stop = "。" if is_cjk(bare[-2:]) or (is_cjk(bare) and self.language == "zh") else "."
        numbers = "".join(f"[{n}]" for n in dict.fromkeys(cited))
        sentence = f"{bare} {numbers}{stop}" if numbers else f"{bare}{stop}"
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    def quote(self, line: Line, question: str) -> None:
        """Say a sentence of the evidence once, its pronoun replaced by what the source is about."""
        if (line.n, line.at) not in self.used:
            self.used.append((line.n, line.at))
            self.say(tell(question, in_context(line, self.evidence[line.n], question)), (line.n,))

    def text(self) -> str:
        """Return the sentences as running text; Chinese ones stand without a space between them."""
        return "".join(
            f" {sentence}"
            if at and not (self.sentences[at - 1].endswith("。") and is_cjk(sentence))
            else sentence
            for at, sentence in enumerate(self.sentences)
        )
