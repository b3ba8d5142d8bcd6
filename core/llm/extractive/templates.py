"""Plans learnt by example: an accepted plan becomes a pattern with slots, which new questions may match.

Function words are the pattern, what stands between them are the slots: "What _ did the _ who _ ... at?". A
slot goes where its words went in the accepted plan. Words of the question that no part took over must be said
again by a new question, word for word; a part may say words of its own only where there are such words.
So a pattern is used where the new question is built the same way, and nowhere else.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.domain import Plan
from core.tasks import PartDraft
from core.text.tokens import detect_language, word_set

_TOKEN = re.compile(r"#\d+|['’]s\b|['’](?=\s)|\w+(?:[-.&]\w+)*|[^\w\s]")
_REFERENCE = re.compile(r"#\d+")
_FUNCTION = word_set(
    """what which who whom whose when where why how many much long far old a an the this that these those it
    its he she his her they their them him there is are was were be been being am do does did has have had can
    could would should will shall may might must of in on at to for from by with within without into onto over
    under between among across after before during since until about against around near than as like and or
    but nor not no if then so also too only both either neither each every all any some more most less least
    fewer first last second same other another such very just ever never one two three four five six seven
    eight nine ten hundred thousand 's ’s"""
)
# Words that say what to do with what was found; a part may always use them.
_WORKING = word_set(
    """return number sum difference total amount average highest lowest higher lower larger smaller earlier
    later older younger equal greater compare true false included include known years year name names"""
)
_ALIKE = {
    **dict.fromkeys(("a", "an", "the"), "the"),
    **dict.fromkeys(("is", "are", "was", "were"), "is"),
    **dict.fromkeys(("do", "does", "did"), "do"),
    **dict.fromkeys(("has", "have", "had"), "has"),
    **dict.fromkeys(("’s", "'", "’"), "'s"),
}
_LONGEST = 12  # words of a slot


@dataclass(frozen=True)
class Slot:
    """A run of words of the question: what stood there, whether it is a name, how a part bends it."""

    number: int
    words: tuple[str, ...]
    named: bool
    ending: Literal["", "+s", "-s"] = ""  # how a part bends the last word: "names" -> "name"


@dataclass(frozen=True)
class Template:
    """The pattern of a question (literal words and slots) and of the parts of its plan."""

    question: tuple[str | Slot, ...]
    parts: tuple[tuple[tuple[str | Slot, ...], PartDraft], ...]

    @property
    def shape(self) -> tuple[tuple[int, ...], ...]:
        """Return who needs whom: the skeleton of the plan."""
        return tuple(part.depends_on for _, part in self.parts)


def matching(question: str, plans: Iterable[Plan], limit: int = 3) -> tuple[Plan, ...]:
    """Return accepted plans whose pattern the question matches, in their order."""
    found: list[Plan] = []
    for plan in plans:
        if len(found) == limit:
            break
        template = induce(plan)
        if template is not None and _filled(template, question) is not None:
            found.append(plan)
    return tuple(found)


def apply(question: str, plans: Sequence[Plan]) -> tuple[PartDraft, ...]:
    """Return the parts most of the matching examples ask for, () where none matches."""
    made = [
        (template.shape, parts)
        for template in map(induce, plans)
        if template is not None and (parts := _filled(template, question)) is not None
    ]
    if not made:
        return ()
    shape, _ = Counter(shape for shape, _ in made).most_common(1)[0]
    return next(parts for one, parts in made if one == shape)


@lru_cache(maxsize=4096)
def induce(plan: Plan) -> Template | None:
    """Return the template of an accepted plan, or None for one that teaches no pattern."""
    if detect_language(plan.question) != "en" or not plan.parts:
        return None
    words = _words(plan.question)
    texts = [_words(part.question) for part in plan.parts]
    pattern, content = _pattern(words, texts)
    slots = [item for item in pattern if isinstance(item, Slot)]
    if not slots:
        return None
    parts = []
    for part, text in zip(plan.parts, texts, strict=True):
        laid = _laid(text, slots)
        own = [w for w in laid if isinstance(w, str) and w.isalnum() and _key(w) not in _FUNCTION | _WORKING]
        if own and not content:
            return None
        draft = PartDraft(id=part.id, question=part.question, type=part.type, depends_on=part.depends_on)
        parts.append((laid, draft))
    used = {slot.number for laid, _ in parts for slot in laid if isinstance(slot, Slot)}
    if used != {slot.number for slot in slots}:
        return None
    return Template(tuple(pattern), tuple(parts))


def _words(text: str) -> list[str]:
    return [word for word in _TOKEN.findall(text.strip().rstrip("?？. ")) if word not in {",", '"', "“", "”"}]


def _key(word: str) -> str:
    """Return the form by which words are compared: no capitals, no plural, articles and tenses alike."""
    low = word.lower()
    if low in _ALIKE:
        return _ALIKE[low]
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low


def _literal(word: str) -> bool:
    return word.lower() in _FUNCTION or not any(c.isalnum() for c in word)


def _named(words: Sequence[str], at: int) -> bool:
    """Say whether the word belongs to a name: a capital or a figure, not just the start of the question."""
    return (words[at][0].isupper() and at > 0) or words[at][0].isdigit()


def _pattern(words: Sequence[str], texts: Sequence[Sequence[str]]) -> tuple[list[str | Slot], bool]:
    """Return the question's pattern, and whether it holds words of content that must be said again."""
    held = [frozenset(map(_key, text)) for text in texts]
    pattern: list[str | Slot] = []
    run: list[str] = []
    mark: tuple[frozenset[int], bool] | None = None
    content, number = False, 0

    def close() -> None:
        nonlocal run, number
        if run and mark is not None:
            whole = all(_stands(run, texts[n]) for n in mark[0])
            for piece in [run] if whole else [[word] for word in run]:
                pattern.append(Slot(number, tuple(piece), mark[1]))
                number += 1
        run = []

    for at, word in enumerate(words):
        where = frozenset(n for n, text in enumerate(held) if _key(word) in text)
        if _literal(word) or not where:
            close()
            mark = None
            content = content or not _literal(word)
            pattern.append(word)
            continue
        here = (where, _named(words, at))
        if here != mark:
            close()
            mark = here
        run.append(word)
    close()
    return pattern, content


def _stands(run: Sequence[str], text: Sequence[str]) -> bool:
    """Say whether the words stand in the text one after the other."""
    keys, said = [_key(word) for word in run], [_key(word) for word in text]
    return any(said[at : at + len(keys)] == keys for at in range(len(said)))


def _laid(text: Sequence[str], slots: Sequence[Slot]) -> tuple[str | Slot, ...]:
    """Return the part's words with every slot's words replaced by the slot, longest first."""
    laid: list[str | Slot] = list(text)
    for slot in sorted(slots, key=lambda one: -len(one.words)):
        keys = [_key(word) for word in slot.words]
        for at in range(len(laid) - len(keys) + 1):
            piece = laid[at : at + len(keys)]
            if [_key(word) if isinstance(word, str) else None for word in piece] == keys:
                laid[at : at + len(keys)] = [replace(slot, ending=_ending(slot.words[-1], str(piece[-1])))]
                break
    return tuple(laid)


def _ending(said: str, bent: str) -> Literal["", "+s", "-s"]:
    if said.lower() == bent.lower() + "s":
        return "-s"
    return "+s" if bent.lower() == said.lower() + "s" else ""


def _bent(words: tuple[str, ...], ending: str) -> tuple[str, ...]:
    """Return the words with the last one bent as the example did."""
    last = words[-1].removesuffix("s") if ending == "-s" else words[-1]
    return (*words[:-1], f"{last}s" if ending == "+s" and not last.endswith("s") else last)


def _filled(template: Template, question: str) -> tuple[PartDraft, ...] | None:
    """Return the template's parts about the new question, None where it does not match."""
    words = _words(question)
    values = _match(template.question, words, 0, 0, {})
    if values is None:
        return None
    parts = []
    for laid, draft in template.parts:
        said = [
            word
            for item in laid
            for word in (_bent(values[item.number], item.ending) if isinstance(item, Slot) else (item,))
        ]
        parts.append(draft.model_copy(update={"question": _sentence(said, draft.question)}))
    return tuple(parts)


def _match(
    pattern: Sequence[str | Slot],
    words: Sequence[str],
    at: int,
    place: int,
    values: dict[int, tuple[str, ...]],
) -> dict[int, tuple[str, ...]] | None:
    """Return the words of each slot, from item `at` of the pattern and `place` of the words on."""
    if at == len(pattern):
        return values if place == len(words) else None
    item = pattern[at]
    if isinstance(item, str):
        if place < len(words) and _key(words[place]) == _key(item):
            return _match(pattern, words, at + 1, place + 1, values)
        return None
    crowded = any(0 <= n < len(pattern) and isinstance(pattern[n], Slot) for n in (at - 1, at + 1))
    sizes = (len(item.words),) if crowded else range(1, _LONGEST + 1)
    for size in sizes:
        run = words[place : place + size]
        if len(run) < size or any(map(_literal, run)):
            return None
        if any(_named(words, place + n) != item.named for n in range(size)):
            continue
        found = _match(pattern, words, at + 1, place + size, {**values, item.number: tuple(run)})
        if found is not None:
            return found
    return None


def _sentence(words: Sequence[str], model: str) -> str:
    """Join words to a question as the example has it: its capital and its question mark."""
    text = " ".join(words)
    text = re.sub(r"\s+(['’]s\b|['’](?=\s|$)|[,.?;:!)])", r"\1", text)
    text = re.sub(r"(\()\s+", r"\1", text)
    text = text[:1].upper() + text[1:] if model[:1].isupper() else text
    return text + ("?" if model.rstrip().endswith("?") and not text.endswith("?") else "")
