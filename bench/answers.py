"""Answers over real documents: right, wrong but told, refused; passages shown; precision against coverage.

    python -m bench.answers                          every question of STRATA_BENCH_DATA/answers
    python -m bench.answers --parity even            those with an even id
    python -m bench.answers --passages-only          the search alone, without what reads the passages

The documents are read into a library under --folder through the ordinary ingestion, once, and found there
again; give --folder anew after a change of how files are read.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

from core.bootstrap import build
from core.cli.eval_answers import asked, chosen, read_answer_questions, read_into, told
from core.evaluation.selective_answers import tally
from core.settings import Settings


def main() -> None:
    """Ask the questions and print the figures, as a table or as JSON."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--parity", choices=("odd", "even"), help="only ids with such a number")
    reader.add_argument("--passages-only", action="store_true", help="search alone")
    reader.add_argument("--questions", type=int, help="only the first so many")
    reader.add_argument("--details", type=Path, help="where to write what became of each question, as JSONL")
    reader.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()) / "strata-bench" / "answers",
        help="where the library is kept",
    )
    reader.add_argument("--json", action="store_true", help="print one JSON value")
    wanted = reader.parse_args()
    data = Path(os.environ.get("STRATA_BENCH_DATA", "../shared/data"))
    file = data / "answers" / "answers.jsonl"
    if not file.is_file():
        print(f"no {file}; name the data's folder in STRATA_BENCH_DATA")
        return
    settings = Settings.load()
    store = settings.store.model_copy(update={"path": wanted.folder})
    questions = chosen(read_answer_questions(file), wanted.parity)[: wanted.questions]
    assistant = build(settings.model_copy(update={"store": store}), warm=False)
    try:
        unread = read_into(assistant, data / "docs")
        rows = list(asked(assistant, questions, wanted.passages_only))
    finally:
        assistant.close()
    if wanted.details:
        wanted.details.write_text("".join(f"{row.model_dump_json()}\n" for row in rows), "utf-8")
    figures = {**tally(rows), "not_read": unread}
    print(json.dumps(figures, ensure_ascii=False) if wanted.json else "\n".join(told(figures)))


if __name__ == "__main__":
    main()
