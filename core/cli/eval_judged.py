"""strata eval qa, law: answers scored against gold ones, by rules and by a model as judge; resumable."""

import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import click

from core.assistant import Assistant
from core.cli.eval import read
from core.cli.interrupted_evaluation import stopped_with_a_command_to_resume
from core.cli.output import command, emit, opened, opened_beside
from core.cli.published_figures import SOURCE, published
from core.cli.terminal_escaping import echo
from core.domain import BUILT_IN, identify
from core.errors import LLMError, StrataError
from core.evaluation.answer_judge import AnswerJudge, grades
from core.evaluation.answer_log import AnswerLog, StoredAnswer, key_of
from core.evaluation.answer_scores import answer_overlap, exact_match, mean
from core.evaluation.law_scores import METRICS, NEEDS_MODEL, bare, law_scores, statutes
from core.i18n.messages import plain
from core.i18n.recorded_messages import translated_plain
from core.settings import Settings
from core.work.checks.answer_records import keep_record
from core.work.checks.evaluation_records import over_file

T = TypeVar("T")
Question = dict[str, Any]
Score = Callable[[StoredAnswer], dict[str, float]]


def _judged(function: Callable[..., Any]) -> Callable[..., Any]:
    limit = click.option(
        "--limit", type=click.IntRange(1), help="Only the first so many (law: of each task)."
    )
    judge = click.option(
        "--judge",
        metavar="MODEL",
        help='Model of your server that judges each answer (accuracy); "built-in": by rules.',
    )
    fresh = click.option("--fresh", is_flag=True, help="Forget what was kept and ask every question again.")
    return limit(judge(fresh(function)))


@command("qa")
@click.option(
    "--questions",
    "file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL.",
)
@click.option(
    "--corpus",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSONL of passages, read into a library of its own beside yours; without it, yours is asked.",
)
@_judged
def qa(
    *, file: Path, corpus: Path | None, limit: int | None, judge: str | None, fresh: bool, as_json: bool
) -> None:
    """Score short answers by exact match, F1, precision, recall (fields: question, answer, answer_aliases).

    With --judge a model says which are right (accuracy). Each answer is kept in the library's folder as it
    comes, and the corpus until all are answered; a second start goes on. For HotpotQA, 2WikiMultiHopQA and
    MuSiQue, told by the names of file and folder, what PIKE-RAG's paper reports stands below.
    """
    questions = [_as_stored(q, str(q.get("dataset") or q.get("type") or "")) for q in read(file, limit)]
    log = _log("qa", over_file(corpus) if corpus else _over_library(), fresh)
    with stopped_with_a_command_to_resume(log, questions, judge):
        if pending := _pending(questions, log):
            with opened_beside(corpus, folder_name=log.path.stem) if corpus else opened() as assistant:
                for row in _bar(pending, plain("answered")):
                    began = time.perf_counter()
                    answer = assistant.questions.short_answer(row.question)
                    _keep(log, row, answer, "", began)
        rows, notes = _judge(_already_answered(questions, log), judge, log)
        result = _summary(rows, _answer_scores, judge)
        keep_record(log, f"{file.resolve().parent.name}/{file.name}", rows, result, judge)
    groups = {row.group for row in rows}
    others = published((*groups, file.stem, file.resolve().parent.name))
    if as_json:
        emit({**result, **({"published": others} if others else {}), "notes": notes})
        return
    _show(result, notes)
    if others:
        echo(f"\n{SOURCE}")
        for method, figures in others.items():
            echo(f"{method:28} em {figures['em']:.3f}  f1 {figures['f1']:.3f}")


@command("law")
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of LawBench: 1-1.jsonl and others (task, instruction, question, answer).",
)
@click.option("--task", "chosen", multiple=True, type=click.Choice(list(METRICS)), help="Only these tasks.")
@_judged
def law(
    *,
    folder: Path,
    chosen: Sequence[str],
    limit: int | None,
    judge: str | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Score LawBench 1-1, 1-2, 3-1, 3-2, 3-6, 3-8, each by its published metric, and by a model as judge.

    The statutes that answers of the data quote are the library: an open book, not the published closed one.
    Choices and articles of a charge (1-2, 3-1, 3-6) need a model. A second start goes on.
    """
    by_task = {
        task: read(folder / f"{task}.jsonl", None) for task in METRICS if (folder / f"{task}.jsonl").is_file()
    }
    if missing := [task for task in chosen if task not in by_task]:
        raise StrataError(f"{folder} has no {missing[0]}.jsonl.", hint="Name the folder of LawBench's files.")
    book = statutes(row for rows in by_task.values() for row in rows)
    log = _log("law", identify(*(passage["text"] for passage in book)), fresh)
    instructions: dict[str, str] = {}
    questions: list[StoredAnswer] = []
    for task in chosen or list(by_task):
        for row in by_task[task][:limit]:
            asked = _as_stored({**row, "answer": bare(str(row.get("answer", "")))}, task)
            instructions[asked.key] = str(row.get("instruction", ""))
            questions.append(asked)
    with stopped_with_a_command_to_resume(log, questions, judge):
        pending = _pending(questions, log)
        without: set[str] = set()
        if Settings.load().ollama_host() is None:  # known before the statutes are read
            without = {row.group for row in pending if row.group in NEEDS_MODEL}
            pending = [row for row in pending if row.group not in without]
        if pending:
            without |= _sit(pending, instructions, book, log)
        prose = [question for question in questions if METRICS[question.group] == "rouge_l"]
        _, notes = _judge(
            _already_answered(prose, log), judge, log
        )  # of the others their metric knows which are right
        rows = _already_answered(questions, log)
        if without:
            notes.append(plain("not asked, for they need a model: {tasks}", tasks=", ".join(sorted(without))))
        result = _summary(rows, lambda row: law_scores(row.group, row.answer, row.golds[0]), judge)
        keep_record(log, folder.name, rows, result, judge)
    result["metrics"] = {task: METRICS[task] for task in result["datasets"]}
    if as_json:
        emit({**result, "statutes": len(book), "notes": notes})
        return
    _show(result, notes)


def _sit(
    pending: Sequence[StoredAnswer], instructions: dict[str, str], book: list[dict[str, str]], log: AnswerLog
) -> set[str]:
    """Have the questions answered over the statutes; return the tasks left out, for they need a model."""
    without: set[str] = set()
    with _written(book) as corpus, opened_beside(corpus) as assistant:
        for row in _bar(pending, plain("answered")):
            if row.group in without:
                continue
            began = time.perf_counter()
            answer, engine = _examined(assistant, instructions[row.key], row.question)
            if engine == BUILT_IN and row.group in NEEDS_MODEL:
                without.add(row.group)
                continue
            _keep(log, row, answer, engine, began)
    return without


def _examined(assistant: Assistant, instruction: str, question: str) -> tuple[str, str]:
    written = assistant.questions.examination_answer(instruction, question)
    return written.text, written.call.engine if written.call else ""


@contextmanager
def _written(book: list[dict[str, str]]) -> Iterator[Path | None]:
    """Write the statutes where they can be read in; None where there are none."""
    if not book:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="strata-law-") as folder:
        path = Path(folder) / "statutes.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in book), "utf-8")
        yield path


# -- what both do ---------------------------------------------------------------------------


def _as_stored(question: Question, group: str) -> StoredAnswer:
    golds = (str(question.get("answer", "")), *map(str, question.get("answer_aliases") or ()))
    text = question["question"]
    return StoredAnswer(key=key_of(text, golds), group=group, question=text, golds=golds, answer="")


def _over_library() -> str:
    """Return the fingerprint of the documents of the reader's library."""
    with opened() as assistant:
        return identify(*sorted(document.id for document in assistant.library.contents.documents()))


def _log(kind: str, over: str, fresh: bool) -> AnswerLog:
    """Return the log of these answers: another corpus, engine or version of Strata has its own."""
    settings = Settings.load()
    made_with = settings.model_dump(mode="json", include={"llm", "embedding", "rerank", "retrieval", "plan"})
    host = settings.ollama_host() or ""
    name = identify(kind, over, host, json.dumps(made_with, sort_keys=True), version("strata"))
    log = AnswerLog(settings.store.path / "evaluations" / "answers" / f"{kind}-{name[:16]}.jsonl")
    if fresh:
        log.clear()
    return log


def _pending(questions: Iterable[StoredAnswer], log: AnswerLog) -> list[StoredAnswer]:
    stored = log.read()
    return [question for question in questions if question.key not in stored]


def _already_answered(questions: Iterable[StoredAnswer], log: AnswerLog) -> list[StoredAnswer]:
    stored = log.read()
    return [stored[question.key] for question in questions if question.key in stored]


def _keep(log: AnswerLog, row: StoredAnswer, answer: str, engine: str, began: float) -> None:
    seconds = time.perf_counter() - began
    log.keep(row.model_copy(update={"answer": answer, "engine": engine, "seconds": seconds}))


def _judge(
    rows: list[StoredAnswer], model: str | None, log: AnswerLog
) -> tuple[list[StoredAnswer], list[str]]:
    """Return the answers as far as they are judged, and what keeps them from being so."""
    if model is None:
        return rows, [plain("accuracy needs a model as judge: --judge MODEL")]
    from core.bootstrap.model_wiring import judge_of

    llm = judge_of(Settings.load(), model)
    if llm is None:
        return rows, [plain("accuracy needs a model as judge, and no model server is set: OLLAMA_HOST")]
    pending = [row for row in rows if model not in row.judged]
    try:
        for _ in _bar(AnswerJudge(llm, model).judge_all(pending, log), plain("judged"), len(pending)):
            pass
    except LLMError as error:
        reason = translated_plain(str(error))
        return _already_answered(rows, log), [
            plain("not all was judged; a second start goes on: {why}", why=reason)
        ]
    return _already_answered(rows, log), []


def _bar(rows: Iterable[T], label: str, length: int | None = None) -> Iterator[T]:
    """Yield the rows under a progress bar on stderr, where that is a terminal."""
    if not sys.stderr.isatty():
        yield from rows
        return
    with click.progressbar(rows, length, label, file=sys.stderr, show_pos=True) as shown:
        yield from shown


def _answer_scores(row: StoredAnswer) -> dict[str, float]:
    shared = answer_overlap(row.answer, row.golds)
    return {"em": exact_match(row.answer, row.golds), **shared._asdict(), "seconds": row.seconds}


def _summary(rows: Sequence[StoredAnswer], score: Score, judge: str | None) -> dict[str, Any]:
    groups: dict[str, list[StoredAnswer]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    datasets = {name: _means(found, score, judge) for name, found in sorted(groups.items())}
    return {**_means(rows, score, judge), "datasets": datasets}


def _means(rows: Sequence[StoredAnswer], score: Score, judge: str | None) -> dict[str, float]:
    scored = [score(row) for row in rows]
    names = [name for name in (scored or [{}])[0] if all(name in one for one in scored)]
    found = {name: mean(one[name] for one in scored) for name in names}
    return {**found, **(grades(rows, judge) if judge else {}), "questions": len(rows)}


def _show(result: dict[str, Any], notes: Iterable[str]) -> None:
    metrics = result.pop("metrics", {})
    for name, row in [*result.pop("datasets").items(), ("all", result)]:
        shown = "  ".join(
            f"{metrics.get(name, key) if key == 'score' else key} {value:.3f}"
            for key, value in row.items()
            if key not in ("questions", "judged")
        )
        echo(f"{name or '-':28} {shown}  n {row['questions']}")
    for note in notes:
        echo(note)
