"""Classes of tags from the corpus: made of its own terms, kept, given to the tags there are and to come."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.domain import Document, Passage
from core.errors import BudgetExceeded, LLMUnavailable, MalformedReply
from core.knowledge.base import KnowledgeBase
from core.learning.factor_sampling import PIECES_PER_CALL, DocumentArms, FactorReader
from core.learning.tag_classes import TagClassifier
from core.llm import prompting
from core.llm.builtin import BuiltinLLM
from core.llm.builtin.classify_tags import classify
from core.llm.fallback import FallbackLLM
from core.llm.ollama.client import OllamaLLM
from core.tasks import Classified, ClassifyTags, Enrich, FactorsNamed, NameFactors, PieceFactors, TagClass
from tests.doubles import ScriptedLLM
from tests.ingest.ingestion_parts import ingestion
from tests.ingest.test_ingestion import file, ingest
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble
from tests.ollama_protocol import Asked

TEXT = """# Harbour
## Boats
The pilot boat waits for the fishing boat. The ferry boat leaves. The pilot boat and the fishing boat return.
## Ropes
The mooring rope is wet. The anchor rope is dry. The mooring rope is coiled beside the anchor rope.
## More
The pilot boat, the fishing boat and the ferry boat lie beside the ferry boat. The tow rope is old.
The mooring rope, the anchor rope and the tow rope hang. The tow rope is cut.
"""


def kinds(terms: Sequence[str]):
    """Vectors by the last word of each term: boats on one side, ropes on the other."""
    import numpy as np

    sides = {"boat": (1.0, 0.05), "rope": (0.05, 1.0)}
    return np.array([sides.get(term.rpartition(" ")[2], (-1.0, -1.0)) for term in terms], np.float32)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[KnowledgeBase]:
    into = ingestion(tmp_path / "library")
    ingest(into, file(tmp_path, "harbour.md", TEXT))
    yield into.knowledge
    into.knowledge.close()


def search(library: KnowledgeBase):
    def found(text: str, most: int) -> list[Passage]:
        (document,) = library.documents()
        assert isinstance(document, Document)
        chunks = [chunk for chunk in library.chunks(document.id) if "coiled" in chunk.text]
        return [Passage(chunk=chunk, document_title="", query=text, score=1.0) for chunk in chunks][:most]

    return found


def test_without_a_model_terms_that_lie_close_are_a_class_named_by_the_most_central() -> None:
    terms = ("pilot boat", "fishing boat", "ferry boat", "tow rope", "anchor rope", "mooring rope", "alone")
    found = classify(ClassifyTags(terms=terms), kinds)
    assert {frozenset(each.terms) for each in found.classes} == {frozenset(terms[:3]), frozenset(terms[3:6])}
    assert all(each.name in each.terms for each in found.classes)
    assert classify(ClassifyTags(terms=terms), None).classes == ()
    assert classify(ClassifyTags(terms=terms, most=1), kinds).classes == found.classes[:1]


def test_names_clauses_and_what_only_repeated_lines_say_are_no_terms(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    cover = "Confidential draft prepared for the harbour office review board of the northern district."
    for n, place in enumerate(("quay", "ferry", "crane", "shed", "dock", "pier")):
        rope = (
            f"The mooring rope of Jonas Weber hangs at the {place}. Aiko Tanaka wants a mooring rope there."
        )
        own = f"# Sheet of the {place}\n\n{cover}\n\n{rope} Jonas Weber dredges the {place} for Aiko Tanaka."
        ingest(into, file(tmp_path, f"sheet{n}.md", own))
    held = into.knowledge
    tags = {name for _, name, times in held.tag_counts() if times > 1}
    assert {"Jonas Weber", "northern district", "mooring rope"} <= tags, tags
    terms = TagClassifier(held, BuiltinLLM(), search(held)).factors((), {})
    assert "mooring rope" in terms
    assert not {"Jonas Weber", "Aiko Tanaka", "northern district"} & set(terms), terms
    held.close()


def test_classes_are_made_of_the_librarys_terms_and_given_to_the_tags_there_are(library) -> None:
    def sort(task: ClassifyTags) -> Classified:
        boats = [term for term in task.terms if term.endswith("boat")]
        stray = TagClass(name="few", terms=("anchor rope", "made up", "unknown"))
        return Classified(classes=(TagClass(name=" craft ", terms=(*boats, "submarine", boats[0])), stray))

    before = library.generation()
    made = TagClassifier(library, ScriptedLLM(sort), search(library)).learn()
    assert [each.name for each in made] == ["craft"]
    assert "submarine" not in made[0].terms and len(set(made[0].terms)) == len(made[0].terms) >= 3
    assert {tag.tag_class for tag in library.tags() if tag.name in made[0].terms} == {"craft"}
    assert library.enrichment.classes() == made
    assert library.generation() > before
    assert library.check() == []


def test_tags_of_what_answers_the_samples_come_first(library) -> None:
    asked = ScriptedLLM(Classified())
    learner = TagClassifier(library, asked, search(library))
    learner.learn([("What holds a ship?", "The mooring rope.")])
    learner.learn()
    led, plain = (task.terms for task in asked.asked)
    answering = {tag.name for tag in library.tags() if "rope" in tag.name}
    assert led[0] in answering and set(plain) <= set(led)
    assert not any(char.isdigit() for term in led for char in term)


def test_where_the_server_is_away_the_rules_make_the_classes(library) -> None:
    llm = FallbackLLM(
        ScriptedLLM(LLMUnavailable("away")), BuiltinLLM(SimpleNamespace(embed=kinds)), cooldown=0.0
    )
    made = TagClassifier(library, llm, search(library)).learn()
    assert {term.rpartition(" ")[2] for each in made for term in each.terms} <= {"boat", "rope"} and made


def test_over_the_wire_the_same_classes_are_made(library) -> None:
    rules = BuiltinLLM(SimpleNamespace(embed=kinds))
    with OllamaDouble(StrataBrain(rules)) as double:
        made = TagClassifier(library, OllamaLLM(double.host), search(library)).learn()
        assert len(double.chats()) == 1
    assert made and made == TagClassifier(library, rules, search(library)).learn()


def test_over_the_wire_factors_named_in_sampled_chunks_are_generalised_and_tag_these_chunks(library) -> None:
    factors: list[list[str]] = []

    def brain(asked: Asked) -> str:
        if "key factors of each" in asked.system:
            assert asked.user.count("<<<piece") <= PIECES_PER_CALL
            factors_named = [
                "Tow Rope",
                "mooring rope",
                "old rope",
                "pilot boat",
                "the rope of 1912",
                "submarine",
            ]
            factors.append(factors_named)
            numbers = re.findall(r"<<<piece (\d+)", asked.user)
            return json.dumps({"pieces": [{"n": int(n), "factors": factors_named} for n in [*numbers, 99]]})
        terms = ["tow rope", "mooring rope", "old rope", "submarine"]
        ropes = {"name": "tackle", "description": "what holds a ship", "terms": terms}
        return json.dumps({"classes": [ropes]})

    with OllamaDouble(brain) as double:
        llm = OllamaLLM(double.host)
        (made,) = TagClassifier(library, llm, search(library), namer=lambda: llm).learn()
        asked = [chat["messages"][-1]["content"] for chat in double.chats()]
    assert len(asked) == len(factors) + 1 and "submarine" not in asked[-1]
    assert made == TagClass(
        name="tackle", terms=("Tow Rope", "mooring rope", "old rope"), description="what holds a ship"
    )
    named = library.enrichment.factors()
    texts = {chunk.id: chunk.text.lower() for chunk in library.chunks(ids=list(named))}
    factors_named = [
        (word, texts[chunk]) for chunk, terms in named.items() for word in " ".join(terms).lower().split()
    ]
    assert factors_named and all(word in text for word, text in factors_named)
    tagged = {(tag.chunk_id, tag.name.lower()) for tag in library.tags() if tag.tag_class == "tackle"}
    own = {term.lower() for term in made.terms}
    assert {(c, t.lower()) for c, terms in named.items() for t in terms if t.lower() in own} <= tagged
    assert "old rope" in {name for _, name in tagged}  # which no rule had given
    assert library.check() == []
    task = Enrich(title="Harbour", classes=library.enrichment.classes())
    assert "- tackle: Tow Rope; mooring rope; old rope | what holds a ship" in prompting.fill(task).user


def test_chunks_that_were_not_read_are_tagged_by_the_factors_they_say_word_by_word(tmp_path: Path) -> None:
    into = ingestion(tmp_path / "library")
    factors_named = {
        "read.md": "The keeper coils the stern line at dusk, and the spring line and the head line.",
        "says.md": "Two stern lines lie on the pier.",
        "apart.md": "The line is drawn by hand; behind it the stern of the ferry is white.",
    }
    for name, text in factors_named.items():
        ingest(into, file(tmp_path, name, f"# Pier\n\n{text} {'Nothing more is known of the day. ' * 8}\n"))
    names = {document.id: document.name for document in into.knowledge.documents()}

    def name_factors(task: NameFactors) -> FactorsNamed:
        lines = ("stern line", "spring line", "head line")
        return FactorsNamed(
            pieces=tuple(PieceFactors(n=p.n, factors=lines) for p in task.pieces if "keeper" in p.text)
        )

    def sort(task: ClassifyTags) -> Classified:
        return Classified(
            classes=(TagClass(name="tackle", terms=("stern line", "spring line", "head line")),)
        )

    llm = ScriptedLLM(name_factors, sort)
    TagClassifier(into.knowledge, llm, lambda text, most: [], namer=lambda: llm).learn()
    tagged = {
        names[chunk.document_id]
        for tag in into.knowledge.tags()
        for chunk in into.knowledge.chunks(ids=[tag.chunk_id])
        if tag.name == "stern line" and tag.tag_class == "tackle"
    }
    assert tagged == {"read.md", "says.md"}
    into.knowledge.close()


def test_a_document_whose_chunks_name_more_that_is_new_is_read_again_before_one_that_is_unread() -> None:
    arms = DocumentArms()
    assert [arms.draw("abc"), arms.draw("abc")] == ["a", "b"]
    arms.reward("a", 0.1)
    arms.reward("b", 1.0)
    assert arms.draw("abc") == "b"
    for _ in range(20):
        arms.reward("b", 0.0)
    assert "b" not in {arms.draw("abc") for _ in range(6)}


def test_what_was_named_stays_where_the_budget_ends_and_a_broken_reply_costs_its_chunks_only(library) -> None:
    def factors_named(task: NameFactors) -> FactorsNamed:
        named = [PieceFactors(n=piece.n, factors=("mooring rope", "缆绳")) for piece in task.pieces]
        return FactorsNamed(pieces=tuple(named))

    broken = ScriptedLLM(MalformedReply("no JSON"), factors_named)
    assert FactorReader(library, broken).read() == {}
    assert len(broken.asked) == 1  # the library's few chunks are one call
    first = [chunk.id for (document,) in [library.documents()] for chunk in library.chunks(document.id)][-1:]
    found = FactorReader(library, ScriptedLLM(factors_named)).read(first)
    assert next(iter(found)) == first[0]
    assert set(found.values()) <= {("mooring rope",), ()}
    for end in (LLMUnavailable("away"), BudgetExceeded("used up")):
        assert FactorReader(library, ScriptedLLM(end)).read() == {}
