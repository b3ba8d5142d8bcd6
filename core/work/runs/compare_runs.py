"""Compares two runs: what the answers say, what they rest on, how they were planned, and why they differ."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from core.answering.citations import cited
from core.domain import BUILT_IN, Report, Sentence, SubQuestion, Support
from core.errors import NotFound
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.records import Run
from core.trace import Asked, Planned, Reused, Stamped
from core.work.runs.difference_reasons import reasons
from core.work.runs.run_changes import Cost, PartChange, RunComparison, SentenceChange, Side

_ITEM = re.compile(r"^\s*[-*•]\s+")
MIN_COMMON_WORDS_SHARE = 0.6  # share of common words above which a sentence counts as the other one, changed


def since_parent(runs: RunStore, run: str) -> tuple[str, ...]:
    """Return the changes since the run this one is a rerun of, a sentence each; () for a run of its own."""
    events = runs.events(run)
    asked = _question_event(events)
    if asked is None or not asked.parent:
        return ()
    try:
        parent = runs.get(asked.parent)
    except NotFound:
        return (f"Works again on run {asked.parent}, which is no longer in the library.",)
    return compare(parent, runs.get(run), runs.events(parent.id), events).summary_lines()


def compare(
    before: Run, after: Run, events_before: Sequence[Stamped], events_after: Sequence[Stamped]
) -> RunComparison:
    """Return the comparison of two runs with their events, whether or not one came from the other."""
    one, other = before.report or _none(before), after.report or _none(after)
    old = {p.chunk.id: p for p in one.passages}
    new = {p.chunk.id: p for p in other.passages}
    reused = {e.answer.id for s in events_after if isinstance(e := s.event, Reused) and e.answer is not None}
    return RunComparison(
        before=_side(before, events_before),
        after=_side(after, events_after),
        sentences=_sentences(one, other),
        gained=tuple(p for number, p in new.items() if number not in old),
        lost=tuple(p for number, p in old.items() if number not in new),
        kept=len(set(old) & set(new)),
        parts=_parts(one, other, reused),
        why=reasons(
            before.id,
            _question_event(events_before),
            after.id,
            _question_event(events_after),
            _first_round(one, events_before),
            _first_round(other, events_after),
        ),
    )


def _none(run: Run) -> Report:
    return Report(run=run.id, question=run.question)


def _first_round(report: Report, events: Sequence[Stamped]) -> Report:
    """Return the report with the plan it began with: a second round is no difference somebody made."""
    plans = [s.event.plan for s in events if isinstance(s.event, Planned) and s.event.round == 1]
    return report.model_copy(update={"plan": plans[-1]}) if plans else report


def _question_event(events: Sequence[Stamped]) -> Asked | None:
    return next((s.event for s in events if isinstance(s.event, Asked)), None)


def _side(run: Run, events: Sequence[Stamped]) -> Side:
    report = run.report or _none(run)
    calls = [call for stamped in events for call in stamped.event.calls]
    served = [call for call in calls if call.engine != BUILT_IN and not call.cached]
    return Side(
        run=run.id,
        question=run.question,
        started=run.started,
        outcome=run.report.outcome if run.report else None,
        engine=report.engine,
        answer=report.answer,
        supported=sum(sentence.support is Support.SUPPORTED for sentence in report.sentences),
        sentences=len(report.sentences),
        cost=Cost(
            seconds=report.seconds,
            calls=len(calls),
            tokens=sum(call.tokens_in + call.tokens_out for call in served),
        ),
    )


# -- sentences ---------------------------------------------------------------------------------


def _sentences(one: Report, other: Report) -> tuple[SentenceChange, ...]:
    """Pair the sentences that are most alike, in the order of the newer answer; what is left was removed.

    A removed sentence stands behind the one it followed, so that both answers read from top to bottom.
    """
    before, after = _sentences_of(one), _sentences_of(other)
    pairs = _paired([s.text for s in before], [s.text for s in after])
    partners = {j: i for i, j in pairs.items()}
    found: list[SentenceChange] = []
    shown = 0
    for j, sentence in enumerate(after):
        i = partners.get(j)
        if i is None:
            found.append(SentenceChange(change="added", after=sentence))
            continue
        found += [_removed(before[k]) for k in range(shown, i) if k not in pairs]
        shown = max(shown, i + 1)
        same = _plain(before[i].text) == _plain(sentence.text)
        moved = _cited(one, before[i]) != _cited(other, sentence)
        found.append(
            SentenceChange(
                change="same" if same else "changed",
                before=before[i],
                after=sentence,
                sources_changed=moved,
            )
        )
    found += [_removed(before[k]) for k in range(shown, len(before)) if k not in pairs]
    return tuple(found)


def _removed(sentence: Sentence) -> SentenceChange:
    return SentenceChange(change="removed", before=sentence)


def _sentences_of(report: Report) -> tuple[Sentence, ...]:
    """Return the sentences of the answer; of one without any, as where passages are listed, its lines."""
    return report.sentences or tuple(filter(None, map(_of_line, report.answer.splitlines())))


def _of_line(text: str) -> Sentence | None:
    sentences = cited(_ITEM.sub("", text))
    numbers = tuple(dict.fromkeys(n for sentence in sentences for n in sentence.citations))
    return Sentence(text=" ".join(s.text for s in sentences), citations=numbers) if sentences else None


def _paired(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return which sentence became which, the most alike first."""
    rated = sorted(
        (
            (-alike(a, b), i, j)
            for i, a in enumerate(before)
            for j, b in enumerate(after)
            if alike(a, b) >= MIN_COMMON_WORDS_SHARE
        ),
    )
    pairs: dict[int, int] = {}
    for _, i, j in rated:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def alike(a: str, b: str) -> float:
    """Return how much two sentences have in common, 0 to 1, by their words in order (signs in Chinese)."""
    return SequenceMatcher(None, pieces(_plain(a)), pieces(_plain(b)), autojunk=False).ratio()


def pieces(text: str) -> list[str]:
    """Return the words of a text, each with the blank behind it; signs of Chinese stand alone."""
    found: list[str] = []
    for sign in text:
        wide = ord(sign) > 0x2E7F
        if found and not wide and not found[-1][-1].isspace() and ord(found[-1][-1]) <= 0x2E7F:
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _cited(report: Report, sentence: Sentence) -> set[str]:
    last = len(report.passages)
    return {report.passages[n - 1].chunk.id for n in sentence.citations if 0 < n <= last}


# -- the plan ----------------------------------------------------------------------------------


def _parts(one: Report, other: Report, reused: set[int]) -> tuple[PartChange, ...]:
    """Pair the parts by what they ask, then by what is most alike, and say what became of each."""
    before, after = _planned(one), _planned(other)
    answers_before, answers_after = _answers(one), _answers(other)
    pairs = _paired([part.question for part in before], [part.question for part in after])
    for i, part in enumerate(before):  # said in quite other words, but in the same place
        j = next((j for j, new in enumerate(after) if new.id == part.id), None)
        if i not in pairs and j is not None and j not in pairs.values():
            pairs[i] = j
    partners = {j: i for i, j in pairs.items()}
    numbers = {before[i].id: after[j].id for i, j in pairs.items()}
    found: list[PartChange] = []
    for j, part in enumerate(after):
        old = before[partners[j]] if j in partners else None
        found.append(
            PartChange(
                change="added" if old is None else "same" if _same_part(old, part, numbers) else "changed",
                before=old,
                after=part,
                found_before=answers_before.get(old.id, "") if old else "",
                found_after=answers_after.get(part.id, ""),
                reused=part.id in reused,
            )
        )
    found += [
        PartChange(change="removed", before=part, found_before=answers_before.get(part.id, ""))
        for i, part in enumerate(before)
        if i not in pairs
    ]
    return tuple(found)


def _planned(report: Report) -> tuple[SubQuestion, ...]:
    return report.plan.parts if report.plan else ()


def _answers(report: Report) -> dict[int, str]:
    return {answer.id: answer.answer for answer in report.parts if answer.found}


def _same_part(old: SubQuestion, new: SubQuestion, numbers: dict[int, int]) -> bool:
    needs = {numbers.get(number) for number in old.depends_on}
    return (_plain(old.question), old.type, needs) == (_plain(new.question), new.type, set(new.depends_on))
