"""strata eval answers: what is told as an answer over real documents, and whether it is right."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import click
from pydantic import ValidationError

from core.assistant import Assistant
from core.cli.interrupted_evaluation import nothing_stored_when_interrupted
from core.cli.output import command, emit, opened
from core.cli.terminal_escaping import echo
from core.domain import Report
from core.errors import ParseError, StrataError
from core.evaluation.retrieval_scores import read_records
from core.evaluation.selective_answers import AnswerQuestion, Graded, Parity, graded, ranked, tally
from core.i18n.messages import plain

MAX_PASSAGES = 10  # passages looked at where nothing but the search is asked


@command("answers")
@click.option(
    "--documents",
    "folder",
    type=click.Path(exists=True, path_type=Path),
    help="Folder or file that is read into the library first, where it does not hold it yet.",
)
@click.option(
    "--questions",
    "file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL: id, question, answers (none: the library does not say it), all, least, kind, lang, doc.",
)
@click.option("--parity", type=click.Choice(get_args(Parity)), help="Only ids with an odd or even number.")
@click.option("--passages-only", is_flag=True, help="Search alone: what stands in the passages found.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@click.option(
    "--details",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what became of each question there, a JSON value a line.",
)
@nothing_stored_when_interrupted()
def answers(
    *,
    folder: Path | None,
    file: Path,
    parity: Parity | None,
    passages_only: bool,
    limit: int | None,
    details: Path | None,
    as_json: bool,
) -> None:
    """Score answers over documents: right, wrong but told as an answer, refused; and the passages shown.

    The library of STRATA_STORE__PATH is asked; name another folder there to keep yours as it is.
    """
    questions = chosen(read_answer_questions(file), parity)[:limit]
    with opened() as assistant:
        unread = read_into(assistant, folder) if folder else []
        rows = []
        for row in graded_answers(assistant, questions, passages_only):
            rows.append(row)
            echo(f"\r{len(rows)}/{len(questions)}", nl=False, err=True)
        echo(err=True)
    if details:
        details.write_text("".join(f"{row.model_dump_json()}\n" for row in rows), "utf-8")
    figures = {**tally(rows), "not_read": unread}
    if as_json:
        emit(figures)
    else:
        echo("\n".join(figure_lines(figures)))


def read_answer_questions(file: Path) -> list[AnswerQuestion]:
    """Return the questions of a JSONL file. Raises ParseError for a line that is none."""
    found = []
    for number, record in enumerate(read_records(file), start=1):
        try:
            found.append(AnswerQuestion.model_validate(record))
        except ValidationError as error:
            raise ParseError(
                f"{file.name}, question {number} cannot be read: {error.errors()[0]['msg']}",
                hint="Each line needs id, question and answers (a list; empty where there is no answer).",
            ) from error
    return found


def chosen(questions: Sequence[AnswerQuestion], parity: Parity | None) -> list[AnswerQuestion]:
    """Return the questions whose id has the parity; all for None."""
    return [question for question in questions if parity in (None, question.parity())]


def read_into(assistant: Assistant, folder: Path) -> list[str]:
    """Read files into the library, known ones once only; return the names of those that were refused."""
    jobs = assistant.library.ingest([folder.resolve()])
    return sorted(job.name for job in assistant.library.wait(jobs) if job.status != "done")


def graded_answers(
    assistant: Assistant, questions: Sequence[AnswerQuestion], passages_only: bool = False
) -> Iterator[Graded]:
    """Yield what becomes of each question: asked as a reader asks it, or searched for alone."""
    names = {document.id: document.name for document in assistant.library.contents.documents()}

    def file_of(document_id: str) -> str:
        return names.get(document_id, "")

    ask = _searched if passages_only else _answered
    for question in questions:
        yield ask(assistant, question, file_of)


def _answered(assistant: Assistant, question: AnswerQuestion, file_of: Callable[[str], str]) -> Graded:
    try:
        report = assistant.questions.wait(assistant.questions.ask(question.question))
    except StrataError as error:
        report = Report(run="", question=question.question, notes=(str(error),))
    return graded(question, report, file_of)


def _searched(assistant: Assistant, question: AnswerQuestion, file_of: Callable[[str], str]) -> Graded:
    found = assistant.library.search(question.question, MAX_PASSAGES, legs=("graph", "reranked"))
    row = ranked(question, found.leg("reranked"), file_of)
    return row.model_copy(update={"seconds": found.seconds})


def figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    groups = [("all", figures), *figures.get("kinds", {}).items(), *figures.get("languages", {}).items()]
    if "precision" in figures:
        yield f"{'':16}{'asked':>7}{'right':>7}{'wrong':>7}{'missed':>7}{'refused':>8}{'prec.':>7}{'cov.':>7}"
        for name, row in groups:
            shares = "".join(
                f"{'-' if v is None else f'{v:.2f}':>7}" for v in (row["precision"], row["coverage"])
            )
            yield (
                f"{name:16}{row['questions']:7}{row['right']:7}{row['wrong_told_as_answer']:7}"
                f"{row['refused_though_answerable']:7}{row['refused_rightly']:8}{shares}"
            )
        for point in figures["curve"]:
            yield "  ".join(f"{name} {value:.2f}" for name, value in point.items())
    shown = figures["passages"]
    heads = f"{'passages':16}{'asked':>7}{'top-1':>7}{'top-3':>7}{'top-10':>7}"
    right = plain("in the right document")
    yield f"{heads}   {right}"
    for name, row in [
        (plain("looked up"), shown["looked_up"]),
        ("all", shown["all"]),
        *shown["kinds"].items(),
    ]:
        shares = "".join(
            f"{row[f'{where}top{depth}']:7.2f}" for where in ("", "in_document_") for depth in (1, 3, 10)
        )
        yield f"{name:16}{row['questions']:7}{shares}"
    if figures.get("not_read"):
        yield plain("not read: {files}", files=", ".join(figures["not_read"]))
