"""Answers a comparison from what was found for its sides: which of them it chooses, or what is known of each.

Nothing is read here but what the table of the comparison holds: one value a thing, of one unit or of units
that pint converts. Values that are no single figure or date, or a question that asks for no direction, are
left to the answer as a whole.
"""

import re
from collections.abc import Sequence

from core.answering.comparison_table import Comparison, ComparisonRow, comparison
from core.answering.part_references import referred
from core.domain import PartAnswer, Passage, Plan, Sentence, SubQuestion
from core.text.tokens import is_cjk
from core.text.value_order import Degree, degree_of, measured, ordered, unlike

_CHOICE = re.compile(
    r"^(?:which|who|what)(?: one)?(?: (?!is\b|are\b|was\b|were\b|has\b|have\b|had\b)[\w-]+){0,3}? "
    r"(?P<does>(?:is|are|was|were|has|have|had|costs?|takes?|weighs?|lasts?|needs?) [^,]+),",
    re.IGNORECASE,
)
_CHOICE_ZH = re.compile(r"(?:哪(?:一)?[个家台位年座部本种首条款者间栋所辆届次份支]|谁)(?P<does>[^，？?]+)")
_YES_NO = re.compile(r"(?:^|: )(?:is|are|was|were|do|does|did|has|have|had) .*\bthan\b", re.IGNORECASE)
# "the second longest", "not longer": another of them than the first in the order
_NOT_FIRST = re.compile(r"\b(?:not|second|third|fourth|next)\b|n't\b|不|没|第[二三四]", re.IGNORECASE)
_TEXTS = {
    "en": {
        "wins": "**{winner}** {does}: {value}, against {others}.",
        "first": "{degree}: **{winner}**, with {value}, against {others}.",
        "other": "{value} for {thing}",
        "and": " and ",
        "colon": ": ",
        "semicolon": "; ",
        "gap": "not said",
        "together": "Said of them together: ",
        "yes": "Yes: {all}.",
        "no": "No: {all}.",
        "tie": "No difference: {all}.",
        "unlike": "These cannot be compared, for they have different units: {all}.",
    },
    "zh": {
        "wins": "**{winner}**{does}：{value}；{others}。",
        "first": "{degree}：**{winner}**，{value}；{others}。",
        "other": "{thing}为{value}",
        "and": "，",
        "colon": "：",
        "semicolon": "；",
        "gap": "没有说明",
        "together": "一并提到：",
        "tie": "没有差别：{all}。",
        "unlike": "单位不同，无法比较：{all}。",
    },
}


def decided(part: SubQuestion, plan: Plan, answers: Sequence[PartAnswer]) -> PartAnswer | None:
    """Return a comparison answered from its sides, by their values or by what is known of each; else None."""
    table = comparison(plan, answers) if part.type == "comparative" else None
    if table is not None and any(a.facts and a.found for a in answers if a.id in part.depends_on):
        return _listing(part, table, answers)
    if table is None or len(table.rows) != 1:
        return None
    cells = [cell for cell in table.rows[0].cells if cell is not None and cell.found]
    question = referred(part, answers).question
    degree = degree_of(_without(question, table.things))
    values = [value for cell in cells if (value := measured(cell.answer)) is not None]
    if (
        degree is None
        or _NOT_FIRST.search(question)
        or len(values) < len(table.things)
        or {cell.id for cell in cells} - set(part.depends_on)
    ):
        return None
    order = ordered(values, degree)
    pairs = [(thing, cell.answer.strip(" .。")) for thing, cell in zip(table.things, cells, strict=True)]
    if order is None and not unlike(values):
        return None
    return PartAnswer(
        id=part.id,
        question=question,
        answer=_ordering_sentence(question, degree, order, pairs),
        found=True,
        passages=_first(cells, part.id),
        computed=True,
    )


def _listing(part: SubQuestion, table: Comparison, answers: Sequence[PartAnswer]) -> PartAnswer:
    """Return what is known of each thing as the answer: a line a row, then the passages that name several."""
    question = referred(part, answers).question
    texts = _TEXTS["zh" if is_cjk(question) else "en"]
    cells = [cell for row in table.rows for cell in row.cells if cell is not None]
    passages = _first((*cells, *table.together), part.id)
    numbers = {passage.chunk.id: n for n, passage in enumerate(passages, 1)}

    def cited(cells: Sequence[PartAnswer | None]) -> tuple[int, ...]:
        places = (numbers[cell.passages[0].chunk.id] for cell in cells if cell is not None and cell.passages)
        return tuple(dict.fromkeys(places))

    def line(row: ComparisonRow) -> Sentence:
        parts = [
            f"**{thing}**{texts['colon']}{cell.answer if cell is not None else texts['gap']}"
            for thing, cell in zip(table.things, row.cells, strict=True)
            if cell is not None or not row.quoted
        ]
        between = " " if row.quoted else texts["semicolon"]
        return Sentence(
            text=f"- {row.label} — {between.join(parts)}", citations=cited(row.cells), made="quoted"
        )

    lines = tuple(map(line, table.rows))
    lines += tuple(
        Sentence(text=f"- {texts['together']}{one.answer}", citations=cited((one,)), made="quoted")
        for one in table.together
    )
    text = "\n".join(sentence.text.removeprefix("- ").replace("**", "") for sentence in lines)
    return PartAnswer(id=part.id, question=question, answer=text, found=True, passages=passages, lines=lines)


def _without(question: str, things: Sequence[str]) -> str:
    for thing in sorted(things, key=len, reverse=True):
        question = question.replace(thing, " ")
    return question


def _first(cells: Sequence[PartAnswer], number: int) -> tuple[Passage, ...]:
    """Return the passage each value rests on, each once."""
    by_chunk = {cell.passages[0].chunk.id: cell.passages[0] for cell in cells if cell.passages}
    return tuple(passage.model_copy(update={"sub_question": number}) for passage in by_chunk.values())


def _ordering_sentence(
    question: str, degree: Degree, order: list[list[int]] | None, pairs: Sequence[tuple[str, str]]
) -> str:
    """Return a sentence that states the order, in the words of the question where possible."""
    chinese = is_cjk(question)
    texts = _TEXTS["zh" if chinese else "en"]

    def listed(places: Sequence[int]) -> str:
        return texts["and"].join(
            texts["other"].format(thing=pairs[at][0], value=pairs[at][1]) for at in places
        )

    every = listed(range(len(pairs)))
    if order is None:
        return texts["unlike"].format(all=every)
    if not chinese and _YES_NO.search(question):
        return texts["yes" if order[0] == [0] else "no"].format(all=every)
    if len(order) == 1:
        return texts["tie"].format(all=every)
    winner, value = texts["and"].join(pairs[at][0] for at in order[0]), pairs[order[0][0]][1]
    others = listed([at for group in order[1:] for at in group])
    does = _does(question, [thing for thing, _ in pairs], chinese)
    if does and len(order[0]) == 1:
        return texts["wins"].format(winner=winner, does=does, value=value, others=others)
    word = degree.word[:1].upper() + degree.word[1:]
    return texts["first"].format(degree=word, winner=winner, value=value, others=others)


def _does(question: str, things: Sequence[str], chinese: bool) -> str:
    """Return the question's predicate, put behind a thing: "has the longer lead time", 的交期更长."""
    if not chinese:
        match = _CHOICE.match(question)
        return match["does"].strip() if match is not None else ""
    match = _CHOICE_ZH.search(question)
    if match is None:
        return ""
    before = question[: match.start()]
    last = max((before.rfind(thing) + len(thing) for thing in things if thing in before), default=0)
    between = before[last:].strip("，, ：:")
    return f"{between}{match['does']}" if not between or between.startswith("的") else match["does"]
