"""What must hold for any documents: taking out undoes bringing in, and twice is once."""

import random
from pathlib import Path

import pytest

from tests.ingest.ingestion_parts import ingestion, inventory
from tests.ingest.test_ingestion import ingest
from tests.making import nothing_left

NAMES = ("Anna Lindqvist", "ETCH-03", "SOP-ETCH-012", "Green Harbour", "electrostatic chuck (ESC)", "E-217")
VERBS = ("replaced", "cleaned", "describes", "refers to", "was found near", "belongs to")
KINDS = ("md", "txt", "csv", "html", "json")


def document(chance: random.Random, kind: str) -> str:
    """Write a small document that names what others name too."""

    def sentence() -> str:
        who, verb, whom = chance.choice(NAMES), chance.choice(VERBS), chance.choice(NAMES)
        return f"{who} {verb} {whom} on day {chance.randint(1, 99)}."

    sentences = [sentence() for _ in range(chance.randint(1, 12))]
    match kind:
        case "csv":
            return "name,day\n" + "".join(f"{chance.choice(NAMES)},{n}\n" for n in range(len(sentences)))
        case "html":
            body = "".join(f"<h2>{chance.choice(NAMES)}</h2><p>{each}</p>" for each in sentences)
            return f"<html><body><h1>{chance.choice(NAMES)}</h1>{body}</body></html>"
        case "json":
            return (
                "["
                + ",".join(f'{{"title": "{chance.choice(NAMES)}", "text": "{s}"}}' for s in sentences)
                + "]"
            )
        case "md":
            return "".join(f"# {chance.choice(NAMES)}\n{each}\n\n" for each in sentences)
    return "\n\n".join(sentences)


def write(folder: Path, chance: random.Random, count: int) -> list[Path]:
    folder.mkdir()
    paths = []
    for number in range(count):
        kind = chance.choice(KINDS)
        paths.append(folder / f"{chance.choice(NAMES).replace(' ', '-')}-{number}.{kind}")
        paths[-1].write_text(document(chance, kind), encoding="utf-8")
    return paths


@pytest.mark.parametrize("seed", range(3))
def test_taking_everything_out_again_leaves_nothing_in_any_order(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    into = ingestion(tmp_path / "library")
    empty = inventory(into.knowledge)
    outcomes = [ingest(into, path)[1] for path in write(tmp_path / "in", chance, 5)]
    assert {outcome.outcome for outcome in outcomes} == {"read"}
    filled = inventory(into.knowledge)
    for path in sorted((tmp_path / "in").iterdir(), key=lambda path: chance.random()):
        assert ingest(into, path)[1].outcome == "known"
    assert inventory(into.knowledge) == filled
    for outcome in sorted(outcomes, key=lambda outcome: chance.random()):
        removal = into.knowledge.remove(outcome.document_id)
        assert nothing_left(removal), removal.left
    assert inventory(into.knowledge) == empty
    tables = ("token_spans", "links", "mentions", "names", "unfinished", "entities", "answers_to")
    with into.knowledge.database.reading() as connection:
        here = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        left = {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables if t in here}
    assert set(left.values()) == {0}, left
    into.knowledge.close()
