"""The doctor on languages that the embedder does not read."""

from core.knowledge.base import KnowledgeBase
from core.work.checks.health import Doctor
from tests.knowledge.conftest import entry_of, make_document
from tests.text.test_english import ENGLISH, FRENCH

KOREAN = "매월 1일부터 말일까지 이용한 일시불 및 할부 이용금액을 기준으로 하며 임대매장은 제외한다."


def messages(library: KnowledgeBase, embedder: str, english_only: bool) -> list[tuple[str, str]]:
    doctor = Doctor(
        findings=tuple,
        counts=library.counts,
        texts=lambda: library.sample_texts(1000),
        server=None,
        roles=dict,
        embedder=lambda: embedder,
        english_only=lambda: english_only,
        indexing=tuple,
        reranker="none",
        settings=(),
        unknown=list,
        folder="",
    )
    return [(f.message, f.command) for f in doctor.check().findings if "not English" in f.message]


def test_much_that_the_embedder_cannot_read_is_told(tmp_path):
    with KnowledgeBase(tmp_path / "library", "test") as library:
        library.add(one := make_document("English", [f"{ENGLISH} {n}" for n in range(30)]), entry_of(one))
        library.add(one := make_document("一", [f"{KOREAN} {n}" for n in range(2)]), entry_of(one))
        assert messages(library, "all-MiniLM-L6-v2", english_only=True) == []
        library.add(one := make_document("二", [KOREAN, *(f"{FRENCH} {n}" for n in range(7))]), entry_of(one))
        ((message, command),) = messages(library, "all-MiniLM-L6-v2", english_only=True)
        assert "25%" in message and command == "ollama pull bge-m3"
        assert messages(library, "all-minilm", english_only=False) == []  # its embedder says, not its name
        assert len(messages(library, "english-by-another-name", english_only=True)) == 1
        assert len(library.sample_texts(4)) == 4
