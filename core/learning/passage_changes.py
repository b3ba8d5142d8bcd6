"""Drafts the changes that feedback on passages, plans, tags and relations asks for."""

from collections.abc import Sequence

from core.domain import Chunk, Feedback, Passage, Plan, Relation, Report, Tag, identify
from core.errors import FeedbackError, NotFound
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.changes import Change, new_change
from core.knowledge.learned.plans import plan_id
from core.learning.feedback_targets import FeedbackTarget
from core.learning.usefulness_prior import named_tags, question_type
from core.text.tokens import normal


def useful(knowledge: KnowledgeBase, question: str, chunks: Sequence[Chunk], good: bool) -> Change:
    """Return the change that counts a verdict for these passages, for the question's tags and type."""
    kind = question_type(question)
    titles = knowledge.titles()
    rows = [
        [chunk.id, tag, kind, int(good), int(not good)]
        for chunk in chunks
        for tag in named_tags(question, [known_tag.name for known_tag in knowledge.tags(chunk.id)])
    ]
    tags = sorted({str(row[1]) for row in rows if row[1]})
    places = dict.fromkeys(titles.get(chunk.document_id, "") for chunk in chunks)
    about = f" about {', '.join(tags)}" if tags else ""
    return new_change(
        "usefulness",
        f"{'Useful' if good else 'Not useful'}: {', '.join(places)}",
        f"For “{kind}” questions{about}, {_passages(len(chunks))} of {', '.join(places)}"
        f" will stand a little {'higher' if good else 'lower'}.",
        after={"rows": rows},
    )


def _passages(count: int) -> str:
    return "1 passage" if count == 1 else f"{count} passages"


def passage(knowledge: KnowledgeBase, feedback: Feedback, report: Report, chunk_id: str) -> Change:
    """Return the change of a verdict on a passage. Raises FeedbackError, NotFound."""
    if feedback.verdict == "corrected":
        raise FeedbackError(
            "A passage is what a document says and cannot be corrected here.",
            hint="Say right or wrong, correct the answer, or add a newer version of the document.",
        )
    chunks = knowledge.chunks(ids=[chunk_id])
    if not chunks:
        raise NotFound(f"there is no passage {chunk_id}")
    question = next((part.question for part in report.parts if _among(part.passages, chunk_id)), "")
    whole = report.read_as or report.question
    asked = whole if _among(report.passages, chunk_id) or not question else question
    return useful(knowledge, asked, chunks, feedback.verdict == "right")


def _among(passages: Sequence[Passage], chunk_id: str) -> bool:
    return any(each.chunk.id == chunk_id for each in passages)


def plan(knowledge: KnowledgeBase, feedback: Feedback, report: Report) -> Change:
    """Return the change that makes the run's plan an example. Raises FeedbackError."""
    if report.plan is None or not report.plan.parts:
        raise FeedbackError("The run has no plan.", hint="Ask a question of several parts, or “Plan first”.")
    if feedback.verdict != "right":
        raise FeedbackError(
            "Only a plan that is right becomes an example.",
            hint="Change its parts in the trace, run it again, and accept that plan.",
        )
    return accepted(knowledge, report.read_as or report.question, report.plan)


def accepted(knowledge: KnowledgeBase, question: str, made: Plan) -> Change:
    """Return the change that keeps a plan as an example for others."""
    key = plan_id(question)
    previous = knowledge.learned.plans.get(key)
    parts = "; ".join(f"{part.id}. {part.question}" for part in made.parts)
    return new_change(
        "plan",
        f"Example plan: {question}",
        f"{len(made.parts)} parts: {parts}",
        before={"plan": previous.model_dump(mode="json") if previous else None},
        after={"question": question, "plan": made.model_dump(mode="json"), "id": key},
    )


def tag(knowledge: KnowledgeBase, feedback: Feedback, target: FeedbackTarget) -> list[Change]:
    """Return the change of a verdict on a tag. Raises FeedbackError, NotFound.

    Wrong takes the tag off; corrected, of one passage, replaces it there; corrected without a passage
    teaches that the word means the library's term.
    """
    if feedback.verdict == "right":
        return []
    name = target.name
    if feedback.verdict == "corrected" and not target.chunk_id:
        return [_pair(knowledge, name, feedback.correction)]
    rows = [row for row in knowledge.tags(target.chunk_id or None) if row.name.casefold() == name.casefold()]
    if not rows:
        where = f"passage {target.chunk_id}" if target.chunk_id else "the library"
        raise NotFound(f"the tag “{name}” is not on {where}")
    if feedback.verdict == "wrong":
        return [
            new_change(
                "tag removed",
                f"Tag removed: {name}",
                f"“{name}” was taken off {_passages(len(rows))}.",
                after={"name": name, "chunk_id": target.chunk_id},
            )
        ]
    if feedback.correction.casefold() == name.casefold():
        raise FeedbackError(
            "The corrected tag is the same as before.", hint="Write another term, or say right."
        )
    return [
        new_change(
            "tag replaced",
            f"Tag replaced: {name} → {feedback.correction}",
            f"“{name}” became “{feedback.correction}” on 1 passage.",
            after={
                "name": name,
                "chunk_id": target.chunk_id,
                "put": [
                    Tag(chunk_id=row.chunk_id, name=feedback.correction, tag_class=row.tag_class).model_dump()
                    for row in rows
                ],
            },
        )
    ]


def _pair(knowledge: KnowledgeBase, text: str, meant: str) -> Change:
    if normal(text) == normal(meant) or not normal(text):
        raise FeedbackError("Both terms are the same.", hint="Name the library's term for the word.")
    same = [pair for pair in knowledge.tag_pairs() if normal(pair.said) == normal(text)]
    other = [pair for pair in same if normal(pair.meant) != normal(meant) and pair.teacher == "feedback"]
    if other:
        raise FeedbackError(
            f"“{text}” was taught to mean “{other[0].meant}”; now it is to mean “{meant}”.",
            hint="Undo the first in Knowledge › Learning, then teach the other.",
        )
    before = knowledge.pairs.find(text, meant)
    return new_change(
        "tag pair",
        f"Term learnt: {text} → {meant}",
        f"Questions that say “{text}” are also searched for “{meant}”.",
        before={"pair": before.model_dump(mode="json") if before else None},
        after={"said": text, "meant": meant},
    )


def relation(knowledge: KnowledgeBase, feedback: Feedback, relation_id: str) -> list[Change]:
    """Return the change of a verdict on a relation: taken out, or its verb replaced. Raises NotFound."""
    if feedback.verdict == "right":
        return []
    triple = next((row for row in knowledge.relations() if row.id == relation_id), None)
    if triple is None:
        raise NotFound(f"there is no relation {relation_id}")
    sentence = _as_sentence(knowledge, triple)
    if feedback.verdict == "wrong":
        return [
            new_change(
                "relation removed",
                f"Relation removed: {sentence}",
                "It no longer links the two in the graph.",
                after={"id": triple.id},
            )
        ]
    other = triple.model_copy(
        update={
            "id": identify(triple.chunk_id, triple.subject, feedback.correction, triple.object),
            "predicate": feedback.correction,
            "by": "reader",
        }
    )
    return [
        new_change(
            "relation replaced",
            f"Relation corrected: {_as_sentence(knowledge, other)}",
            f"It was: {sentence}.",
            after={"id": triple.id, "put": other.model_dump(mode="json")},
        )
    ]


def _as_sentence(knowledge: KnowledgeBase, triple: Relation) -> str:
    names = {entity.id: entity.name for entity in knowledge.entities(ids=[triple.subject, triple.object])}
    return f"{names.get(triple.subject, '?')} {triple.predicate} {names.get(triple.object, '?')}"
