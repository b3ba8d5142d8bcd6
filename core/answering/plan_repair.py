"""Repairs a plan into a DAG of a few parts, and reports every repair.

Splitting to at most so many parts (five there) and keeping the original question: arXiv 2507.00355.
"""

import re
from collections.abc import Sequence

from core.domain import Plan, SubQuestion
from core.tasks import PartDraft
from core.text.open_references import REFERENCE
from core.text.tokens import jaccard, words

_TOKEN = re.compile(r"\s+")


def repair(
    drafts: Sequence[PartDraft], question: str, most: int, *, shown: bool = False
) -> tuple[tuple[SubQuestion, ...], tuple[str, ...]]:
    """Return parts that form a DAG, numbered from 1, at most `most`; and each repair as a sentence.

    Parts that are `shown` to a reader, who changes some, keep their order as far as needs allow.
    """
    repairs: list[str] = []
    parts = _numbered(drafts, repairs)
    parts = _without_duplicates(parts, repairs)
    parts = _sound_references(parts, repairs)
    parts = _without_cycles(parts, repairs)
    while len(parts) > most:
        parts = _merge_nearest(parts, repairs)
    parts = _in_order(parts, shown)
    if not parts:
        if drafts:
            repairs.append("No part could be kept; the question is asked as it stands.")
        parts = [SubQuestion(id=1, question=question)]
    return tuple(parts), tuple(repairs)


def _numbered(drafts: Sequence[PartDraft], texts: list[str]) -> list[SubQuestion]:
    """Drop empty parts, and give a number used twice to the first that has it."""
    parts: list[SubQuestion] = []
    used: set[int] = set()
    for draft in drafts:
        text = _TOKEN.sub(" ", draft.question).strip()
        if not text or not any(c.isalnum() for c in REFERENCE.sub("", text)):
            texts.append(f"Part {draft.id} asked nothing and was dropped.")
            continue
        number = draft.id
        if number in used:
            number = max(used) + 1
            texts.append(f"Two parts were numbered {draft.id}; the second became {number}.")
        used.add(number)
        parts.append(SubQuestion(id=number, question=text, type=draft.type, depends_on=draft.depends_on))
    return parts


def _without_duplicates(parts: list[SubQuestion], texts: list[str]) -> list[SubQuestion]:
    """Keep the first of parts that ask the same, and point references to it."""
    first: dict[str, int] = {}
    same: dict[int, int] = {}
    unique: list[SubQuestion] = []
    for part in parts:
        key = part.question.casefold().rstrip("?？. ")
        if key in first:
            same[part.id] = first[key]
            texts.append(f"Part {part.id} repeats part {first[key]} and was dropped.")
        else:
            first[key] = part.id
            unique.append(part)
    return [_renamed(part, same) for part in unique] if same else unique


def _renamed(part: SubQuestion, names: dict[int, int]) -> SubQuestion:
    """Return the part with its own number and its references changed as `names` says."""
    text = REFERENCE.sub(lambda m: f"#{names.get(int(m.group(1)), int(m.group(1)))}", part.question)
    needs = tuple(dict.fromkeys(names.get(n, n) for n in part.depends_on))
    return part.model_copy(update={"id": names.get(part.id, part.id), "question": text, "depends_on": needs})


def _sound_references(parts: list[SubQuestion], texts: list[str]) -> list[SubQuestion]:
    """Take away references to the part itself or to no part; add those that are in the text only."""
    known = {part.id for part in parts}
    repaired: list[SubQuestion] = []
    for part in parts:
        named = [int(n) for n in REFERENCE.findall(part.question)]
        wanted = dict.fromkeys([*part.depends_on, *named])
        sound = tuple(sorted(n for n in wanted if n in known and n != part.id))
        text = part.question
        for number in wanted:
            if number not in sound:
                whom = "itself" if number == part.id else f"part {number}, which does not exist"
                texts.append(f"Part {part.id} referred to {whom}; the reference was taken out.")
                text = _unreferred(text, number)
        unsaid = [n for n in named if n in sound and n not in part.depends_on]
        if unsaid:
            texts.append(f"Part {part.id} uses #{', #'.join(map(str, unsaid))}: the dependency was added.")
        repaired.append(part.model_copy(update={"question": text, "depends_on": sound}))
    return repaired


def _unreferred(text: str, number: int) -> str:
    return re.sub(rf"#{number}(?!\d)", "it", text)


def _without_cycles(parts: list[SubQuestion], texts: list[str]) -> list[SubQuestion]:
    """Cut each dependency that would close a circle; the earlier part goes first."""
    needs: dict[int, set[int]] = {part.id: set() for part in parts}

    def reaches(start: int, goal: int) -> bool:
        return start == goal or any(reaches(n, goal) for n in needs[start])

    acyclic: list[SubQuestion] = []
    # Dependencies that point backwards are laid first, so that a circle is cut where it points forwards.
    edges = [(part.id, n) for part in parts for n in part.depends_on]
    cut: set[tuple[int, int]] = set()
    for part_id, need in sorted(edges, key=lambda edge: (edge[1] > edge[0], edge)):
        if reaches(need, part_id):
            cut.add((part_id, need))
            texts.append(f"Parts {need} and {part_id} waited for each other; part {part_id} goes first.")
        else:
            needs[part_id].add(need)
    for part in parts:
        text = part.question
        for need in part.depends_on:
            if (part.id, need) in cut:
                text = _unreferred(text, need)
        acyclic.append(
            part.model_copy(update={"question": text, "depends_on": tuple(sorted(needs[part.id]))})
        )
    return acyclic


def _merge_nearest(parts: list[SubQuestion], texts: list[str]) -> list[SubQuestion]:
    """Join the two parts that are most alike and do not wait for each other, not even through others."""
    before = _ancestors(parts)
    pairs = [
        (jaccard(words(a.question), words(b.question)), -i, -j)
        for i, a in enumerate(parts)
        for j, b in enumerate(parts)
        if i < j and a.id not in before[b.id] and b.id not in before[a.id]
    ]
    if not pairs:  # one long chain: its last part goes, the original question is still asked
        last = _in_order(parts)[-1]
        texts.append("The chain had too many parts; the last one is left to the original question.")
        return _in_order(parts)[: last.id - 1]
    _, i, j = max(pairs)
    a, b = parts[-i], parts[-j]
    both = f"{a.question.rstrip('?？. ')}; {b.question}"
    joined = a.model_copy(
        update={"question": both, "depends_on": tuple(sorted({*a.depends_on, *b.depends_on}))}
    )
    texts.append(f"Parts {a.id} and {b.id} are alike and were joined, to keep the plan short.")
    rest = [joined if part is a else part for part in parts if part is not b]
    return [_renamed(part, {b.id: a.id}) for part in rest]


def _ancestors(parts: list[SubQuestion]) -> dict[int, set[int]]:
    needs = {part.id: set(part.depends_on) for part in parts}
    for _ in parts:
        for number in needs:
            needs[number] |= {far for near in needs[number] for far in needs.get(near, set())}
    return needs


def _in_order(parts: list[SubQuestion], shown: bool = False) -> list[SubQuestion]:
    """Number the parts from 1, wave by wave, so that they are worked on and shown in the order of numbers;
    those that are shown already stay in order where each depends only on smaller numbers."""
    ordered = [part for wave in Plan(question="", parts=tuple(parts)).waves() for part in wave]
    if shown and all(n < part.id for part in parts for n in part.depends_on):
        ordered = sorted(parts, key=lambda part: part.id)
    names = {part.id: place for place, part in enumerate(ordered, 1)}
    return [_renamed(part, names) for part in ordered]
