"""The lens of a role: its search queries, and how it ranks the passages found."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.domain import CouncilRole, Passage
from core.i18n.messages import mark
from core.text.codes import codes_of_any_case
from core.text.tokens import content_words, is_cjk

LENS = mark("searched from the viewpoint of {role}")
MAX_LENS_WORDS = 6  # lens words of the question's language in the first query
MAX_OTHER_LANGUAGE_WORDS = 5  # of the other language in the second
MAX_TOPICS = 6


def queries(question: str, role: CouncilRole, tags: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the role's searches: each a query and the tags it is limited to (none: the whole library).

    The question with the lens' words; the things it names with the words of the other language, since
    codes are the same in all; and the question within the tags that fit the lens.
    """
    ours = [term for term in role.terms if is_cjk(term) == is_cjk(question)]
    theirs = [term for term in role.terms if is_cjk(term) != is_cjk(question)]
    named = " ".join(dict.fromkeys(codes_of_any_case(question)))
    found: list[tuple[str, tuple[str, ...]]] = [(f"{question} {' '.join(ours[:MAX_LENS_WORDS])}", ())]
    if ours[MAX_LENS_WORDS:]:
        found.append((f"{named or question} {' '.join(ours[MAX_LENS_WORDS:])}", ()))
    if theirs:
        found.append((f"{named} {' '.join(theirs[:MAX_OTHER_LANGUAGE_WORDS])}".strip(), ()))
    topics = tuple(tag for tag in tags if fits(tag, role.tags))[:MAX_TOPICS]
    if topics:
        found.append((question, topics))
    return tuple(found)


def fits(text: str, beginnings: Sequence[str]) -> bool:
    """Say whether a word of a tag or heading begins as one of the lens' words does."""
    lowered = text.lower()
    words = re.findall(r"\w+", lowered)
    return any(
        one in lowered if is_cjk(one) else any(word.startswith(one.lower()) for word in words)
        for one in beginnings
    )


def hits(text: str, role: CouncilRole) -> int:
    """Count the different words of the lens a text holds."""
    return len(_lens_words(role.terms) & set(content_words(text)))


@lru_cache(maxsize=256)
def _lens_words(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for term in terms for word in content_words(term))


def first(role: CouncilRole, found: Sequence[Sequence[Passage]], keep: int) -> tuple[Passage, ...]:
    """Return the passages the role reads first: found early, and about what it cares for.

    Standing is reciprocal rank over its searches; the lens multiplies it: up to 3 times for its words, once
    more for a heading of its kind.
    """
    rank_scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for search in found:
        for rank, passage in enumerate(search):
            rank_scores[passage.chunk.id] = rank_scores.get(passage.chunk.id, 0.0) + 1 / (5 + rank)
            passages.setdefault(passage.chunk.id, passage)

    def weight(chunk_id: str) -> float:
        chunk = passages[chunk_id].chunk
        heading = " ".join((*chunk.heading_path, passages[chunk_id].document_title))
        near = min(hits(chunk.passage_text(), role), 6) / 3
        return rank_scores[chunk_id] * (1 + near + fits(heading, role.sections))

    best = sorted(passages, key=lambda chunk_id: (-weight(chunk_id), chunk_id))
    return tuple(
        passages[chunk_id].model_copy(update={"why": (*passages[chunk_id].why, LENS.format(role=role.name))})
        for chunk_id in best[:keep]
    )
