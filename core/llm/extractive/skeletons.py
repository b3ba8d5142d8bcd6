"""Habits learnt from many accepted plans: questions of one kind that readers like cut in one way.

Where no example is built like a question word for word, the kind of question may still say enough. If most
accepted plans of yes/no questions about two things look both things up and then decide, the next such
question is planned so, too. A habit counts only where the built-in rules would mostly have planned otherwise
than readers accepted, so learning cannot undo what the rules do well.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from core.domain import Plan
from core.tasks import PartDraft
from core.text.tokens import detect_language, word_set

Shape = tuple[tuple[int, ...], ...]
Rules = Callable[[str], tuple[PartDraft, ...]]  # what the rules make of a question by themselves

ENOUGH = 6  # accepted plans of a kind before it can be a habit
SHARE = 0.4  # of them that have the same shape
MARGIN = 0.2  # by which the habit must be right more often than the rules
SHOWN = 3  # examples that stand for a habit

CHAIN: Shape = ((), (1,))
STAR: Shape = ((), (), (1, 2))
_YES_NO = word_set("is are was were do does did can could has have had would will should may might must")
_OPEN = word_set(
    """a an the of in on at to for from by with within into onto over under between among across after before
    during since until about against near as like and or but nor not if so also too only than more most less
    least fewer there it its they their them he she his her that which who whom whose what when where how many
    much i you we my your our one two three any all every each some same other another ever
    never still just really very be been being get
    possible able likely aboard hypothetically theoretically technically usually often"""
)
_LINKS = word_set("of")
_OPTIONS = re.compile(r"[,:] ?(?P<one>[^,:?]+?) or (?P<other>[^,:?]+?)[?.]*$")
_WORD = re.compile(r"\w+(?:[-.&'’]\w+)*")


def kind(question: str) -> str:
    """Return what a habit holds for: how the question begins, and how many things it names (0 to 2)."""
    words = [word.lower() for word in _WORD.findall(question)]
    if not words or detect_language(question) != "en":
        return ""
    first = words[0]
    if first in _YES_NO:
        name = "yes/no"
    elif first in {"which", "who", "what"} and _OPTIONS.search(question):
        name = "choice"
    elif first == "how" and len(words) > 1:
        name = f"how {words[1]}"
    else:
        name = first
    return f"{name}, {min(2, len(things(question)))}"


@lru_cache(maxsize=4096)
def things(question: str) -> tuple[str, ...]:
    """Return what a question names: what it lets choose from, else its runs of words of content."""
    options = _OPTIONS.search(question)
    if options:
        return (options["one"].strip(), options["other"].strip())
    words = _WORD.findall(question.rstrip("?？. "))[1:]
    found: list[list[str]] = []
    joined = False
    for at, word in enumerate(words):
        low = word.lower()
        if low in _LINKS and found and joined:
            found[-1].append(word)
        elif low in _OPEN or low in _YES_NO:
            # "the deck of the Titanic" stays together.
            joined = joined and at > 0 and words[at - 1].lower() in _LINKS and low in {"a", "an", "the"}
            if joined:
                found[-1].append(word)
        else:
            if joined:
                found[-1].append(word)
            else:
                found.append([word])
            joined = True
    return tuple(dict.fromkeys(" ".join(_name(run)) for run in found))


def _name(run: list[str]) -> list[str]:
    """Return the name within a run, the whole run where there is none."""
    capitals = [n for n, word in enumerate(run) if word[0].isupper()]
    if not capitals:
        return run
    first = 0 if _LINKS & set(run[: capitals[0]]) else capitals[0]
    return run[first : capitals[-1] + 1]


def shape_of(parts: Sequence[PartDraft]) -> Shape:
    """Return who needs whom, by place."""
    place = {part.id: n for n, part in enumerate(parts, start=1)}
    return tuple(tuple(sorted(place[n] for n in part.depends_on if n in place)) for part in parts)


def drafts(plan: Plan) -> tuple[PartDraft, ...]:
    return tuple(
        PartDraft(id=part.id, question=part.question, type=part.type, depends_on=part.depends_on)
        for part in plan.parts
    )


def habit(question: str, plans: Iterable[Plan], rules: Rules) -> tuple[Plan, ...]:
    """Return accepted plans that stand for how questions of this kind are cut, () where there is no habit."""
    wanted = kind(question)
    group = [plan for plan in plans if wanted and kind(plan.question) == wanted]
    if len(group) < ENOUGH:
        return ()
    shapes = Counter(shape_of(drafts(plan)) for plan in group)
    shape, times = shapes.most_common(1)[0]
    if shape not in {CHAIN, STAR} or times < SHARE * len(group):
        return ()
    corrected = [plan for plan in group if shape_of(rules(plan.question)) != shape_of(drafts(plan))]
    right = len(group) - len(corrected)
    if times - right < MARGIN * len(group):
        return ()
    return tuple(plan for plan in corrected if shape_of(drafts(plan)) == shape)[:SHOWN]


def follow(question: str, plans: Sequence[Plan], rules: Rules) -> tuple[PartDraft, ...]:
    """Return the parts as the habit of these examples has it, () where they do not agree on one.

    They must be of the question's kind, of one shape, and each must be one the rules get wrong.
    """
    wanted = kind(question)
    shapes = Counter(
        shape_of(drafts(plan))
        for plan in plans
        if wanted and kind(plan.question) == wanted
        if shape_of(rules(plan.question)) != shape_of(drafts(plan))
    )
    if not shapes:
        return ()
    shape, times = shapes.most_common(1)[0]
    if times < SHOWN:
        return ()
    return _cut(question, shape)


def _cut(question: str, shape: Shape) -> tuple[PartDraft, ...]:
    """Look up what the question names, then ask it with what was found; () where it names too little."""
    bare = question.rstrip("?？. ")
    counted = re.match(r"how many (?!more\b|less\b|fewer\b|times\b)(.+)", bare, re.IGNORECASE)
    if counted and shape == CHAIN:
        return (
            PartDraft(id=1, question=f"Which {counted[1]}?", type="bridging"),
            PartDraft(id=2, question="How many are #1?", type="quantitative", depends_on=(1,)),
        )
    named = things(question)
    leaves = len(shape) - 1
    if len(named) < leaves or not kind(question).startswith(("yes/no", "choice")):
        return ()
    parts = [
        PartDraft(id=n, question=f"What is known about {thing}?", type="bridging")
        for n, thing in enumerate(named[:leaves], start=1)
    ]
    given = " and ".join(f"#{n}" for n in range(1, leaves + 1))
    last = PartDraft(
        id=leaves + 1,
        question=f"{bare}, given {given}?",
        type="reasoning",
        depends_on=tuple(range(1, leaves + 1)),
    )
    return (*parts, last)
