"""A document is known by what its kind of file is called: "per the spreadsheet" says no word it must hold."""

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.retrieval.passage_details import PassageDetails
from core.text.file_kinds import kind_words


def test_a_passage_says_what_its_file_is_called(library: KnowledgeBase) -> None:
    document = library.documents()[0]
    chunk = library.chunks(document_id=document.id)[0]
    passage = Passage(chunk=chunk, document_title=document.title, query="", score=1.0)
    (found,) = PassageDetails(library).add("per that txt, xylophones", [passage])
    assert "txt" in found.document_words
    assert "xylophon" not in found.document_words


def test_kinds_are_known_by_how_the_media_type_begins() -> None:
    assert "spreadsheet" in kind_words("text/csv") & kind_words("application/vnd.ms-excel")
    assert "photo" in kind_words("image/jpeg")
    assert "photo" not in kind_words("text/csv")
    assert not kind_words("application/x-unknown")
