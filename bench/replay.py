"""Replays recorded runs of the knowledge-aware loop: `python -m bench.replay [--json]`.

The recordings are PIKE-RAG's own (arXiv 2501.11551, Algorithm 1, GPT-4 on HotpotQA). A local double of Ollama
says what GPT-4 said: the atomic questions of each chunk while the chunks are read in by the ordinary path,
then each round's proposals, and the recorded choice wherever our retrieval offers the chunk. What is measured
is ours: does the loop bring up the recorded chunk, among the candidates of the recorded round?
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bench.data import bench_data
from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Level, Value
from core.llm.builtin import BuiltinLLM
from core.ports import LLM, Listener
from core.settings import LLMSettings, LoopSettings, Settings, StoreSettings
from core.tasks import Enrich, Enriched, PieceFacts, Proposals, Propose, Reply, Select, Selection, Task
from core.text.tokens import content_words
from core.trace import Proposed
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble

R = TypeVar("R", bound=Reply)
SAME_CHUNK_SHARE = 0.8  # share of a chunk's words from which it is a piece of a recorded one


class Round(Value):
    """What was proposed, and the atomic question and chunk that were chosen ("" for none)."""

    proposals: tuple[str, ...]
    question: str = ""
    chunk: str = ""


class Recording(Value):
    """One question's recorded run, and every chunk of it with its title and atomic questions."""

    question: str
    rounds: tuple[Round, ...]
    atoms: dict[str, tuple[str, ...]]  # chunk -> its atomic questions
    titles: dict[str, str]

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(one.chunk for one in self.rounds if one.chunk)


def read_recordings(file: Path) -> list[Recording]:
    """Return the recordings of a JSONL file in PIKE-RAG's form, one question a line."""
    return [recording(json.loads(line)) for line in file.read_text("utf-8").splitlines() if line.strip()]


def recording(record: dict[str, Any]) -> Recording:
    """Return one line of PIKE-RAG's output as a recording."""
    atoms: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for fact in record["metadata"].get("supporting_facts", ()):
        text = " ".join(fact["full_chunk"].split())
        atoms.setdefault(text, []).extend(fact.get("atomic_questions", ()))
        titles[text] = fact["title"]
    for context in record["metadata"].get("retrieval_contexts", ()):
        text = " ".join(context["contents"].split())
        atoms.setdefault(text, [])
        titles.setdefault(text, context["title"])
    rounds = []
    for step in record["answer_metadata"]["decomposition_infos"].values():
        for hit in step.get("retrieval") or ():
            atoms.setdefault(" ".join(hit["relevant_context"].split()), []).append(hit["sub-question"])
        picked = (step.get("selection") or {}).get("chosen_info") or {}
        chunk = " ".join(picked.get("source_chunk", "").split())
        if chunk:
            atoms.setdefault(chunk, []).append(picked["question"])
        rounds.append(
            Round(
                proposals=tuple(step["proposal"].get("proposal_list") or ()),
                question=picked.get("question", ""),
                chunk=chunk,
            )
        )
    unique = {text: tuple(dict.fromkeys(asked)) for text, asked in atoms.items()}
    return Recording(question=record["question"], rounds=tuple(rounds), atoms=unique, titles=titles)


@dataclass
class RecordedLLM:
    """Says what was recorded; everything else is done by `rest`.

    The choice is the recorded atomic question, or another one of the recorded chunk where retrieval offers
    only that, or none. Raises KeyError for a question that was not recorded.
    """

    recordings: Sequence[Recording]
    rest: LLM = field(default_factory=BuiltinLLM)

    def __post_init__(self) -> None:
        self._known = {one.question: one for one in self.recordings}
        self._atoms: dict[str, tuple[str, ...]] = {}
        for one in self.recordings:
            for chunk, asked in one.atoms.items():
                self._atoms[chunk] = tuple(dict.fromkeys((*self._atoms.get(chunk, ()), *asked)))

    def run(self, task: Task, into: type[R], listener: Listener | None = None) -> R:
        reply: Reply
        if isinstance(task, Enrich):
            pieces = [(each.n, self._atoms[self.chunk_of(each.text)]) for each in task.pieces]
            reply = Enriched(pieces=tuple(PieceFacts(n=n, questions=asked) for n, asked in pieces))
        elif isinstance(task, Propose):
            reply = self._propose(task)
        elif isinstance(task, Select):
            reply = self._select(task)
        else:
            return self.rest.run(task, into, listener)
        if not isinstance(reply, into):
            raise TypeError(f"{type(reply).__name__} is no {into.__name__}")
        return reply

    def chunk_of(self, text: str) -> str:
        """Return the recorded chunk whose words the text shares most."""
        plain = " ".join(text.split())
        if plain in self._atoms:
            return plain
        plain_words = set(content_words(plain))
        best = max(self._atoms, key=lambda chunk: len(plain_words & set(content_words(chunk))))
        if len(plain_words & set(content_words(best))) < SAME_CHUNK_SHARE * len(plain_words):
            raise KeyError(f"no recorded chunk holds {plain[:80]!r}")
        return best

    def _propose(self, task: Propose) -> Proposals:
        rounds = self._known[task.question].rounds
        at = len(task.context)  # every round before added one chunk
        return Proposals(questions=rounds[at].proposals if at < len(rounds) else ())

    def _select(self, task: Select) -> Selection:
        rounds = self._known[task.question].rounds
        wanted = rounds[len(task.context)]
        offered = [one.strip() for one in task.candidates]
        same = [wanted.question.strip(), *(text.strip() for text in self._atoms.get(wanted.chunk, ()))]
        at = next((offered.index(text) for text in same if text and text in offered), None)
        return Selection(index=at, reason="as recorded" if wanted.chunk else "none of them is needed")


def fill(assistant: Assistant, recordings: Sequence[Recording], folder: Path) -> list[str]:
    """Read every recorded chunk by the ordinary path; return them by the line they stand on."""
    titles = {text: title for one in recordings for text, title in one.titles.items()}
    texts = list(dict.fromkeys(text for one in recordings for text in one.atoms))
    file = folder / "recorded.jsonl"
    rows = ({"id": f"p{n}", "title": titles.get(text, ""), "text": text} for n, text in enumerate(texts))
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    assistant.library.wait(assistant.library.ingest([file]))
    background_enrichment = assistant.library.enrichment()
    for document in background_enrichment.waiting(None):
        background_enrichment.enrich(document)
    return texts


def replayed(assistant: Assistant, one: Recording, texts: Sequence[str]) -> dict[str, Any]:
    """Repeat one recording; return what was chosen then and now, and how often the chunk was offered."""
    run = assistant.questions.ask(one.question, level=Level.LINKING, strategy="loop")
    assistant.questions.wait(run)
    rounds = [s.event for s in assistant.questions.events(run) if isinstance(s.event, Proposed)]
    picked = [event.chunk_id for event in rounds if event.chunk_id]
    lines = {chunk.id: chunk.location.lines for chunk in assistant.library.contents.chunks(ids=picked)}
    chosen = [texts[place[0]] for place in (lines[key] for key in picked) if place is not None]
    wanted = [step.question for step in one.rounds if step.chunk]
    shown = [event.candidates for event in rounds]
    return {
        "question": one.question,
        "recorded": list(one.chosen),
        "chosen": chosen,
        "same_run": chosen == list(one.chosen),
        "very_question": [text in offered for text, offered in zip(wanted, shown, strict=False)],
        "candidates": [len(offered) for offered in shown],
    }


def replay(recordings: Sequence[Recording], folder: Path) -> dict[str, Any]:
    """Replay every recording over one library of all their chunks; return the shares and each run."""
    loop = LoopSettings(
        rounds=max(len(one.rounds) for one in recordings),
        proposals=max(len(step.proposals) for one in recordings for step in one.rounds),
    )
    with OllamaDouble(StrataBrain(RecordedLLM(recordings))) as double:
        settings = Settings(
            store=StoreSettings(path=folder / "data"),
            llm=LLMSettings(backend="ollama", host=double.host),
            loop=loop,
        )
        assistant = build(settings, warm=False)
        try:
            texts = fill(assistant, recordings, folder)
            runs = [replayed(assistant, one, texts) for one in recordings]
            atoms = assistant.library.contents.counts()["atoms"]
        finally:
            assistant.close()
    recorded = [(run, chunk) for run in runs for chunk in run["recorded"]]
    asked = [hit for run in runs for hit in run["very_question"]]
    return {
        "recordings": len(runs),
        "chunks": len(texts),
        "atoms": atoms,
        "run_identically": sum(run["same_run"] for run in runs) / len(runs),
        "chosen_chunks": len(recorded),
        "same_chosen_chunks": sum(chunk in run["chosen"] for run, chunk in recorded) / len(recorded),
        "very_question_offered": sum(asked) / len(asked) if asked else 0.0,
        "runs": runs,
    }


def main() -> None:
    """Replay and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    given = parser.parse_args()
    recordings = read_recordings(bench_data("traces", "pike_rag_gpt4.jsonl"))
    with tempfile.TemporaryDirectory(prefix="strata-replay-") as folder:
        figures = replay(recordings, Path(folder))
    if given.json:
        print(json.dumps(figures, indent=2, ensure_ascii=False))
        return
    for run in figures.pop("runs"):
        print(f"{'same' if run['same_run'] else 'DIFFERENT':10} {run['question']}")
        for number, then in enumerate(run["recorded"]):
            now = run["chosen"][number] if number < len(run["chosen"]) else ""
            print(f"    {'=' if now == then else '!'} {then[:70]}")
            if now != then:
                print(f"      {now[:70] or '(nothing)'}")
    for name, value in figures.items():
        print(f"{name:24} {value:8.3f}" if isinstance(value, float) else f"{name:24} {value:8}")


if __name__ == "__main__":
    main()
