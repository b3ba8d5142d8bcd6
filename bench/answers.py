"""Answers over real documents: right, wrong, refused; passages shown; precision against coverage.

    python -m bench.answers                          every question of STRATA_BENCH_DATA/answers
    python -m bench.answers --parity even            those with an even id
    python -m bench.answers --passages-only          the search alone, without what reads the passages
    python -m bench.answers --evidence FILE          writes what each question's reader is given, as JSONL

The documents are read into a library under --folder through the ordinary ingestion, once, and found there
again; give --folder anew after a change of how files are read.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.data import bench_data, data_folder
from core.assistant import Assistant
from core.bootstrap import build
from core.cli.eval_answers import chosen, figure_lines, graded_answers, read_answer_questions, read_into
from core.domain import Evidence, Value
from core.evaluation.selective_answers import AnswerQuestion, Parity, tally
from core.retrieval.evidence_pieces import as_evidence
from core.settings import Settings
from core.trace import Reranked


class Pieces(Value):
    """A question and the evidence its reader is given, in order."""

    question: AnswerQuestion
    evidence: tuple[Evidence, ...] = ()


def main() -> None:
    """Ask the questions and print the figures, as a table or as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parity", choices=("odd", "even"), help="only ids with such a number")
    parser.add_argument("--passages-only", action="store_true", help="search alone")
    parser.add_argument("--questions", type=int, help="only the first so many")
    parser.add_argument("--details", type=Path, help="where to write what became of each question, as JSONL")
    parser.add_argument("--evidence", type=Path, help="where to write what each reader is given, as JSONL")
    parser.add_argument("--file", type=Path, help="other questions over the same documents")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()) / "strata-bench" / "answers",
        help="where the library is kept",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    wanted = parser.parse_args()
    data = data_folder()
    file = wanted.file or data / "answers" / "answers.jsonl"
    if not file.is_file():
        print(f"no {file}; name the data's folder in STRATA_BENCH_DATA")
        return
    questions = chosen(read_answer_questions(file), wanted.parity)[: wanted.questions]
    with over(wanted.folder) as assistant:
        unread = read_into(assistant, data / "docs")
        if wanted.evidence:
            write_lines(wanted.evidence, pieces(assistant, questions))
            return
        rows = list(graded_answers(assistant, questions, wanted.passages_only))
    if wanted.details:
        write_lines(wanted.details, rows)
    figures = {**tally(rows), "not_read": unread}
    print(json.dumps(figures, ensure_ascii=False) if wanted.json else "\n".join(figure_lines(figures)))


@contextmanager
def over(folder: Path) -> Iterator[Assistant]:
    """Open a library kept in this folder, with the settings of the environment."""
    settings = Settings.load()
    store = settings.store.model_copy(update={"path": folder})
    assistant = build(settings.model_copy(update={"store": store}), warm=False)
    try:
        yield assistant
    finally:
        assistant.close()


def evidence_of(folder: Path, file: Path, parity: Parity | None, into: Path, public: bool = True) -> None:
    """Write what the reader of each question is given, over the `public` data or a library as it is."""
    with over(folder) as assistant:
        if public:
            read_into(assistant, bench_data("docs"))
        write_lines(into, pieces(assistant, chosen(read_answer_questions(file), parity)))


def pieces(assistant: Assistant, questions: Sequence[AnswerQuestion]) -> Iterator[Pieces]:
    """Ask each question and yield the evidence that its answer was written from."""
    for question in questions:
        run = assistant.questions.ask(question.question)
        assistant.questions.wait(run)
        events = [stamped.event for stamped in assistant.questions.events(run)]
        joined = [event for event in events if isinstance(event, Reranked) and event.cause == "aggregate"]
        yield Pieces(question=question, evidence=as_evidence(joined[-1].passages) if joined else ())


def write_lines(file: Path, rows: Iterable[Value]) -> None:
    """Write one JSON value a line."""
    file.write_text("".join(f"{row.model_dump_json(by_alias=True)}\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
