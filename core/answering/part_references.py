"""Substitutes answers for references to other parts ("#1"), and finds references that have no answer.

References between parts: least-to-most 2205.10625 and MuSiQue's notation.
"""

import re
from collections.abc import Sequence

from core.domain import PartAnswer, Plan, SubQuestion
from core.text.open_references import REFERENCE, worded
from core.text.proper_names import names_in
from core.text.tokens import is_cjk

_SIDE = re.compile(r"\s?[（(]#\d+(?:[,、]\s?#\d+)*[）)]")  # behind a comparison's side: "A (#1, #2)"
MAX_NAME_WORDS = 3  # words up to which an answer with a full stop may be a name ("Acme Ltd.")
MAX_NAME_CHARACTERS = 80  # of an answer that can stand for #N
MAX_ANSWER_CHARACTERS = 160  # of one that is handed on


def referred(part: SubQuestion, answers: Sequence[PartAnswer]) -> SubQuestion:
    """Return the part as it is asked, with the answers of others in place of #N.

    A comparison names its sides, for readers and the search; what was found for each is in `resolved`.
    """
    if part.type != "comparative":
        return part.model_copy(update={"question": refer(part.question, answers)})
    bare = refer(_SIDE.sub("", part.question), answers)
    filled = refer(part.question, answers)
    return part.model_copy(update={"question": bare, "resolved": filled if filled != bare else ""})


def refer(question: str, answers: Sequence[PartAnswer]) -> str:
    """Return the question with every #N replaced by part N's answer; a part without one keeps its #N.

    A whole sentence is no name that could be in another: the one name it says that was not asked with
    stands for it; else the question says "it" and the sentence stands behind, where a search still reads it.
    Behind a side that is called by its name, "A (#1)", only a name is put; what has no answer is left out.
    """
    known = {answer.id: answer for answer in answers if answer.found and answer.answer}
    answered_ids = {answer.id for answer in answers}
    additions: list[str] = []

    def name(number: int) -> str:
        answer = known.get(number)
        if answer is None:
            return "" if number in answered_ids else f"#{number}"
        whole, text = _stripped(answer.answer)
        if len(text) <= MAX_NAME_CHARACTERS and not _is_sentence(whole):
            return text
        if new := _new_name(whole, answer.question):
            return new
        additions.append(text)
        return ""

    def side(match: re.Match[str]) -> str:
        names = [text for number in REFERENCE.findall(match[0]) if (text := name(int(number)))]
        opening, closing = match[0].lstrip()[0], match[0][-1]
        joined = ("、" if opening == "（" else ", ").join(names)
        return (
            f"{match[0][: len(match[0]) - len(match[0].lstrip())]}{opening}{joined}{closing}" if names else ""
        )

    def replacement(match: re.Match[str]) -> str:
        number = int(match[1])
        return match[0] if number not in known else name(number) or ("这" if is_cjk(question) else "it")

    asked = REFERENCE.sub(replacement, _SIDE.sub(side, question))
    if not additions:
        return asked
    bare = asked.rstrip("?？ ")
    return f"{bare} ({'; '.join(dict.fromkeys(additions))}){asked[len(bare) :]}"


def _stripped(answer: str) -> tuple[str, str]:
    """Return an answer without the mark of an item, and the text of it that is handed on."""
    whole = answer.strip().lstrip("-•*– ")
    return whole, whole.rstrip(".。")[:MAX_ANSWER_CHARACTERS]


def _new_name(sentence: str, question: str) -> str:
    """Return the one name in the sentence that the question it answers does not say, "" if there are more."""
    folded = question.casefold()
    new = dict.fromkeys(named.text for named in names_in(sentence) if named.text.casefold() not in folded)
    return next(iter(new)) if len(new) == 1 else ""


def _is_sentence(answer: str) -> bool:
    """Say whether an answer is a sentence rather than a name: it ends as one, and holds several words."""
    words = answer.split()
    return answer.endswith((".", "。", "!", "！")) and (
        len(words) > MAX_NAME_WORDS or (is_cjk(answer) and len(answer) > 12)
    )


def lacks_referenced_answer(part: SubQuestion, answers: Sequence[PartAnswer]) -> bool:
    """Say whether the text of a part refers to the answer of a part that has none.

    A comparison may run with one side unanswered if its text names that side as well: "A (#1)". One whose
    sides are left open is not searched for (see `compared`).
    """
    if part.type == "comparative" and any(a.open for a in answers if a.id in part.depends_on):
        return True
    named = {int(number) for number in REFERENCE.findall(part.question)}
    open_ones = {answer.id for answer in answers if not (answer.found and answer.answer)} & named
    if part.type != "comparative" or open_ones == named:
        return bool(open_ones)
    return bool(open_ones) and REFERENCE.search(refer(part.question, answers)) is not None


def compared(part: SubQuestion, answers: Sequence[PartAnswer]) -> PartAnswer | None:
    """Return a comparison of parts that are left open as left open too, over what was found for them.

    The answer as a whole then compares the sides; None where nothing was found for one of them.
    """
    sides = [answer for answer in answers if answer.id in part.depends_on]
    if part.type != "comparative" or not any(side.open for side in sides):
        return None
    if not all(side.open or side.found for side in sides):
        return None
    passages = {p.chunk.id: p for side in sides for p in side.passages}
    question = referred(part, answers).question
    return PartAnswer(id=part.id, question=question, passages=tuple(passages.values()), open=True)


def unasked(part: SubQuestion, plan: Plan | None) -> PartAnswer:
    """Return the record of a part that is not asked, for what it needs was not found."""
    asked = {one.id: one.question for one in plan.parts} if plan is not None else {}
    return PartAnswer(id=part.id, question=worded(part.question, asked))
