"""Scores how the rules take nested questions apart: which part is found first, and what is asked of it.

    python -m bench.nested [--show]

`look` was looked at while the rules were changed, `report` after its first figure was taken; `fresh` was
written after those rules, and looked at after its first figure, too. A plan is right where each part says the
words of the gold one, in order; small words and "person" may differ. `--show` prints what is not right.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path

from core.llm.builtin import BuiltinLLM
from core.tasks import PartDraft, Understand, Understood
from core.text.tokens import is_cjk

QUESTIONS = Path(__file__).parent / "nested_questions"
SETS = ("look", "report", "fresh")
_SMALL = frozenset(
    ["a", "an", "the", "who", "whom", "what", "which", "is", "are", "was", "were", "person", "people"]
)


def counted_words(text: str) -> tuple[str, ...]:
    """Return the words of a part that count, in order."""
    found = re.findall(r"#\d+|\w" if is_cjk(text) else r"#\d+|[\w-]+", text.lower())
    return tuple(word for word in found if word not in _SMALL)


def right(parts: Sequence[PartDraft], gold: Sequence[str]) -> bool:
    """Say whether the parts ask what the gold ones ask, each of the same others."""
    return [counted_words(part.question) for part in parts] == [counted_words(text) for text in gold]


def main(arguments: Sequence[str] | None = None) -> dict[str, str]:
    """Print how many plans of each set are right and return it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args(arguments)
    engine = BuiltinLLM()
    result = {}
    for name in SETS:
        rows = [json.loads(line) for line in (QUESTIONS / f"{name}.jsonl").open(encoding="utf-8")]
        hits = 0
        for row in rows:
            parts = engine.run(Understand(question=row["question"], most=5), Understood).parts
            hit = right(parts, row["parts"])
            hits += hit
            if options.show and not hit:
                print(name, row["question"], [part.question for part in parts], sep="\n  ")
        result[name] = f"{hits} of {len(rows)}"
    print(json.dumps(result))
    return result


if __name__ == "__main__":
    main()
