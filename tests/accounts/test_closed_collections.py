"""Nothing of a closed collection is seen by those it is closed to: by no method of any door, whatever it is
given, and by no count. Conversations belong to those who had them."""

import inspect
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel

from core.accounts.account_file import AccountFile
from core.accounts.person import Person
from core.assistant import Admin, Assistant, Learning, Library, Questions
from core.assistant.rights import RULES
from core.bootstrap import build
from core.domain import Edits, Feedback, Scope
from core.errors import NotAllowed, NotFound, QueryError, StrataError
from core.knowledge.search.searcher import Searcher
from core.knowledge.stores.records import RunFilter
from core.settings import Settings, StoreSettings

MARK = "zyxomarq"  # stands in the closed collection alone: title, file name, text, table, names, tags
OPEN = {
    "pump.md": "# Pump PE-300\n\nThe pump PE-300 moves 40 litres a minute. "
    "Mei Tanaka maintains the PE-300.\n\n"
    "## Service\n\nThe PE-300 is serviced each spring by Mei Tanaka in Dresden.\n",
    "parts.csv": "part,weeks\nPN-1,14\nPN-2,9\nPN-3,21\n",
}
CLOSED = {
    "zyxomarq plan.md": "# Project Zyxomarq\n\nThe pump PE-300 (Zyxomarq) is to be sold to "
    "Zyxomarq Holding for 7 million euros. Mei Tanaka leads Project Zyxomarq in Dresden.\n\n"
    "## Zyxomarq budget\n\nThe budget of Project Zyxomarq is 912 thousand euros. See Pump PE-300.\n",
    "zyxomarq pay.csv": "zyxomarq_name,salary\nZyxomarq One,5000\nZyxomarq Two,7000\nZyxomarq Three,9000\n",
}
SECRET = re.compile(r"\b(912|5000|7000|9000|7 million|holding|euros|plan\.md|pay\.csv)\b", re.I)
Q = "What is the budget of Project Zyxomarq?"


@dataclass
class Place:
    """The library, who uses it, and what is known of the closed collection from inside."""

    whole: Assistant
    anna: Assistant  # in the group
    rita: Assistant  # not in it
    run: str
    known: dict[str, list[str]]


def ingested(assistant: Assistant, folder: Path, files: dict[str, str], collection: str) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    jobs = assistant.library.ingest([folder], collection)
    assert all(job.outcome in ("read", "known") for job in assistant.library.queue.wait(jobs))


def other_name(assistant: Assistant, name: str, other: str) -> None:
    """Let a thing go by another name, as a model that read the closed collection would have it."""
    with assistant.library.knowledge.database.writing() as connection:
        held = connection.execute("SELECT id FROM entities WHERE name = ?", (name,)).fetchone()[0]
        connection.execute(
            "INSERT INTO entity_names (entity_id, name, key) VALUES (?, ?, ?)", (held, other, other.lower())
        )
        connection.execute("UPDATE entities SET aliases = ? WHERE id = ?", (f'["{other}"]', held))


def ask(assistant: Assistant, question: str, **more: object) -> str:
    run = assistant.questions.ask(question, **more)
    assistant.questions.wait(run, 120)
    return run


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("closed")
    built = build(Settings(store=StoreSettings(path=folder / "data")), warm=False)
    ingested(built, folder / "open", OPEN, "default")
    ingested(built, folder / "closed", CLOSED, "hr")
    other_name(built, "Mei Tanaka", "Agent Zyxomarq")
    file = AccountFile(folder / "data")
    file.add("anna", "admin", "correct horse battery", ["hr"])
    file.add("rita", "admin", "correct horse battery")
    file.close_collection("hr", ["hr"])
    anna, rita = (built.of(file.book().person(name) or Person()) for name in ("anna", "rita"))
    run = ask(anna, Q)
    report = anna.questions.run(run).report
    assert report is not None and "912" in report.answer, report
    anna.learning.give_feedback(Feedback(run=run, target="answer", verdict="right"))
    anna.questions.share(anna.questions.run(run).conversation)
    contents = built.library.contents
    documents = [document.id for document in contents.documents()]
    chunks = [chunk.id for document in documents for chunk in contents.chunks(document)]
    known = {
        "documents": documents,
        "chunks": chunks,
        "sections": [section.id for document in documents for section in contents.sections(document)],
        "atoms": [atom.id for atom in contents.atoms(chunks)],
        "entities": [entity.id for entity in contents.entities(limit=1000)],
        "tables": [table.id for table in contents.tables()],
        "sql": [table.sql_name for table in contents.tables()],
        "jobs": [job.id for job in built.library.jobs()],
        "tags": [f"tag:{tag.tag_class}:{tag.name}" for tag in contents.tags()],
    }
    yield Place(built, anna, rita, run, known)
    built.close()


def said(value: object) -> str:
    """Return all that a value says, to whoever looks into it."""
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if isinstance(value, pd.DataFrame):
        return value.to_csv()
    if isinstance(value, np.ndarray):
        return str(value.shape)
    if isinstance(value, dict):
        return " ".join(f"{said(k)} {said(v)}" for k, v in value.items())
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Path):
        return value.name if value.is_file() else ""
    if is_dataclass(value) and not isinstance(value, type):
        return " ".join(said(getattr(value, each.name)) for each in fields(value))
    if hasattr(value, "__iter__"):
        return " ".join(said(each) for each in value)
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
        "phrase": texts,
        "line": texts,
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


def hears(method: object, given: dict[str, list[object]]) -> Iterator[tuple[dict[str, object], str]]:
    """Yield what each call says; a known error counts with its words."""
    for arguments in calls(method, given):
        try:
            yield arguments, said(method(**arguments))
        except (StrataError, TimeoutError, KeyError, ValueError, TypeError, AttributeError) as error:
            yield arguments, f"{error} {getattr(error, 'hint', '')}"


LEFT_OUT = {  # they change things, or wait
    "check_model",
    "legacy",
    "close",
    "share",
    "rename",
    "forget",
    "drop_model",
    "compact",
    "pull",
    "learn_words",
    "wait",
    "remove",
    "cancel",
    "discard",
    "dismiss",
}
NOT_CALLED = {"contents", "path", "mappings", "reembedding", "upload", "ask", "rerun"}


def tells(arguments: dict[str, object], words: str) -> bool:
    """Say whether a reply holds what the one who asked did not say."""
    asked = MARK in said(arguments).lower()
    for value in arguments.values():
        words = words.replace(value, "") if isinstance(value, str) and value else words
    return bool(SECRET.search(words)) or (not asked and MARK in words.lower())


def test_no_method_of_the_contents_says_a_word_of_it(place):
    given, heard = candidates(place), 0
    contents = place.rita.library.contents
    for name, method in inspect.getmembers(contents, inspect.ismethod):
        if hasattr(Searcher, name) and not name.startswith("_") and name not in LEFT_OUT:
            for arguments, words in hears(method, given):
                assert not tells(arguments, words), (name, arguments, words[:600])
                heard += 1
    assert heard > 300


def test_no_method_of_a_door_says_a_word_of_it(place):
    given, heard = candidates(place), 0
    for door, rules in RULES.items():
        for name in sorted(rules.keys() - LEFT_OUT - NOT_CALLED):
            try:
                method = getattr(getattr(place.rita, door), name)
            except NotAllowed:
                continue  # about the whole library
            for arguments, words in hears(method, given):
                assert not tells(arguments, words), (door, name, arguments, words[:600])
                heard += 1
    assert heard > 60
    for document in place.known["documents"]:
        if document not in {each.id for each in place.rita.library.contents.documents()}:
            with pytest.raises(NotFound):
                place.rita.library.remove(document)
    for job in {job.id for job in place.whole.library.jobs()} - {job.id for job in place.rita.library.jobs()}:
        with pytest.raises(NotFound):
            place.rita.library.cancel(job)


def test_each_method_of_a_door_has_its_rule():
    """What has none is for the terminal: methods that name paths of this machine, and the parts of a door."""
    left = {
        door: {n for n in vars(kind) if not n.startswith("_")}
        - RULES[door].keys()
        - set(kind.__annotations__)
        for door, kind in (
            ("library", Library),
            ("questions", Questions),
            ("learning", Learning),
            ("admin", Admin),
        )
    }
    assert left == {
        "library": {"ingest", "watch", "close"},
        "questions": {"close"},
        "learning": {"close"},
        "admin": set(),
    }


@pytest.mark.parametrize(
    "question",
    [
        Q,
        "Who leads Project Zyxomarq?",
        "What is the salary of Zyxomarq Two?",
        "Who is to buy the pump PE-300?",
        "What does the library hold on money?",
        "How many documents are there?",
        "Average salary by name?",
    ],
)
@pytest.mark.parametrize("effort", ["quick", "thorough"])
def test_no_question_gets_it_out(place, question, effort):
    for scope in (Scope(), Scope(collections=("hr",)), Scope(documents=tuple(place.known["documents"]))):
        run = ask(place.rita, question, scope=scope, effort=effort)
        told = " ".join(said(event) for event in place.rita.questions.events(run)).lower()
        told += (
            place.rita.questions.export_markdown(run).lower() + place.rita.questions.export_html(run).lower()
        )
        for word in ("912", "5000", "7000", "holding", "7 million", "hr"):
            assert f" {word} " not in told, (word, told[:2000])
        report = place.rita.questions.run(run).report
        shown = {passage.chunk.document_id for passage in report.passages}
        assert shown <= {document.id for document in place.rita.library.contents.documents()}


def test_counts_are_those_of_a_library_without_it(place, tmp_path):
    alone = build(Settings(store=StoreSettings(path=tmp_path / "data")), warm=False)
    try:
        ingested(alone, tmp_path / "open", OPEN, "default")
        here, there = place.rita.library.contents, alone.library.contents
        assert here.counts() == there.counts()
        assert here.counts(Scope(collections=("hr",))) == dict.fromkeys(there.counts(), 0)
        assert sorted(here.titles().values()) == sorted(there.titles().values())
        assert here.tag_counts() == there.tag_counts() and here.collections() == there.collections()
        names = [sorted((e.name, e.aliases) for e in each.entities(limit=1000)) for each in (here, there)]
        assert names[0] == names[1]
        for question in (Q, "Who is Mei Tanaka?", "What is Zyxomarq Holding?"):
            readings = [said(each.questions.read(question)) for each in (place.rita, alone)]
            assert readings[0] == readings[1], "what is known of a name tells of the rest"
        for text in ("pump PE-300", "Mei Tanaka", "Zyxomarq"):
            scores = [[round(hit.score, 6) for hit in each.keyword(text, 20)] for each in (here, there)]
            assert scores[0] == scores[1], "the weight of a word tells of the rest"
        assert place.rita.library.coming() == 0 and len(place.rita.library.jobs()) == len(
            alone.library.jobs()
        )
        assert place.rita.admin.health().counts == there.counts()
    finally:
        alone.close()


def test_who_is_in_the_group_sees_it(place):
    assert len(place.anna.library.contents.documents()) == 4 > len(place.rita.library.contents.documents())
    assert place.anna.questions.run(place.run).report is not None
    assert place.anna.learning.verified(Q) is not None and place.rita.learning.verified(Q) is None


def test_conversations_are_seen_by_their_own_person_alone(place):
    run = ask(place.rita, "Who maintains the pump PE-300?")
    conversation = place.rita.questions.run(run).conversation
    for act in (
        lambda: place.anna.questions.run(run),
        lambda: place.anna.questions.rerun(run, Edits()),
        lambda: place.anna.questions.export_html(run),
        lambda: place.anna.questions.title(conversation),
        lambda: place.anna.questions.rename(conversation, "mine"),
        lambda: place.anna.questions.forget(conversation),
        lambda: place.anna.questions.share(conversation),
    ):
        with pytest.raises(NotFound):
            act()
    assert place.anna.questions.events(run) == []
    assert run not in {each.id for each in place.anna.questions.runs(limit=500)}
    mine = ask(place.anna, "Who maintains it?", conversation=conversation)
    assert place.anna.questions.run(mine).conversation != conversation
    place.rita.questions.share(conversation)
    assert place.anna.questions.run(run).report is not None
    with pytest.raises(NotFound):
        place.anna.questions.forget(conversation)
    place.rita.questions.share(conversation, False)
    with pytest.raises(NotFound):
        place.anna.questions.run(run)


def test_a_shared_conversation_stays_closed_with_what_it_could_see(place):
    assert place.anna.questions.shared(place.anna.questions.run(place.run).conversation)
    with pytest.raises(NotFound):
        place.rita.questions.run(place.run)


def test_a_document_in_two_collections_stays_in_the_closed_one(place, tmp_path):
    text = "# Canteen\n\nThe canteen opens at noon.\n"
    for collection in ("hr", "default"):
        ingested(place.whole, tmp_path / collection, {f"{collection}.md": text}, collection)
    held = next(d for d in place.rita.library.contents.documents() if d.title == "Canteen")
    assert [entry.collection for entry in place.rita.library.contents.entries(held.id)] == ["default"]
    assert place.rita.library.contents.keyword("canteen", 5), "it came into sight by its second path"
    place.rita.library.remove(held.id)
    with pytest.raises(NotFound):
        place.rita.library.contents.document(held.id)
    assert place.anna.library.contents.document(held.id).title == "Canteen"


def test_a_query_reaches_no_table_of_it(place):
    for name in place.known["sql"]:
        table = next(t for t in place.whole.library.contents.tables() if t.sql_name == name)
        if "zyxo" in str(table.columns).lower():
            with pytest.raises(QueryError):
                place.rita.library.contents.query(f'SELECT * FROM "{name}"')
