"""What a curious person might give to every method, and whether a reply tells of a closed collection."""

import inspect
import itertools
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import BaseModel

from core.domain import Edits, Feedback, Scope
from core.errors import StrataError
from core.knowledge.stores.records import RunFilter
from tests.accounts.closed_library import MARK, Place, Q

SECRET = re.compile(r"\b(912|5000|7000|9000|7 million|holding|euros|plan\.md|pay\.csv)\b", re.I)


def serialised(value: object) -> str:
    """Return all that a value says, to whoever looks into it."""
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, pd.DataFrame):
        return value.to_csv()
    if isinstance(value, np.ndarray):
        return str(value.shape)
    if isinstance(value, dict):
        return " ".join(f"{serialised(k)} {serialised(v)}" for k, v in value.items())
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Path):
        return value.name if value.is_file() else ""
    if is_dataclass(value) and not isinstance(value, type):
        return " ".join(serialised(getattr(value, each.name)) for each in fields(value))
    if hasattr(value, "__iter__"):
        return " ".join(serialised(each) for each in value)
    return repr(value)


def candidates(place: Place) -> dict[str, list[object]]:
    """Return, by the name of a parameter, what a curious person might give."""
    known = place.known
    scopes = [Scope(), Scope(collections=("hr",)), Scope(documents=tuple(known["documents"]))]
    everything = [each for ids in known.values() for each in ids]
    texts = ["Zyxomarq", Q, "Zyxomarg", "pump PE-300", "Mei Tanaka", "salary"]
    vector = place.whole.library.gatherer().retriever.vector("Zyxomarq budget")
    tables = list(place.whole.library.contents.tables())
    hers = [place.run, place.anna.questions.run(place.run).conversation]
    return {
        "document_id": [*known["documents"], None],
        "section_id": [*known["sections"], None],
        "chunk_id": [*known["chunks"], None],
        "entity_id": [*known["entities"], None],
        "table_id": known["tables"],
        "chunk_ids": [known["chunks"]],
        "others": [known["chunks"]],
        "atom_ids": [known["atoms"]],
        "documents": [known["documents"], ()],
        "ids": [everything, None],
        "rather": [known["chunks"]],
        "most": [None, 3],
        "many": [1],
        "names": [
            ["Zyxomarq", "Project Zyxomarq", "Mei Tanaka", *[t.split(":", 2)[2] for t in known["tags"]]]
        ],
        "named": ["zyxo", None],
        "query": texts,
        "text": texts,
        "question": texts,
        "instruction": ["Answer in one word."],
        "phrase": texts,
        "lines": [[text] for text in texts],
        "term": texts,
        "one": ["Zyxomarq"],
        "other": ["budget"],
        "limit": [50],
        "n": [20],
        "scope": scopes,
        "vector": [vector],
        "layer": ["chunks", "atoms", "sections", "documents"],
        "node": everything,
        "seeds": [dict.fromkeys(everything, 1.0)],
        "damping": [0.8],
        "weights": [None],
        "budget": [200],
        "tokens": [np.ones((2, 128), np.float32)],
        "generation": [0],
        "offset": [0],
        "parameters": [()],
        "sql": [f'SELECT * FROM "{name}"' for name in known["sql"]],
        "columns": [["zyxomarq_name", "part"]],
        "words": [["zyxomarq", "PN"], "zyxomarq"],
        "table": tables,
        "column": ["zyxomarq_name", "part"],
        "key": ["zyxomarq_name"],
        "name": ["image.png"],
        "path": [""],
        "collection": ["hr"],
        "run": hers,
        "before": hers,
        "after": [-1],
        "conversation": [*hers, None],
        "edits": [Edits()],
        "grouping": [None],
        "wanted": [RunFilter(), RunFilter(text="zyxomarq")],
        "effort": ["quick"],
        "page": [0],
        "boxes": [()],
        "width": [200],
        "phrases": [()],
        "job": known["jobs"],
        "digest": ["x"],
        "kind": ["factual"],
        "without": [()],
        "legs": [("keyword", "chunk", "atom")],
        "status": [None],
        "change": ["x"],
        "gap": ["x"],
        "number": [1],
        "least": [1],
        "difference": ["x"],
        "target": ["answer"],
        "feedback": [Feedback(run=place.run, target="answer", verdict="right")],
        "pairs": [()],
        "title": ["x"],
        "on": [True],
        "timeout": [60],
        "level": [None],
        "strategy": ["auto"],
        "roles": [()],
    }


def calls(method: object, given: dict[str, list[object]], most: int = 400) -> Iterator[dict[str, object]]:
    """Yield arguments for a method: all combinations of the candidates, up to so many."""
    names = [
        p
        for p in inspect.signature(method).parameters.values()
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    choices = [given[p.name] for p in names]
    for values in itertools.islice(itertools.product(*choices), most):
        yield dict(zip((p.name for p in names), values, strict=True))


def replies(method: object, given: dict[str, list[object]]) -> Iterator[tuple[dict[str, object], str]]:
    """Yield what each call says; a known error counts with its words."""
    for arguments in calls(method, given):
        try:
            yield arguments, serialised(method(**arguments))
        except (StrataError, TimeoutError, KeyError, ValueError, TypeError, AttributeError) as error:
            yield arguments, f"{error} {getattr(error, 'hint', '')}"


LEFT_OUT = {  # they change things, or wait
    "check_model",
    "choose_role",
    "reusable_vectors",
    "close",
    "share",
    "rename",
    "delete_conversation",
    "drop_model",
    "compact",
    "pull",
    "learn_words",
    "keep_pairs",
    "keep_classes",
    "wait",
    "cancel",
    "cancel_all",
    "move_to_trash",
    "restore_from_trash",
    "delete_permanently",
    "dismiss",
}
NOT_CALLED = {"contents", "path", "mappings", "reembedding", "upload", "add_demo", "ask", "rerun"}


def reveals(arguments: dict[str, object], words: str) -> bool:
    """Say whether a reply holds what the one who asked did not say."""
    asked = MARK in serialised(arguments).lower()
    for value in arguments.values():
        words = words.replace(value, "") if isinstance(value, str) and value else words
    return bool(SECRET.search(words)) or (not asked and MARK in words.lower())
