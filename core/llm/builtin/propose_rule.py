"""The rules for Propose and Select, the built-in side of the knowledge-aware loop (PIKE-RAG, Algorithm 1)."""

from collections.abc import Sequence
from math import log

from core.domain import Evidence
from core.llm.builtin.answer.answer_or_abstain import decide_outcome
from core.llm.builtin.answer.scorer import Scorer
from core.llm.builtin.classify_tags import Embed
from core.llm.builtin.understand.grammar import read
from core.llm.builtin.understand.understand_rule import understand
from core.tasks import (
    NextQuestion,
    Proposals,
    Propose,
    ProposeNext,
    Select,
    Selection,
    Understand,
)
from core.text.open_references import REFERENCE
from core.text.proper_names import names_in
from core.text.sentences import sentences
from core.text.tokens import content_words, is_cjk


def propose(task: Propose, scorer: Scorer) -> Proposals:
    """Propose the parts of a plan whose references are answered, then names found in the evidence so far."""
    asked = {_plain(question) for question in task.asked}
    read_as = understand(Understand(question=task.question, language=task.language))
    parts = read_as.parts
    known: dict[int, str] = {}
    open_parts: list[str] = []
    for part in parts:
        text = REFERENCE.sub(lambda m: known.get(int(m.group(1)), m.group()), part.question)
        if "#" in text:
            continue
        found = decide_outcome(text, task.context, scorer, plainly=True)
        if found.outcome == "answer":
            known[part.id] = found.value or found.sentences[0].text.replace("**", "")
        if part.id not in known or _plain(text) not in asked | {_plain(task.question)}:
            open_parts.append(text)
    enough = bool(task.context) and len(known) == len(parts) and _covered(task.question, task.context)
    wanted = [text for text in open_parts if _plain(text) not in asked]
    wanted += [text for text in _about_names(task) if _plain(text) not in asked]
    if not read_as.composite and _plain(task.question) not in asked:
        wanted.insert(0, task.question)
    return Proposals(questions=tuple(dict.fromkeys(wanted))[: task.most], enough=enough)


def propose_next(task: ProposeNext, scorer: Scorer) -> NextQuestion:
    """Ask the first of what could be asked; a rule cannot choose before it has seen the candidates."""
    request = Propose(
        question=task.question, context=task.context, asked=task.asked, most=1, language=task.language
    )
    proposed = propose(request, scorer)
    ended = proposed.enough or not proposed.questions
    return NextQuestion(question="" if ended else proposed.questions[0], enough=ended)


def _plain(question: str) -> str:
    return " ".join(content_words(question))


def _covered(question: str, context: Sequence[Evidence]) -> bool:
    weights = _weights(question, context)
    known_words = {
        word for piece in context for word in (*content_words(piece.text), *content_words(piece.source))
    }
    return sum(w for word, w in weights.items() if word in known_words) >= 0.75 * sum(weights.values())


def _weights(question: str, pieces: Sequence[Evidence]) -> dict[str, float]:
    """Return the question's words, those that few of the pieces say weighing most."""
    piece_words = [set(content_words(f"{piece.source} {piece.text}")) for piece in pieces]
    return {
        word: log(1 + (1 + len(piece_words)) / (1 + sum(word in words for words in piece_words)))
        for word in dict.fromkeys(content_words(question))
    }


def _nearest(question: str, context: Sequence[Evidence], most: int) -> list[str]:
    """Return the sentences that say most of the question, best first."""
    weights = _weights(question, context)
    lines = [(piece.n, line) for piece in context for line in sentences(piece.text)]
    rated = [
        (-sum(weights.get(word, 0.0) for word in set(content_words(line))), n, line) for n, line in lines
    ]
    return [line for _, _, line in sorted(rated)[:most]]


def _about_names(task: Propose) -> list[str]:
    """Ask about the question's names nothing was read of, and about names the best sentences bring in."""
    read_text = " ".join(f"{piece.source} {piece.text}" for piece in task.context).lower()
    sources = " ".join(piece.source for piece in task.context).lower()
    names = [name.strip('"“”《》') for name in read(task.question).names]
    unread = [name for name in names if name.lower() not in read_text]
    named_before = [
        named.text
        for line in _nearest(task.question, task.context, 3)
        for named in names_in(line)
        if named.text not in names and named.text.lower() not in sources
    ]
    form = "{}是什么？" if is_cjk(task.question) else "What is {}?"
    return [form.format(name) for name in dict.fromkeys([*unread, *named_before])]


def select(task: Select, embed: Embed | None = None) -> Selection:
    """Choose the candidate that says most of what the question asks and the context does not say yet."""
    if not task.candidates:
        return Selection(reason="no candidate")
    pieces = tuple(Evidence(n=at, text=text, source="") for at, text in enumerate(task.candidates))
    weights = _weights(task.question, pieces)
    known_words = {
        word for piece in task.context for word in (*content_words(piece.text), *content_words(piece.source))
    }
    bridges = {
        word
        for line in _nearest(task.question, task.context, 2)
        for named in names_in(line)
        for word in content_words(named.text)
    }
    cosines: list[float] = [0.0] * len(pieces)
    if embed is not None:
        vectors = embed([task.question, *task.candidates])
        cosines = [float(value) for value in vectors[1:] @ vectors[0]]
    best, score = None, 0.0
    for at, piece in enumerate(pieces):
        bag = set(content_words(piece.text))
        new = sum(
            weight * (0.35 if word in known_words else 1.0) for word, weight in weights.items() if word in bag
        )
        total = new + 0.8 * len(bag & bridges - set(weights)) ** 0.5 + 2.0 * cosines[at]
        if total > score:
            best, score = at, total
    if best is None:
        return Selection(reason="no candidate shares a word with the question")
    shared = [word for word in weights if word in set(content_words(task.candidates[best]))][:4]
    reason = f"it speaks of {', '.join(shared)}" if shared else "it follows a name found before"
    return Selection(index=best, reason=reason)
