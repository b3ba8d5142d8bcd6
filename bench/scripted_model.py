"""A scripted model for the double of Ollama: it says as much to Strata's prompts as to LlamaIndex's.

Prose is sentences of the evidence, every second one with words left out, so that rules cannot settle them by
comparing letters and a check has work to do. Plans are those of the questions. What has a schema is answered
by the built-in rules, filled up to what a model would say where they say nothing.
"""

import json
import re
from collections.abc import Sequence

from bench.calls_questions import QUESTIONS, Asked
from core.domain import Evidence, Level
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.reply import schema_of
from core.tasks import (
    Answer,
    Bridge,
    Bridged,
    BridgedPart,
    PartDraft,
    PerspectiveDraft,
    Perspectives,
    PerspectivesGiven,
    ProposalDraft,
    StatementDraft,
    Task,
    Understand,
    Understood,
)
from core.text.sentences import sentences
from core.text.tokens import content_words, is_cjk
from tests.ollama_brain import LOST, read_back
from tests.ollama_protocol import Asked as Prompt
from tests.ollama_protocol import count_tokens

ANSWER_TOKENS = 90  # tokens of an answer to one question; of several parts, twice as many
_CONTEXT = re.compile(r"Context information is below\.\n-+\n(.*?)\n-+\n.*Query: (.*)\nAnswer: ?$", re.DOTALL)
_GENERATOR = "output a list of relevant sub-questions"


class ScriptedModel:
    """Answers what either asks."""

    def __init__(self) -> None:
        self._rules = BuiltinLLM()

    def __call__(self, asked: Prompt) -> str:
        """Return the reply to a prompt of Strata or of LlamaIndex."""
        task = read_back(asked.system, asked.user, asked.images)
        if task is not None:
            return self._strata(task)
        if _GENERATOR in asked.user:
            return _sub_questions(asked.user)
        if match := _CONTEXT.search(asked.user):
            context, question = match.groups()
            several = context.startswith("Sub question:") or (known(question) or _NONE).kind == "composite"
            return prose(question, context.split("\n\n"), ANSWER_TOKENS * (2 if several else 1), cite=False)
        return LOST

    def _strata(self, task: Task) -> str:
        if isinstance(task, Answer):
            several = bool(task.parts) or (known(task.question) or _NONE).kind == "composite"
            return prose(task.question, task.evidence, ANSWER_TOKENS * (2 if several else 1), cite=True)
        reply = self._rules.run(task, type(task).reply)
        if isinstance(task, Understand) and isinstance(reply, Understood):
            reply = _planned(task, reply)
        if isinstance(task, Bridge) and isinstance(reply, Bridged):
            reply = reply.model_copy(update={"parts": tuple(_found(one, task) for one in reply.parts)})
        if isinstance(task, Perspectives):
            reply = _proposed(task)
        held = reply.model_dump(mode="json", include=set(schema_of(type(reply))["properties"]))  # its share
        if isinstance(reply, Understood):
            held["parts"] = [part.question for part in reply.parts]
            held["search"] = [f"{pair.said} = {pair.meant}" for pair in reply.search]
        for item in held.get("parts" if isinstance(reply, Bridged) else "claims", ()):
            for name in ("near_miss", "search", "reason"):  # what may be left out where nothing is to be said
                if isinstance(item, dict) and not item.get(name, True):
                    del item[name]
        return json.dumps(held, ensure_ascii=False)


_NONE = Asked("", "", "")


def known(question: str) -> Asked | None:
    """Return the question of the set that is asked here."""
    return next((one for one in QUESTIONS if one.text.casefold() == question.strip().casefold()), None)


def prose(question: str, pieces: Sequence[Evidence | str], tokens: int, *, cite: bool) -> str:
    """Return about so many tokens of what the pieces say, nearest to the question first."""
    asked = set(content_words(question))
    chosen = [
        (sentence, n)
        for n, piece in enumerate(pieces, 1)
        for sentence in sentences(piece.text if isinstance(piece, Evidence) else piece)
        if count_tokens(sentence) < 60
    ]
    chosen.sort(key=lambda pair: -len(asked & set(content_words(pair[0]))))
    written = ""
    for at, (sentence, n) in enumerate(chosen):
        plain = " ".join(sentence.split()).rstrip(".。")
        mark = f" [{n}]" if cite else ""
        written += (plain if at % 2 == 0 else _shortened(plain)) + mark + ("。" if is_cjk(plain) else ". ")
        if count_tokens(written) >= tokens:
            break
    return written.strip() or LOST


def _shortened(sentence: str) -> str:
    """Return the sentence in fewer words, as somebody would retell it."""
    if is_cjk(sentence):
        return "总的来说，" + sentence[: max(6, len(sentence) * 2 // 3)]
    words = sentence.split()
    return "In short, " + " ".join(word for at, word in enumerate(words) if at % 4 != 3)


def _planned(task: Understand, reply: Understood) -> Understood:
    asked = known(reply.question or task.question)
    if asked is None or not asked.parts:
        return reply
    parts = tuple(
        PartDraft(id=n, question=text, depends_on=needs) for n, (text, needs) in enumerate(asked.parts, 1)
    )
    return reply.model_copy(
        update={"parts": parts, "composite": True, "level": Level.LINKING, "question": ""}
    )


def _found(part: BridgedPart, task: Bridge) -> BridgedPart:
    if part.answer or not task.evidence:
        return part
    piece = next(e for e in task.evidence)
    name = next(iter(re.findall(r"[A-Z]{2,}-\d+\w*", piece.text)), piece.text.split()[0])
    return part.model_copy(update={"answer": name, "citations": (piece.n,), "near_miss": "", "search": ""})


def _proposed(task: Perspectives) -> PerspectivesGiven:
    """Return a statement and a proposal of each viewpoint, with as many words as a model takes for them."""
    pieces = [piece for piece in task.evidence if piece.text.strip()]
    others = [viewpoint.id for viewpoint in task.viewpoints]
    given = []
    for at, viewpoint in enumerate(task.viewpoints):
        piece, against = pieces[at % len(pieces)], pieces[(at + 1) % len(pieces)]
        stated = next(iter(sentences(piece.text)), piece.text)[:160]
        proposal = ProposalDraft(
            text=f"Check regularly what stands there: {stated[:60]}",
            effect="Fewer losses, seen earlier than today.",
            risk="Time of a tool that is needed elsewhere.",
            effort="One person for a week.",
            first_step="Take the last month as a trial.",
            citations=(piece.n,),
            objection=f"It does not touch what is said here: {against.text[:50]}",
            objector=others[(at + 1) % len(others)],
            against=(against.n,),
        )
        says = (StatementDraft(text=stated, citations=(piece.n,)),)
        given.append(PerspectiveDraft(viewpoint=viewpoint.id, says=says, proposals=(proposal,)))
    best = given[0].proposals[0].text if given else ""
    return PerspectivesGiven(perspectives=tuple(given), recommended=best, reason="It can begin at once.")


def _sub_questions(prompt: str) -> str:
    """Return what LlamaIndex's question generator wants: the parts as sub-questions of the one tool."""
    question = prompt.rpartition("<User Question>")[2].partition("<Output>")[0].strip()
    asked = known(question)
    parts = [re.sub(r"#\d+", "it", text) for text, _ in asked.parts] if asked else [question]
    items = [{"sub_question": part, "tool_name": "library"} for part in parts or [question]]
    return f"```json\n{json.dumps({'items': items}, ensure_ascii=False, indent=4)}\n```"
