"""From file to library: known or read, visible, distilled, changed, gone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import DamagedFile, EmptyFile, ParseError, UnsupportedFormat
from core.ingest.embedding import Batch, embed, shortened
from core.ingest.file_outcome import FileOutcome, Stage, refusal
from core.ingest.ingestion import Ingestion
from core.ingest.sandbox import parse_in_worker
from core.llm.encoders.embedders import PackagedEmbedder
from tests.ingest.ingestion_parts import WordEmbedder, ingestion, inventory
from tests.making import nothing_left

NOTE = """# Pump log
## Monday
The dry pump of ETCH-03 was replaced by Jonas Weber. See SOP-ETCH-012 for the procedure.
## Tuesday
The electrostatic chuck (ESC) leaked helium. The ESC was cleaned.
"""


@pytest.fixture
def into(tmp_path: Path) -> Iterator[Ingestion]:
    made = ingestion(tmp_path / "library")
    yield made
    made.knowledge.close()


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ingest(into: Ingestion, path: Path, collection: str = "default") -> tuple[list[Stage], FileOutcome]:
    stages: list[Stage] = []
    work = into.ingest(path, collection=collection)
    while True:
        try:
            stages.append(next(work))
        except StopIteration as stop:
            return stages, stop.value


def test_a_file_passes_all_stages_and_is_found_by_its_words(into: Ingestion, tmp_path: Path) -> None:
    stages, outcome = ingest(into, file(tmp_path, "log.md", NOTE))
    assert [s.name for s in stages if s.done == s.total] == ["parse", "chunk", "embed", "enrich"]
    assert outcome.outcome == "read"
    assert outcome.counts["chunks"] == 2
    assert outcome.counts["entities"] > 0
    hit = into.knowledge.keyword("helium leak", 1)[0]
    chunk = into.knowledge.chunks(ids=[hit.id])[0]
    assert chunk.heading_path == ("Pump log", "Tuesday")
    assert into.knowledge.original(outcome.document_id) is not None
    assert into.knowledge.document(outcome.document_id).summary


def test_the_same_file_twice_is_known_and_changes_nothing(into: Ingestion, tmp_path: Path) -> None:
    path = file(tmp_path, "log.md", NOTE)
    ingest(into, path)
    before = inventory(into.knowledge)
    _, outcome = ingest(into, path)
    assert outcome.outcome == "known"
    assert "already in the library" in outcome.reason
    assert inventory(into.knowledge) == before


def test_the_same_bytes_at_another_path_are_another_entry_of_one_document(
    into: Ingestion, tmp_path: Path
) -> None:
    first = file(tmp_path, "log.md", NOTE)
    ingest(into, first)
    counts = into.knowledge.counts()
    _, outcome = ingest(into, file(tmp_path, "copy/log2.md", NOTE))
    assert outcome.outcome == "known"
    assert str(first) in outcome.reason
    assert into.knowledge.counts() == counts
    assert len(into.knowledge.entries(outcome.document_id)) == 2


def test_a_changed_file_takes_the_place_of_its_older_version(into: Ingestion, tmp_path: Path) -> None:
    path = file(tmp_path, "log.md", NOTE)
    _, old = ingest(into, path)
    _, new = ingest(into, file(tmp_path, "log.md", NOTE.replace("helium", "argon")))
    assert [d.id for d in into.knowledge.documents()] == [new.document_id] != [old.document_id]
    assert into.knowledge.keyword("helium", 5) == []
    assert into.knowledge.original(old.document_id) is None
    assert into.knowledge.check() == []


def test_bringing_in_and_taking_out_leaves_nothing(into: Ingestion, tmp_path: Path) -> None:
    empty = inventory(into.knowledge)
    _, outcome = ingest(into, file(tmp_path, "log.md", NOTE))
    assert nothing_left(into.knowledge.remove(outcome.document_id))
    assert inventory(into.knowledge) == empty


def test_a_document_that_comes_later_answers_open_references(into: Ingestion, tmp_path: Path) -> None:
    _, log = ingest(into, file(tmp_path, "log.md", NOTE))
    _, sop = ingest(
        into, file(tmp_path, "SOP-ETCH-012-pump.md", "# SOP-ETCH-012 Pump change\nStop the pump.")
    )
    targets = {r.target_id for r in into.knowledge.references(log.document_id) if r.text == "SOP-ETCH-012"}
    assert targets == {sop.document_id}


@pytest.mark.parametrize("cited_first", [True, False])
def test_a_citation_points_to_the_document_its_entry_names_by_title_or_doi(
    into: Ingestion, tmp_path: Path, cited_first: bool
) -> None:
    citing = file(
        tmp_path,
        "survey.md",
        "# Survey\n## Wear\nPads wear [1]. Slurries age, see https://doi.org/10.1109/TSM.2019.291 and"
        " [its page](https://doi.org/10.1109/TSM.2019.291).\n"
        "## References\n[1] J. Smith, Pad wear under load, 2019.\n",
    )
    cited = [
        file(tmp_path, "a1.md", "# Pad wear under load\nPads lose 2 µm an hour.\n"),
        file(tmp_path, "a2.md", "# On slurries\ndoi: 10.1109/TSM.2019.291\n\nThey age within weeks.\n"),
    ]
    for path in [*cited, citing] if cited_first else [citing, *cited]:
        ingest(into, path)
    knowledge = into.knowledge
    ids = {document.name: document.id for document in knowledge.documents()}
    found = {(r.kind, r.text): r for r in knowledge.references(ids["survey.md"])}
    numbered = found["citation", "J. Smith, Pad wear under load, 2019."]
    assert numbered.target_id == ids["a1.md"]
    assert knowledge.chunks(ids=[numbered.chunk_id])[0].heading_path[-1] == "Wear"
    assert found["citation", "10.1109/TSM.2019.291"].target_id == ids["a2.md"]
    assert found["link", "https://doi.org/10.1109/TSM.2019.291"].target_id == ids["a2.md"]
    knowledge.remove(ids["a1.md"])
    open_again = {(r.kind, r.text): r.target_id for r in knowledge.references(ids["survey.md"])}
    assert open_again["citation", "J. Smith, Pad wear under load, 2019."] is None


def test_a_passage_leads_to_the_passage_whose_heading_it_mentions(into: Ingestion, tmp_path: Path) -> None:
    text = (
        "# Green Harbour\nA film directed by Anna Lindqvist.\n# Anna Lindqvist\nShe was born in Malmö.\n"
        "# Malmö\nA city by the sea.\n"
    )
    _, outcome = ingest(into, file(tmp_path, "c.md", text))
    knowledge = into.knowledge
    chunks = {c.heading_path[-1]: c.id for c in knowledge.chunks(outcome.document_id)}
    for mentioning, heading in (("Green Harbour", "Anna Lindqvist"), ("Anna Lindqvist", "Malmö")):
        entity = next(e for e in knowledge.entities(named=heading) if e.name == heading)
        assert {chunks[mentioning], chunks[heading]} <= set(knowledge.mentions(entity.id))


def test_a_short_form_is_understood_whichever_document_explains_it(into: Ingestion, tmp_path: Path) -> None:
    first = into.parse_and_chunk(
        file(tmp_path, "a.md", "The ESC leaks. Clean the ESC."), "a.md", "x", lambda s: None
    )
    other = into.parse_and_chunk(file(tmp_path, "b.md", NOTE), "b.md", "x", lambda s: None)
    assert not isinstance(first, FileOutcome) and not isinstance(other, FileOutcome)
    into.embed([first, other], lambda *_: None)
    into.store([first, other])
    for ready in (first, other):
        for _ in into.enrich(ready.document.id):
            pass
    chunk = first.cut.chunks[0].id
    assert "electrostatic chuck" in {e.name.lower() for e in into.knowledge.entities(chunk_id=chunk)}


def test_headings_of_a_removed_document_are_no_longer_referred_to(into: Ingestion, tmp_path: Path) -> None:
    _, rules = ingest(into, file(tmp_path, "rules.md", "# Wafer handling rules\nUse the wand."))
    _, first = ingest(into, file(tmp_path, "a.md", "# A\nFollow the Wafer handling rules."))
    assert {r.target_id for r in into.knowledge.references(first.document_id)} == {rules.document_id}
    into.knowledge.remove(rules.document_id)
    _, later = ingest(into, file(tmp_path, "b.md", "# B\nAgain the Wafer handling rules hold."))
    assert into.knowledge.references(later.document_id) == []


def test_many_small_files_share_their_batches(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    into = ingestion(tmp_path / "library", embedder)
    paths = [file(tmp_path, f"{n}.md", f"# Note {n}\nPump {n} runs.") for n in range(40)]
    ready = [into.parse_and_chunk(path, path.name, "x", lambda s: None) for path in paths]
    into.embed([each for each in ready if not isinstance(each, FileOutcome)], lambda *_: None)
    assert embedder.sizes == [40]
    into.knowledge.close()


def test_files_that_cannot_be_read_say_why_and_what_to_do(into: Ingestion, tmp_path: Path) -> None:
    for name, text, kind in (("empty.txt", "", EmptyFile), ("blank.txt", "  \n ", EmptyFile)):
        with pytest.raises(kind) as caught:
            into.parse_and_chunk(file(tmp_path, name, text), name, "x", lambda s: None)
        assert name in str(caught.value)
    for kind in (UnsupportedFormat, DamagedFile):
        assert refusal(Path("x"), kind("no")).outcome == "refused"
    failed = refusal(Path("x"), ParseError("broken"))
    assert (failed.outcome, failed.hint) == ("failed", ParseError.hint)


def test_a_real_pdf_goes_in_through_a_worker_with_the_packaged_embedder(tmp_path: Path, fab: Path) -> None:
    embedder = PackagedEmbedder()
    into = ingestion(tmp_path / "library", embedder, parse=parse_in_worker)
    _, outcome = ingest(into, fab / "DR-2025-041-defect-report.pdf")
    chunks = into.knowledge.chunks(outcome.document_id)
    assert max(embedder.count(chunk.passage_text()) for chunk in chunks) <= 250
    assert any(chunk.location.page == 0 and chunk.location.boxes for chunk in chunks)
    best = into.knowledge.nearest(embedder.embed(["why were there so many particles?"])[0], "chunks", 1)[0]
    assert "particle" in into.knowledge.chunks(ids=[best.id])[0].text.lower()
    assert into.knowledge.late_interaction(
        (embedder.encode(["particles"]).tokens or ())[0], [chunks[0].id]
    ) != [None]
    into.knowledge.close()


# -- embedding -----------------------------------------------------------------------------


class _Enough(Exception):
    pass


def test_a_long_document_goes_on_where_its_vectors_were_interrupted(tmp_path: Path) -> None:
    texts = [f"passage number {n} " + "word " * (n % 17) for n in range(300)]
    embedder = WordEmbedder()
    lengths = embedder.count_many(texts)
    whole = Batch(texts, lengths, tmp_path / "whole.spool")
    embed([whole], embedder, 500, lambda i: None)
    calls = len(embedder.sizes)

    def enough(i: int) -> None:
        if len(embedder.sizes) >= calls + 3:
            raise _Enough

    torn = Batch(texts, lengths, tmp_path / "torn.spool")
    with pytest.raises(_Enough):
        embed([torn], embedder, 500, enough)
    with (tmp_path / "torn.spool").open("ab") as spool:
        spool.write(b"half a record")
    again = Batch(texts, lengths, tmp_path / "torn.spool")
    before = sum(embedder.sizes)
    embed([again], embedder, 500, lambda i: None)
    assert sum(embedder.sizes) - before < 300
    assert np.array_equal(again.vectors, whole.vectors)
    assert again.tokens is not None and whole.tokens is not None
    assert all(np.array_equal(a, b) for a, b in zip(again.tokens, whole.tokens, strict=True))


def test_short_documents_go_on_too_when_one_leaves_the_batch() -> None:
    embedder = WordEmbedder()
    batches = [Batch([f"doc {n} text {i}" for i in range(30)], list(range(30))) for n in range(3)]

    def leave(i: int) -> None:
        if batches[0].done > 10:
            raise _Enough

    with pytest.raises(_Enough):
        embed(batches, embedder, 60, leave)
    before = [batch.done for batch in batches[1:]]
    assert sum(before) > 0
    embedder.sizes.clear()
    embed(batches[1:], embedder, 60, lambda i: None)
    assert sum(embedder.sizes) == 60 - sum(before)
    assert all(batch.done == 30 for batch in batches[1:])


def test_texts_over_the_window_are_shortened_to_it() -> None:
    embedder = WordEmbedder()
    fitting = shortened(["short", "word " * 5000], embedder.count_many, 256)
    assert fitting[0] == "short"
    assert 100 < embedder.count(fitting[1]) <= 256


# -- folders -------------------------------------------------------------------------------


def test_a_question_the_rules_wrote_is_kept_without_a_vector_and_goes_with_its_document(
    tmp_path: Path,
) -> None:
    embedder = WordEmbedder()
    into = ingestion(tmp_path / "library", embedder)
    path = file(tmp_path, "log.md", "# Manual\n## Ring\nThe ring must be replaced every 400 RF hours.")
    outcome = ingest(into, path)[1]
    chunks = into.knowledge.chunks(outcome.document_id)
    asked = [atom for atom in into.knowledge.atoms([c.id for c in chunks]) if atom.kind == "question"]
    assert [atom.text for atom in asked] == ["How often must the ring be replaced?"]
    assert not [text for text in embedder.seen if text.endswith("?")]
    assert into.knowledge.check() == [] and into.knowledge.external.missing("atoms") == []
    into.knowledge.remove(outcome.document_id)
    assert into.knowledge.counts()["atoms"] == 0 and into.knowledge.check() == []
    into.knowledge.close()


def test_codes_of_a_column_are_not_short_forms_another_document_explains(
    into: Ingestion, tmp_path: Path
) -> None:
    ingest(into, file(tmp_path, "b.md", "Files with protected health information (PHI) are locked away.\n"))
    _, cups = ingest(into, file(tmp_path, "cups.csv", "Team,Location\nBlues,STL\nFlyers,PHI\nLeafs,TOR\n"))
    held = into.knowledge.chunks(cups.document_id)
    named = {one.name for chunk in held for one in into.knowledge.entities(chunk_id=chunk.id)}
    assert {"STL", "PHI", "TOR"} <= named
