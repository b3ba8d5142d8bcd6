"""Nothing of a closed collection is seen by those it is closed to: by no method of any door, whatever it is
given, and by no count. Conversations belong to those who had them."""

import inspect

import pytest

from core.assistant import Admin, Assistant, Learning, Library, Questions
from core.assistant.rights import RULES
from core.bootstrap import build
from core.domain import Edits, Scope
from core.errors import NotAllowed, NotFound, QueryError
from core.knowledge.search.searcher import Searcher
from core.settings import Settings, StoreSettings
from tests.accounts.closed_library import OPEN, Q, ask, ingested
from tests.accounts.curious_calls import LEFT_OUT, NOT_CALLED, candidates, replies, reveals, serialised


def test_no_method_of_the_contents_says_a_word_of_it(place):
    given, checked = candidates(place), 0
    contents = place.rita.library.contents
    for name, method in inspect.getmembers(contents, inspect.ismethod):
        if hasattr(Searcher, name) and not name.startswith("_") and name not in LEFT_OUT:
            for arguments, words in replies(method, given):
                assert not reveals(arguments, words), (name, arguments, words[:600])
                checked += 1
    assert checked > 300


def test_no_method_of_a_door_says_a_word_of_it(place):
    given, checked = candidates(place), 0
    for door, rules in RULES.items():
        for name in sorted(rules.keys() - LEFT_OUT - NOT_CALLED):
            try:
                method = getattr(getattr(place.rita, door), name)
            except NotAllowed:
                continue  # about the whole library
            for arguments, words in replies(method, given):
                assert not reveals(arguments, words), (door, name, arguments, words[:600])
                checked += 1
    assert checked > 60
    for document in place.known["documents"]:
        if document not in {each.id for each in place.rita.library.contents.documents()}:
            with pytest.raises(NotFound):
                place.rita.library.delete_permanently(document)
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
        "library": {"ingest", "watch", "wait", "enrich_again", "close"},
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
        events = " ".join(serialised(event) for event in place.rita.questions.events(run)).lower()
        events += (
            place.rita.questions.export_markdown(run).lower() + place.rita.questions.export_html(run).lower()
        )
        for word in ("912", "5000", "7000", "holding", "7 million", "hr"):
            assert f" {word} " not in events, (word, events[:2000])
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
        assert references(place.rita) == references(alone), "a title that the rest bears makes a reference"
        names = [sorted((e.name, e.aliases) for e in each.entities(limit=1000)) for each in (here, there)]
        assert names[0] == names[1]
        for question in (Q, "Who is Mei Tanaka?", "What is Zyxomarq Holding?"):
            readings = [serialised(each.questions.read(question)) for each in (place.rita, alone)]
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


def references(assistant: Assistant) -> list[tuple[str, str, str]]:
    """Return what the documents refer to: from which, by which words, to which."""
    held = assistant.library.contents
    titles = held.titles()
    return sorted(
        (title, each.text, titles.get(each.target_id or "", ""))
        for document, title in titles.items()
        for each in held.references(document)
    )


def test_who_is_in_the_group_sees_it(place):
    assert len(place.anna.library.contents.documents()) == 7 > len(place.rita.library.contents.documents())
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
        lambda: place.anna.questions.delete_conversation(conversation),
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
        place.anna.questions.delete_conversation(conversation)
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
    place.rita.library.delete_permanently(held.id)
    with pytest.raises(NotFound):
        place.rita.library.contents.document(held.id)
    assert place.anna.library.contents.document(held.id).title == "Canteen"


def test_a_query_reaches_no_table_of_it(place):
    for name in place.known["sql"]:
        table = next(t for t in place.whole.library.contents.tables() if t.sql_name == name)
        if "zyxo" in str(table.columns).lower():
            with pytest.raises(QueryError):
                place.rita.library.contents.query(f'SELECT * FROM "{name}"')
