"""Finds what a text calls by a name: capitalised runs, codes, quoted titles, Chinese names.

These are candidates; whether a library knows a name is matched in `core.knowledge.search.name_matching`.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.sentences import sentence_spans
from core.text.tokens import STOPWORDS_EN, is_cjk
from core.text.word_lists import word_file, word_list


class Name(NamedTuple):
    """A name at [start, end) of a text."""

    start: int
    end: int
    text: str


_CAPITAL = "A-ZÀ-ÖØ-ÞĀ-Ž"
_LETTER = "a-zA-Z0-9À-ɏ"  # no Chinese: "ETCH-03报警" is a code and a word
_RUN = re.compile(
    rf"(?<![{_LETTER}-])[{_CAPITAL}][{_LETTER}’'&-]*(?:(?<=\b[{_CAPITAL}])\.)?"
    rf"(?:(?:(?<=\b[{_CAPITAL}]\.)|(?<=Dr|Mr|Ms|St|Jr)\.|(?<=Mrs)\.)?"
    rf"(?:\s(?:of|the|de|del|della|di|da|van|von|der|den|du|la|le|bin|ibn|for|&)){{0,2}}"
    rf"[ -][{_CAPITAL}0-9][{_LETTER}’'&-]*(?:(?<=\s[{_CAPITAL}])\.)?)*"
)
_CODE_OR_ACRONYM = re.compile(
    rf"(?<![{_LETTER}/.-])(?:[A-Z]{{1,6}}\d?(?:[-_]?[A-Z0-9]{{1,8}}){{0,3}}[-_]?\d{{1,6}}[A-Z]?(?:[-.]\d+)*"
    rf"|\d[A-Z](?![a-z])|[A-Z]{{2,6}}\d*)(?![{_LETTER}/])"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]|《([^》\n]{1,60})》")
_THING = re.compile(
    r"(?:The|This|A|An)\s((?:[a-z][\w-]*\s){1,3}?(?:[A-Z]{1,5}-?\d[\w-]*\s)?)"
    r"(?=is|was|are|were|has|had|will|can|must|should|\()"
)
_MARKER = re.compile(r"(?:\d{1,3}[.)]|[-*•·▪–—#>]+)\s*")
_AFTER_LABEL = re.compile(r"[:：]\s")
_AFTER_SUBJECT = re.compile(r"(?:'s|’s)?\s*(?:is|was|has|had|\(|died|were|are|,)")
_ZH = word_file("names")["zh"]
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:{_ZH['person_label']}|编制)[:：]\s?([\u4e00-\u9fff]{{2,4}})(?![\u4e00-\u9fff])",
        rf"([{_ZH['surname']}][\u4e00-\u9fff]{{1,2}}?)(?={_ZH['person_title']})",
        rf"(?:^|(?<=[，。、；：:\s的在由向与和及为是对从于]))([\u4e00-\u9fff]{{2,12}}?(?:{_ZH['organisation']}))",
        r"(?:^|(?<=[，。、；\s在于位到从]))"
        rf"((?:(?!的)[\u4e00-\u9fff]){{2,8}}?(?:{_ZH['place']}))(?![\u4e00-\u9fff]?(?:长|民))",
    )
)
_NO_NAME = STOPWORDS_EN | word_list("names", "no_name")
# the label of a structured abstract and the sentence after it: "METHODS We searched"
_PRONOUN_BEHIND = re.compile(r" (?:We|They|He|She|This|These|Those|Our|Their|Its|There)$")
# "有什么区别" names no district, "这家公司" no company
_NO_NAME_ZH = re.compile("什么|哪|谁|多少|^(?:[该此]|[这那][一几些]?[家所个座])")
_NO_ACRONYM = word_list("names", "no_acronym")


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the sentence spans of a text; kept, because several rules read the same piece in a row."""
    return tuple(sentence_spans(text))


@lru_cache(maxsize=1024)
def names_in(text: str) -> tuple[Name, ...]:
    """Return the names in order of appearance, never overlapping."""
    starts = {start + _marker(text, start) for start, _ in sentences_of(text)}
    starts |= {match.end() for match in _AFTER_LABEL.finditer(text)}
    found = [*_runs(text, starts), *_codes(text)]
    for match in _QUOTED.finditer(text):
        group = 1 if match.group(1) else 2
        quoted = match.group(group).strip(" ,.")
        if group == 2 or (quoted[:1].isupper() and len(quoted.split()) <= 10):
            found.append(Name(*match.span(group), quoted))
    if is_cjk(text):
        for pattern in _CHINESE:
            for match in pattern.finditer(text):
                name = match.group(1).lstrip("于在位到从至由为是")
                if not _NO_NAME_ZH.search(name):
                    found.append(Name(match.end(1) - len(name), match.end(1), name))
    disjoint: list[Name] = []
    for name in sorted(found, key=lambda each: (each.start, -each.end)):
        if name.text and (not disjoint or name.start >= disjoint[-1].end):
            disjoint.append(name)
    return tuple(disjoint)


def thing_at_start(text: str, start: int = 0) -> str:
    """Return what a sentence without a name is about: "The dry pump is ..." gives "dry pump", or ""."""
    match = _THING.match(text, start)
    return match.group(1).strip() if match else ""


def is_code(name: str) -> bool:
    """Say whether a name is an identifier: capitals and digits without a space."""
    return _CODE_OR_ACRONYM.fullmatch(name) is not None and any(char.isdigit() for char in name)


def _marker(text: str, start: int) -> int:
    marker = _MARKER.match(text, start)
    return marker.end() - start if marker else 0


def _runs(text: str, starts: set[int]) -> list[Name]:
    found = []
    for match in _RUN.finditer(text):
        at_start = match.start() in starts
        start, end = _trim(text, *match.span(), at_start)
        name = text[start:end]
        if len(name) < 2 or name[0].isdigit() or (name.isupper() and len(name) < 5 and " " not in name):
            continue
        alone = at_start and start == match.start() and " " not in name
        if alone and text.count(name) < 2 and not _AFTER_SUBJECT.match(text[end : end + 12]):
            continue
        found.append(Name(start, end, name))
    return found


def _trim(text: str, start: int, end: int, at_start: bool) -> tuple[int, int]:
    """Cut words of grammar from the front of a capitalised run; an empty span says that nothing is left."""
    while start < end:
        word = re.match(r"[^\s-]+", text[start:end])
        first = word.group() if word else text[start:end]
        bare = first.strip(".'’").lower()
        lone = start + len(first) == end
        common = bare in _NO_NAME or (at_start and lone and bare.endswith(("ing", "ly", "ed")))
        if not common or (bare in {"new", "one", "two", "first"} and not lone):
            break
        start += len(first)
        while start < end and text[start] in " -":
            start += 1
        at_start = False
    piece = _PRONOUN_BEHIND.sub("", text[start:end]).rstrip("’'-&")
    return start, start + len(piece.removesuffix("'s").removesuffix("’s"))


def _codes(text: str) -> list[Name]:
    return [
        Name(*match.span(), match.group())
        for match in _CODE_OR_ACRONYM.finditer(text)
        if match.group() not in _NO_ACRONYM and (len(match.group()) > 2 or not match.group().isalpha())
    ]
