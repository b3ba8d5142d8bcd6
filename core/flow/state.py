"""The state of a question's flow."""

import operator
from typing import Annotated, TypedDict

from core.answering.answer import AnswerDraft
from core.answering.part_worker import PartGathered
from core.domain import (
    AnswerKind,
    CouncilReport,
    Edits,
    Effort,
    Forecast,
    Level,
    PartAnswer,
    Passage,
    Plan,
    Report,
    Scope,
    SubQuestion,
    SubQuestionType,
    Turn,
    Verdict,
)
from core.flow.previous_run import PreviousRun
from core.tasks import Call, TagPair


class State(TypedDict, total=False):
    """Each key is written by one node, but for the lists, which grow.

    `part` and `before` exist only in the state sent to a worker.
    """

    # what was asked
    question: str
    history: tuple[Turn, ...]
    scope: Scope
    asked_level: Level | None
    strategy: str  # auto, plan or loop
    effort: Effort | None  # how much reading and answering may cost; None: as the settings say
    roles: tuple[str, ...]  # of the council, chosen or written by the reader; empty: planned
    hurried: bool  # answer with what is there
    cut_short: str  # why the run could not continue
    earlier: PreviousRun  # what the run left that this one works on again
    edits: Edits  # and what the reader changed
    pinned: tuple[Passage, ...]  # which the reader wants among the evidence
    wishes: Annotated[list[str], operator.add]  # restrictions the reader gave while it ran

    # how it was read
    language: str
    read_as: str
    level: Level
    kind: AnswerKind
    seeks: SubQuestionType  # what kind of evidence the question as a whole needs
    composite: bool
    proposed: tuple[TagPair, ...]  # words of the question as a model thinks the library says them
    topics: tuple[str, ...]  # tags of the library the question is about
    plan: Plan | None
    round: int

    # what was found
    wave: tuple[SubQuestion, ...]
    waves: int  # how many were sent
    same: dict[int, int]  # parts taken from the earlier run, with their numbers there
    own: tuple[Passage, ...]  # for the original question
    loop_passages: tuple[Passage, ...]  # chosen by the knowledge-aware loop
    gathered: Annotated[list[PartGathered], operator.add]  # of every part that was worked on
    answers: Annotated[list[PartAnswer], operator.add]
    evidence: tuple[Passage, ...]
    related: bool
    unknown: tuple[str, ...]  # names of the question the library does not know

    # what was made of it
    forecast: Forecast | None
    council: CouncilReport
    draft: AnswerDraft
    verdict: Verdict
    notes: Annotated[list[str], operator.add]
    calls: Annotated[list[Call], operator.add]
    report: Report

    # to one worker
    part: SubQuestion
    before: tuple[Passage, ...]
