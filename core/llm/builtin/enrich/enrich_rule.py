"""The rule for Enrich: each piece's statements, questions, entities, relations, tags and summary."""

import re
from collections import Counter
from collections.abc import Sequence

from core.llm.builtin.enrich.entity_names import entity_names
from core.llm.builtin.enrich.relations import Triple, relations_of, relations_zh
from core.llm.builtin.enrich.statement_questions import questions_of, questions_zh
from core.llm.builtin.enrich.statements import SimpleStatement, noun_of, statements_of
from core.llm.builtin.enrich.tags import tags_of
from core.tasks import (
    Enrich,
    Enriched,
    EnrichedPiece,
    EntityDraft,
    FactorsNamed,
    NameFactors,
    PieceFactors,
    PieceFacts,
    RelationDraft,
    TagClass,
)
from core.text.central_sentences import central_sentences
from core.text.proper_names import is_code
from core.text.tokens import STOPWORDS_EN, detect_language, is_cjk
from core.text.word_lists import word_file, word_list

MOST_QUESTIONS = 6
MOST_ENTITIES = 30
MOST_RELATIONS = 20
_KIND_BEFORE = re.compile(r"\b(?:the|an?|of|by|each|this) ([a-z]{3,20}) $")
_WHEN = re.compile(
    r"\b(?:after|before|during|since|until|upon|following) (?:the|an?|each|this) \w+ $", re.IGNORECASE
)
_NO_KIND = STOPWORDS_EN | word_list("enrichment", "no_kind")
# who wrote what is cited: "(Chen et al., 2017; Lee and Ho, 2019)", "Ode & Wu (2020)"
_CITED = re.compile(
    r"\b[A-Z][\w'’-]+(?: et al\.?| (?:and|&) [A-Z][\w'’-]+),? \(?(?:19|20)\d\d[a-z]?\b"
    r"|\b[A-Z][\w'’-]+ et al\b"
)
_KIND_AFTER_LABEL = re.compile(rf"(?:{word_file('names')['zh']['person_label']})[:：]\s?$")


def enrich(task: Enrich) -> Enriched:
    """Return the facts of each piece; one that continues the piece before it is given its summary."""
    before = task.before
    found: list[PieceFacts] = []
    for piece in task.pieces:
        facts = _facts(task.title, piece, before if piece.goes_on else "", task.classes)
        before = facts.summary or before
        found.append(facts)
    return Enriched(pieces=tuple(found))


def name_factors(task: NameFactors) -> FactorsNamed:
    """Return each piece's tags: by rules they are its key factors."""
    return FactorsNamed(
        pieces=tuple(
            PieceFactors(n=piece.n, factors=tuple(tag.name for tag in _facts("", piece, "", ()).tags))
            for piece in task.pieces
        )
    )


def _facts(title: str, piece: EnrichedPiece, before: str, classes: Sequence[TagClass]) -> PieceFacts:
    text = piece.text
    if not piece.prose:
        tags = tags_of(text, piece.heading, [], classes)
        return PieceFacts(n=piece.n, tags=tags)
    names = entity_names(text)
    chinese = detect_language(text) == "zh"
    technical = piece.heading not in {"", title}
    statements = statements_of(text, title, piece.heading, chinese)
    relations = _relations(statements, title, technical, chinese)
    return PieceFacts(
        n=piece.n,
        questions=_questions(statements, title, technical, chinese),
        statements=tuple(statement.text for statement in statements),
        entities=_entities(text, names, relations, classes),
        relations=tuple(RelationDraft(subject=s, predicate=p, object=o) for s, p, o in relations),
        tags=tags_of(text, piece.heading, _topics(text, names), classes),
        summary=central_sentences(text, piece.heading or title, before),
    )


def _topics(text: str, names: list[str]) -> list[str]:
    """Return the names without who is only cited."""
    return entity_names(_CITED.sub(" ", text)) if _CITED.search(text) else names


def _questions(
    statements: Sequence[SimpleStatement], title: str, technical: bool, chinese: bool
) -> tuple[str, ...]:
    asked: dict[str, None] = {}
    for statement in statements:
        if statement.sure:
            made = (
                questions_zh(statement.sentence)
                if chinese
                else questions_of(statement.sentence, title, technical)
            )
            asked |= dict.fromkeys(made)
    return tuple(asked)[:MOST_QUESTIONS]


def _relations(
    statements: Sequence[SimpleStatement], title: str, technical: bool, chinese: bool
) -> list[Triple]:
    found: dict[Triple, None] = {}
    for statement in statements:
        if statement.sure:
            made = (
                relations_zh(statement.sentence)
                if chinese
                else relations_of(statement.sentence, title, technical)
            )
            found |= dict.fromkeys(made)
    return list(found)[:MOST_RELATIONS]


def _entities(
    text: str, names: Sequence[str], relations: Sequence[Triple], classes: Sequence[TagClass]
) -> tuple[EntityDraft, ...]:
    """Return what is named, most often first; the kind is the noun the text puts to it, else a class's."""
    counts = Counter([*names, *(end for each in relations for end in (each.subject, each.object))])
    of_term = {term.lower(): each.name for each in classes for term in each.terms}
    best = sorted(counts, key=lambda name: -counts[name])[:MOST_ENTITIES]
    return tuple(EntityDraft(name=name, kind=_kind(text, name, of_term)) for name in best)


def _kind(text: str, name: str, of_term: dict[str, str]) -> str:
    at = text.find(name)
    if noun := noun_of(text, name):
        return of_term.get(noun, noun)
    head = name.rpartition(" ")[2].lower()
    if head in of_term:
        return of_term[head]
    if at > 0 and is_code(name) and (match := _KIND_BEFORE.search(text[max(0, at - 30) : at])):
        noun = match[1]
        when = _WHEN.search(text[max(0, at - 40) : at])  # "After the exchange ETCH-03 shows ...": no kind
        return "thing" if noun in _NO_KIND or when else of_term.get(noun, noun)
    if at > 0 and is_cjk(name) and _KIND_AFTER_LABEL.search(text[max(0, at - 8) : at]):
        return "person"
    return "thing"
