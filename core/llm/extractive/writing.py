"""The rule for Synthesise: sentences of the evidence, quoted or nearly, each with its [n], part by part."""

import re

from core.llm.extractive.alone import alone
from core.llm.extractive.answering import answer
from core.llm.extractive.attributes import says_attribute, says_object, speaking_of_it, told_of
from core.llm.extractive.conflicts import disagreements, newest_of
from core.llm.extractive.deciding import decide
from core.llm.extractive.questions import expected_kind
from core.llm.extractive.reading import Embed, Line, bag_of, heading_of, says_cause, score_lines
from core.llm.extractive.rows import counted, counted_whole, row_of
from core.llm.extractive.sources import kept_to_named
from core.llm.extractive.supporting import (
    beside,
    change,
    fitting,
    holds,
    speaks,
    steps_of,
    tells_it_done,
    unheard_code,
    wants_many,
)
from core.llm.extractive.surveying import surveyed, surveys, titles_of, which_document
from core.llm.extractive.wording import SAY, Writing
from core.tasks import AnswerPart, Evidence, QuestionAnswer, Synthesise, Written
from core.text.tokens import content_words, is_cjk, words

MOST_SENTENCES = 9
MOST_CAUSES = 10  # sentences among which a cause is looked for
ANNOUNCED = 0.8  # how near the best a sentence under such a heading must come
ANSWERING = 0.5  # share of the question that a sentence must say to stand for an answer
_WHY = re.compile(r"^why\b|\b(?:reason|causes?) (?:for|of)\b|\bwhat caused\b|为什么|为何|原因", re.IGNORECASE)
_WHAT = re.compile(r"^What (?:is|are) the ")
_FACTS = re.compile(r"\s?[(（][^()（）]*[)）]")


def synthesise(task: Synthesise, embed: Embed | None = None) -> Written:
    """Write the answer. Every sentence is quoted from the evidence, or computed from parts that are."""
    language = "zh" if task.language == "zh" or is_cjk(task.question) else "en"
    say = SAY[language]
    if not task.evidence:
        return Written(text=say["nothing"])
    task = task.model_copy(update={"evidence": kept_to_named(task.question, task.evidence)})
    writing = Writing(language, {piece.n: piece for piece in task.evidence})
    lines = score_lines(task.question, task.evidence, embed)
    parts = _without_rewordings(task.question, [part for part in task.parts if part.question])
    for line in counted_whole(task.question, lines) if len(parts) > 1 else ():
        writing.quote(line, task.question)
    if len(parts) > 1 and not writing.used:
        _by_parts(parts, task, writing, embed)
    elif len(parts) <= 1:
        _directly(parts[0] if parts else None, task, lines, writing, embed is not None)
    _name_conflicts(task, lines, writing, parts)
    return Written(text=writing.text() or say["nothing"])


def _without_rewordings(question: str, parts: list[QuestionAnswer]) -> list[QuestionAnswer]:
    """Leave out the parts that ask the whole question again in other words, where all of them do."""
    asked = frozenset(content_words(question))
    again = [
        part for part in parts if 5 * len(asked & frozenset(content_words(part.question))) >= 4 * len(asked)
    ]
    if len(parts) < 2 or len(again) < len(parts) or not asked:
        return parts
    return [next((part for part in parts if part.answer), parts[0])]


def _directly(
    part: QuestionAnswer | None, task: Synthesise, lines: list[Line], writing: Writing, meant: bool
) -> None:
    """A single question: the sentence that holds the short answer, then only what belongs to it."""
    question = task.question
    rows = speaking_of_it(question, counted(question, lines), task.evidence)
    if rows:
        for line in rows:
            writing.quote(line, question)
        return
    say = SAY[writing.language]
    if unheard_code(question, " ".join(f"{piece.source} {piece.text}" for piece in task.evidence)):
        writing.say(say["gap"].format(question=question.rstrip("?？")), ())
        return
    steps = steps_of(question, lines)
    if steps:
        for line in steps:
            writing.quote(line, question)
        return
    if _whole_documents(task, lines, writing):
        return
    lines = lines if meant else fitting(question, lines)
    short, lines = _answered(part.question if part else question, part.answer if part else "", task, lines)
    changed = change(question, lines)
    many = wants_many(question)
    lead = _holding(short, lines) if short and not many else _first(question, lines)
    lead = _reason(question, lead, lines)
    lead = changed[0] if changed else lead
    again = part is not None and part.question != question  # said in other words, so held against these
    sure = meant or changed or (short and not again)
    if lead is None or not (sure or _answers(question, lead, writing.evidence[lead.n], bool(short))):
        writing.say(say["gap"].format(question=task.question.rstrip("?？")), ())
        return
    newest = newest_of(disagreements(question, task.evidence, lines), lines)
    lead = newest or lead
    if short.lower() in {"yes", "no", "是", "否"}:
        colon = "：" if writing.language == "zh" else ": "
        writing.say(f"{short.capitalize()}{colon}{alone(lead, writing.evidence[lead.n])}", (lead.n,))
        writing.used.append((lead.n, lead.at))
        return
    others = beside(question, lead, lines)
    for line in sorted([lead, *others], key=lambda one: one.at) if many else [lead, *others]:
        writing.quote(line, question)


def _first(question: str, lines: list[Line]) -> Line | None:
    """Return the best sentence, of a list sooner one whose heading announces what is asked for."""
    if expected_kind(question) == "procedure":
        return next(iter(lines), None)
    near = (line for line in lines if line.headed and line.score >= ANNOUNCED * lines[0].score)
    return next(near, lines[0] if lines else None)


def _reason(question: str, lead: Line | None, lines: list[Line]) -> Line | None:
    """Return the best sentence that says a reason, where a reason is asked for; else the lead."""
    if lead is None or not _WHY.search(question) or says_cause(lead.text):
        return lead
    near = [line for line in lines[:MOST_CAUSES] if line.score >= 0.6 * lead.score and not row_of(line.text)]
    return next((line for line in near if says_cause(line.text)), lead)


def _whole_documents(task: Synthesise, lines: list[Line], writing: Writing) -> bool:
    """Write a survey, or name the document that is asked for with what it says; False for other questions."""
    named = which_document(task.question, lines, task.evidence)
    if named is not None:
        source = writing.evidence[named.n]
        colon = "：" if writing.language == "zh" else ": "
        said = not set(content_words(task.question)).isdisjoint(bag_of(named.text))
        writing.say(f"{source.source}{colon}{alone(named, source)}" if said else source.source, (named.n,))
        return True
    for title, n in titles_of(task.question, task.evidence).items():
        writing.say(title, (n,))
    if writing.sentences:
        return True
    found = surveyed(task.question, lines, task.evidence) if surveys(task.question) else []
    for line in found:
        writing.quote(line, task.question)
    return bool(found)


def _answers(question: str, lead: Line, source: Evidence, short: bool) -> bool:
    """Say whether a sentence may stand for an answer where no short one was found for these very words."""
    said = says_attribute(question, f"{lead.text} {heading_of(source.text)}")
    said = said and says_object(question, told_of(lead, source))
    said = said and tells_it_done(question, lead)
    if short:
        return said and holds(question, lead)
    return lead.coverage >= ANSWERING and said and speaks(question, lead)


def _answered(question: str, short: str, task: Synthesise, lines: list[Line]) -> tuple[str, list[Line]]:
    """Return the short answer, found here where none was given, and the lines, its own evidence first."""
    reply = answer(AnswerPart(question=question, evidence=task.evidence, language=task.language))
    if not reply.found or (short and reply.answer != short):
        return short, lines
    first = [line for line in lines if line.n in reply.citations]
    return reply.answer, first + [line for line in lines if line.n not in reply.citations]


def _by_parts(parts: list[QuestionAnswer], task: Synthesise, writing: Writing, embed: Embed | None) -> None:
    """A composite question: its conclusion first where one was computed, then the facts of each part."""
    say = SAY[writing.language]
    found: list[tuple[QuestionAnswer, Line]] = []
    gaps: list[QuestionAnswer] = []
    computed: list[QuestionAnswer] = []
    for part in parts:
        if not part.answer:
            gaps.append(part)
            continue
        if decide(part.question, expected_kind(part.question)):
            computed.append(part)
            continue
        line = _line_of(part, task, embed)
        if line is None:
            gaps.append(part)
        else:
            found.append((part, line))
    facts = tuple(dict.fromkeys(line.n for _, line in found))
    for part in computed:
        asked = _WHAT.sub("the ", _FACTS.sub("", part.question).rstrip("?？"))
        writing.say(say["conclusion"].format(question=asked, answer=part.answer), facts[:4])
    for part, line in reversed(found) if not computed else found:
        if part.answer.lower() in {"yes", "no", "是", "否"}:
            asked = part.question.rstrip("?？")
            writing.say(say["found"].format(question=asked, answer=part.answer), (line.n,))
        if len(writing.sentences) < MOST_SENTENCES:
            writing.quote(line, part.question)
    _name_gaps(gaps, writing)


def _name_gaps(gaps: list[QuestionAnswer], writing: Writing) -> None:
    """Say which parts have no answer, once for those that rest on one another."""
    say = SAY[writing.language]
    for part in gaps:
        if not _rests_on(part, gaps):
            writing.say(say["gap"].format(question=part.question.rstrip("?？")), ())


def _line_of(part: QuestionAnswer, task: Synthesise, embed: Embed | None) -> Line | None:
    """Return the sentence that says the answer of a part, a computed row first."""
    lines = score_lines(f"{part.question} {part.answer}", task.evidence, embed)
    rows = [line for line in counted(part.question, lines) if part.answer in line.text]
    if rows:
        return rows[0]
    lines = fitting(f"{part.question} {part.answer}", lines)
    return _holding(part.answer, _answered(part.question, part.answer, task, lines)[1])


def _rests_on(part: QuestionAnswer, gaps: list[QuestionAnswer]) -> bool:
    """Say whether a part asks about what another gap did not find."""
    return any(one.question.rstrip("?？").lower() in part.question.lower()[1:] for one in gaps)


def _holding(short: str, lines: list[Line]) -> Line | None:
    """Return the best sentence that says the short answer, whole or most of its words."""
    if not short:
        return None
    low = short.lower()
    if low in {"yes", "no", "是", "否"}:
        return lines[0] if lines else None
    whole = next((line for line in lines[:40] if low in line.text.lower()), None)
    if whole is not None:
        return whole
    wanted = set(content_words(short)) or set(words(short))
    best = max(lines[:40], key=lambda line: len(wanted & set(bag_of(line.text))), default=None)
    return best if best and len(wanted & set(bag_of(best.text))) >= 0.6 * len(wanted) else None


def _name_conflicts(
    task: Synthesise, lines: list[Line], writing: Writing, parts: list[QuestionAnswer]
) -> None:
    """Say once where the sources that answer disagree, the newer one first."""
    if not writing.used:
        return
    say = SAY[writing.language]
    for question in dict.fromkeys([task.question, *(part.question for part in parts)]):
        ranked = lines if question == task.question else None
        for conflict in disagreements(question, task.evidence, ranked):
            (one, a), (other, b) = (
                (conflict.one.n, conflict.figure),
                (conflict.other.n, conflict.other_figure),
            )
            if conflict.newer == other:
                one, a, other, b = other, b, one, a
            text = say["superseded" if conflict.newer else "conflict"].format(
                one=writing.evidence[one].source, a=a, other=writing.evidence[other].source, b=b
            )
            writing.say(text, (one, other))
            return
