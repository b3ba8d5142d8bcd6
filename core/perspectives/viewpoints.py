"""The viewpoints there are (data, `viewpoints.toml`), chosen for a question by its words or the reader."""

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from core.domain import CouncilRole, identify
from core.perspectives.lens import fits
from core.tasks import Viewpoint
from core.text.tokens import content_words, is_cjk, word_set

READER = "reader"
MIN_VIEWPOINTS, MAX_VIEWPOINTS = 3, 5  # viewpoints of a question
_FILE = Path(__file__).with_name("viewpoints.toml")
_EMPTY = word_set("care cares about think thinks ask asks want wants like look looks")


@lru_cache(maxsize=2)
def all_viewpoints(language: str) -> tuple[CouncilRole, ...]:
    """Return the viewpoints there are, named in the language, with words of both."""
    ours = "zh" if language.startswith("zh") else "en"
    theirs = "en" if ours == "zh" else "zh"
    return tuple(
        CouncilRole(
            id=viewpoint["id"],
            name=viewpoint["name"][ours],
            cares=viewpoint["cares"][ours],
            terms=(*viewpoint["words"][ours].split(), *viewpoint["words"][theirs].split()),
            tags=tuple(viewpoint["reads"].split()),
            sections=tuple(viewpoint["reads"].split()),
            sceptic=viewpoint.get("sceptic", False),
        )
        for viewpoint in tomllib.loads(_FILE.read_text(encoding="utf-8"))["viewpoint"]
    )


def known(role_id: str, language: str) -> CouncilRole:
    """Return the viewpoint with this id. Raises KeyError."""
    return {role.id: role for role in all_viewpoints(language)}[role_id]


def written(text: str, language: str) -> CouncilRole:
    """Return the viewpoint a reader asked for: a known one by id or name, or a new one.

    A new one is written "Name: what it cares about"; its lens is the words of that sentence.
    """
    wanted = text.strip()
    for tongue in (language, "en", "zh"):
        for role in all_viewpoints(tongue):
            if wanted.casefold() in {role.id, role.name.casefold()}:
                return role if tongue == language else known(role.id, language)
    name, _, cares = re.sub("：", ":", wanted, count=1).partition(":")
    lens = _lens(cares.strip() or name)
    return CouncilRole(
        id=f"own-{identify(wanted)[:6]}",
        name=name.strip(),
        cares=cares.strip(),
        terms=lens,
        tags=lens,
        sections=lens,
        by=READER,
    )


def chosen(question: str, tags: Sequence[str], most: int, language: str) -> tuple[CouncilRole, ...]:
    """Return 3 to 5 viewpoints for a question, the last one a sceptic: those whose words the question and the
    library's tags meet most."""
    asked = set(content_words(question))
    roles = all_viewpoints(language)

    def relevance(role: CouncilRole) -> float:
        lens = {word for term in role.terms for word in content_words(term)}
        return 2.0 * len(lens & asked) + 0.1 * min(sum(fits(tag, role.tags) for tag in tags), 8)

    others = sorted((role for role in roles if not role.sceptic), key=relevance, reverse=True)
    room = max(MIN_VIEWPOINTS, min(most, MAX_VIEWPOINTS)) - 1
    return (*others[:room], *(role for role in roles if role.sceptic))


def as_viewpoint(role: CouncilRole) -> Viewpoint:
    """Return a role as tasks hold it."""
    return Viewpoint(id=role.id, name=role.name, cares=role.cares or role.voice, words=role.terms)


def _lens(text: str) -> tuple[str, ...]:
    """Return the words a written sentence looks for, as they are in it."""
    if is_cjk(text):
        return tuple(dict.fromkeys(content_words(text)))
    plain = re.findall(r"[\w-]+", text.lower())
    return tuple(dict.fromkeys(word for word in plain if word not in _EMPTY and content_words(word)))
