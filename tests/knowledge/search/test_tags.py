"""Tags of different documents meet in whatever case they are written."""

from collections.abc import Callable

from core.domain import Distilled, Tag
from core.knowledge.base import IndexableDocument, KnowledgeBase


def test_tags_that_differ_in_case_only_are_one_called_as_most_chunks_have_it(
    library: KnowledgeBase, add: Callable[..., IndexableDocument]
) -> None:
    found = []
    for number, (name, of_class) in enumerate(
        [("DIA", "topic"), ("dia", "topic"), ("DIA", "topic"), ("dia", "alarm"), ("pump", "topic")]
    ):
        made = add(f"Log {number}", f"The pump of line {number} failed.")
        tag = Tag(chunk_id=made.chunks[0].id, name=name, tag_class=of_class)
        library.enrich(made.document.id, Distilled(tags=(tag,)), {})
        found.append(made.chunks[0].id)
    assert library.tag_counts() == [("topic", "DIA", 3), ("alarm", "dia", 1), ("topic", "pump", 1)]
    assert library.tagged(["DIA"]) == set(found[:4])
    assert library.tagged(["Dia", "none"]) == set(found[:4])
