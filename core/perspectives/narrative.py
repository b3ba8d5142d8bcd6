"""Writes the conclusion of a council as an answer: facts first, then ideas in order, each with its
citations; where nobody proposed anything, what the library says from each viewpoint."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import Template

from core.domain import BUILT_IN, CouncilReport, Passage, Proposal, Sentence, Statement
from core.perspectives.pool import Pool

MAX_FACTS = 3
MAX_IDEAS = 5

_WORDS = {
    "en": {
        "idea": "$who: $text",
        "against": "Against it, $who: $text",
        "and": ", ",
        "gaps": "Nothing the council read speaks of: $what.",
        "ideas": "Ideas are proposals, not facts: they are checked only for what they rest on.",
        "said": "$who: $text",
        "none": "An outlook and ideas need a model. Without one, this is what the library says, sorted by"
        " viewpoint; nothing is proposed. Connect a model on the Models page.",
        "nobody": "The model proposed nothing that rests on the library: this is what it says.",
        "silent": "The library says nothing to this from the viewpoint of: $who.",
        "failed": "$who could not take part: $why",
        "dropped": "$who made $n proposals that cited nothing; they were left out.",
        "fallen": "Did not survive the critique: $text",
    },
    "zh": {
        "idea": "$who：$text",
        "against": "$who提出反证：$text",
        "and": "、",
        "gaps": "会商所读的内容没有谈到：$what。",
        "ideas": "想法是提案，不是事实：只核对其所依据的内容。",
        "said": "$who：$text",
        "none": "展望和想法需要模型。没有模型时，这里只按视角列出资料库的内容，不提出任何建议。"
        "请在“模型”页连接模型。",
        "nobody": "模型没有提出以资料库为依据的想法：以下是资料库的内容。",
        "silent": "资料库没有从以下视角谈到这个问题：$who。",
        "failed": "$who未能参与：$why",
        "dropped": "$who有 $n 个没有引用的提案，已省略。",
        "fallen": "未通过批评：$text",
    },
}


@dataclass(frozen=True)
class Narrative:
    """The answer: its text, its sentences, which of them are ideas (0-based), and notes for the reader."""

    text: str
    sentences: tuple[Sentence, ...]
    ideas: frozenset[int]
    notes: tuple[str, ...]


def narrate(report: CouncilReport, passages: Sequence[Passage], language: str) -> Narrative:
    """Return the answer; citations are numbers of the passages."""
    return _Narrator(report, Pool(passages), "zh" if language.startswith("zh") else "en").narrative()


class _Narrator:
    def __init__(self, report: CouncilReport, pool: Pool, language: str) -> None:
        self.report, self.pool, self.words = report, pool, _WORDS[language]
        self.names = {perspective.role.id: perspective.role.name for perspective in report.perspectives}
        self.gap = "" if language == "zh" else " "
        self.sentences: list[Sentence] = []
        self.ideas: set[int] = set()

    def narrative(self) -> Narrative:
        if not self.report.proposals:
            text = "\n".join(self._by_viewpoint())
            return Narrative(text, tuple(self.sentences), frozenset(), self._notes())
        facts = [self._sentence(fact.text, fact.chunks) for fact in self._facts()]
        items = ["- " + self._idea(p) for p in self.report.proposals if p.survived][:MAX_IDEAS]
        text = "\n\n".join(filter(None, (self.gap.join(facts), "\n".join(items))))
        return Narrative(text, tuple(self.sentences), frozenset(self.ideas), self._notes())

    def _by_viewpoint(self) -> Iterator[str]:
        """Write a line for each viewpoint the library speaks to."""
        for perspective in self.report.perspectives:
            sentences = [
                self._sentence(statement.text, statement.chunks) for statement in perspective.argument
            ]
            if sentences:
                yield "- " + self._say(
                    "said", who=f"**{perspective.role.name}**", text=self.gap.join(sentences)
                )

    def _facts(self) -> tuple[Statement, ...]:
        """Return the statements several roles share; where there are none, the first of each role."""
        if self.report.common:
            return self.report.common[:MAX_FACTS]
        firsts = {
            perspective.argument[0].text: perspective.argument[0]
            for perspective in self.report.perspectives
            if perspective.argument
        }
        return tuple(firsts.values())[:MAX_FACTS]

    def _idea(self, proposal: Proposal) -> str:
        self.ideas.add(len(self.sentences))
        who = self.words["and"].join(
            self.names.get(role, role) for role in (proposal.role, *proposal.backed_by)
        )
        written = [self._sentence(self._say("idea", who=who, text=proposal.text), proposal.chunks)]
        for objection in proposal.objections[:1]:
            self.ideas.add(len(self.sentences))
            text = self._say(
                "against", who=self.names.get(objection.role, objection.role), text=objection.text
            )
            written.append(self._sentence(text, objection.chunks))
        return self.gap.join(written)

    def _sentence(self, text: str, chunks: Sequence[str]) -> str:
        """Note the sentence and return it with its citations."""
        sentence = " ".join(text.split())
        citations = self.pool.numbers(chunks)
        self.sentences.append(Sentence(text=sentence, citations=citations))
        return sentence + "".join(f" [{n}]" for n in citations)

    def _notes(self) -> tuple[str, ...]:
        report = self.report
        notes = [self._say("ideas")] if report.proposals else []
        if not report.proposals:
            notes.append(self._say("none" if report.engine == BUILT_IN else "nobody"))
            silent = [
                perspective.role.name for perspective in report.perspectives if not perspective.argument
            ]
            if silent:
                notes.append(self._say("silent", who=self.words["and"].join(silent)))
        for perspective in report.perspectives:
            if perspective.failure:
                notes.append(self._say("failed", who=perspective.role.name, why=perspective.failure))
            if perspective.dropped:
                notes.append(self._say("dropped", who=perspective.role.name, n=perspective.dropped))
        gaps = [raised.text for raised in report.raised if raised.kind == "gap"]
        if gaps:
            notes.append(self._say("gaps", what=self.words["and"].join(gaps)))
        notes += [self._say("fallen", text=p.text) for p in report.proposals if not p.survived]
        return tuple(notes)

    def _say(self, key: str, **values: object) -> str:
        return Template(self.words[key]).substitute({name: str(value) for name, value in values.items()})
