"""What feedback is about, read from its target: an answer, one of its sentences, a passage, a tag ..."""

import re
from typing import Literal, NamedTuple

from core.domain import Feedback, Outcome, PartAnswer, Report, Sentence
from core.errors import FeedbackError

TargetKind = Literal["answer", "sentence", "passage", "part", "plan", "tag", "relation"]
_TARGET = re.compile(
    r"(answer|plan)|(sentence|part):(\d+)|(passage|relation):(\S+)|(tag):(?:([0-9a-f]{20}):)?(.*)"
)
_TAG_NAMED = "Name the tag as “tag:<name>”, or “tag:<chunk id>:<name>” for one passage."


class FeedbackTarget(NamedTuple):
    """A kind, with the number of a sentence (1-based) or part, or the id or name, and a tag's chunk."""

    kind: TargetKind
    number: int = 0
    name: str = ""
    chunk_id: str = ""


def target_of(feedback: Feedback) -> FeedbackTarget:
    """Return the target of a feedback, parsed. Raises FeedbackError for one that does not exist."""
    match = _TARGET.fullmatch(feedback.target.strip())
    if match is None:
        raise FeedbackError(
            f"“{feedback.target}” is nothing that can be judged.",
            hint="Name answer, plan, sentence:N, part:N, passage:ID, tag:NAME or relation:ID.",
        )
    whole, numbered, number, named, name, _, chunk, tag = match.groups()
    if whole:
        return FeedbackTarget("plan" if whole == "plan" else "answer")
    if numbered:
        return FeedbackTarget("part" if numbered == "part" else "sentence", number=int(number))
    if named:
        return FeedbackTarget("relation" if named == "relation" else "passage", name=name)
    if not tag.strip():
        raise FeedbackError("No tag is named.", hint=_TAG_NAMED)
    return FeedbackTarget("tag", name=" ".join(tag.split()), chunk_id=chunk or "")


def checked(feedback: Feedback) -> Feedback:
    """Return the feedback, tidied. Raises FeedbackError where it says nothing or two things at once."""
    correction = feedback.correction.strip()
    if feedback.verdict == "corrected" and not any(c.isalnum() for c in correction):
        raise FeedbackError(
            "The correction is empty.",
            hint="Write what it should have said, or judge it wrong if you do not know.",
        )
    if feedback.verdict != "corrected" and correction:
        raise FeedbackError(
            f"The feedback says “{feedback.verdict}” and corrects it as well.",
            hint="Choose “corrected” to give the right words, or leave the correction empty.",
        )
    return feedback.model_copy(update={"correction": correction, "target": feedback.target.strip()})


def sentence_of(report: Report, number: int) -> Sentence:
    """Return sentence `number` (1-based) of the answer. Raises FeedbackError."""
    if not 1 <= number <= len(report.sentences):
        raise FeedbackError(
            f"The answer has {len(report.sentences)} sentences, there is no sentence {number}.",
            hint="The trace numbers the sentences, beginning with 1.",
        )
    return report.sentences[number - 1]


def part_of(report: Report, number: int) -> PartAnswer:
    """Return part `number` of the plan's answers. Raises FeedbackError."""
    for part in report.parts:
        if part.id == number:
            return part
    raise FeedbackError(
        f"The run has no part {number}.", hint="The trace numbers the parts of a plan, beginning with 1."
    )


def is_empty_answer(report: Report) -> bool:
    """Say whether the answer holds nothing that could be right."""
    return report.outcome in (Outcome.NOTHING, Outcome.CLOSEST) or not report.sentences
