"""What a sentence plainly says about how two things relate, found without a parser.

Each pattern wants the subject at the head of the sentence, the words of the relation right behind it and a
name right behind those, in the manner of ReVerb (Fader, Soderland and Etzioni, "Identifying relations for
open information extraction", EMNLP 2011). What is between them is the predicate, in the words of the text.
Everything else is passed over: two names in one sentence are no relation.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.llm.builtin.enrich.entity_names import is_common
from core.text.brackets import PARENTHESISED
from core.text.english_words import lower_case_stems
from core.text.proper_names import Name, is_code, names_in
from core.text.tokens import stem, word_set
from core.text.word_lists import word_list

_ASIDE = r"(?: ?\([^()]{1,60}\))?"
_BE = r"(?:is|was|are|were|has been|have been)"
_ADVERB = r"(?:(?:also|originally|first|later|now|currently|formerly|jointly|officially|[a-z]{3,}ly) )?"
_IRREGULAR = (
    "built|made|born|held|led|won|sold|found|set|shot|written|taken|driven|fed|drawn|cut|kept|run|bought"
)
_PARTICIPLE = rf"(?:[a-z]{{2,}}ed|{_IRREGULAR})"
_PREPOSITION = r"(?:by|in|from|of|to|at|with|on|for|into)"
_NOUN = r"(?:(?!of\b|in\b|for\b|from\b|at\b|near\b|that\b|which\b)[a-z][a-z’'-]+)"
# what stands between the subject and the object; p is the predicate
_PASSIVE = re.compile(rf"{_ASIDE} {_BE} {_ADVERB}(?P<p>{_PARTICIPLE} {_PREPOSITION}) (?:the )?")
_NOMINAL = re.compile(
    rf"{_ASIDE} (?:is|was|are|were) (?:also )?(?:the|an?) "
    rf"(?P<p>(?:{_NOUN} ){{1,3}}(?:of|in|for|from|at|near)) (?:the )?"
)
_DEFINED = re.compile(
    rf"{_ASIDE} (?:is|was) an? (?:(?!{_PREPOSITION} |that |which |who |and |or )[\w’'-]+ ){{1,8}}?"
    rf"(?P<p>(?!set |cut |shot |run ){_PARTICIPLE} by) (?:the )?"  # "a box set by" is a set
)
_ACTIVE = re.compile(
    rf"{_ASIDE} {_ADVERB}(?P<p>[a-z]+(?:ed|s)|made|built|won|led|wrote|sold|held|bought|fed) (?:the )?"
)
_NO_ACTIVE = word_list("enrichment", "no_relation_verb")
_NO_PASSIVE = re.compile(
    r"(?:needed|expected|supposed|allowed|required|used|able|interested|involved|said) (?:to|in)$"
)
_NO_NOUN = word_list("enrichment", "no_relation_noun")
_AFTER_A_NAME = word_set(
    """and or but in on at by for from with to of as after before during since until when where while which
    who that under over into near between through within because although"""
)
_OF = re.compile(r" (?:of|for) ")
_NAMED_AFTER = re.compile(  # the name continues: "Committee on Culture", "Order in Council", "Wall to Wall"
    r".*(?:[Cc]ommittee|Commission|Council|Conference|Convention|Treaty|Panel|Act|Symposium|Task Force)\n"
    r"(?:on|for|against) [A-Z]|.*Orders?\nin [A-Z]|(?:.* )?(\w+)\nto \1\b"
)
_LEGAL = re.compile(r", (?:Inc|Ltd|LLC|LLP|L\.P|PLC|plc|S\.A|N\.V|GmbH|Co|Corp|Limited)\b\.?(?!\w)")
_COMPANY = re.compile(r" (?:Co|Company|Corp|Corporation|Inc|Ltd|Limited|LLC|LLP|PLC|Plc|GmbH|AG|Sons)$")
_RANKED = re.compile(r"^(?:only|most|least|[a-z]+est)\b")  # holds only within the bounds that are said
_CAUSES = word_list("enrichment", "causing_verb")
_LABEL = re.compile(r"[A-Z]{5,} (?P<rest>[A-Z]?[a-z]+)$")  # "METHODS Participants"
_SCORE = re.compile(r" \d+[-–]\d+$")  # "beat the Oilers 61-7"
_CLOSED = re.compile(r"[.;,)]|$")
_COMMON = re.compile(
    r"(?:The|An?|Each|Every) ([a-z][\w-]*(?: (?!is\b|was\b|are\b|were\b)[a-z0-9][\w-]*){0,3})"
)
_ZH = re.compile(
    r"(?P<s>[^，。；：:、\s的]{2,16}?)(?P<v>由(?=.*(?:制造|供货|供应|提供|生产|设计|负责|批准|编写|执导|创立)$)|位于|坐落于|隶属于|属于|取代了|采用)"
    r"\s?(?P<o>[^，。；：:、\s的]{2,20}?)(?P<d>制造|供货|供应|提供|生产|设计|负责|批准|编写|执导|创立)?"
)
_CLAUSE_ZH = re.compile(r"[，。；！？]")
_ASIDE_ZH = re.compile(PARENTHESISED)
_NO_END_ZH = re.compile(
    r"^(?:该|此|这|那|其|它|他|她|本|我|因|但|而|并|如|若|当|在|从|将|也|都|均|由|被|一|两|三|不|没)|[了着过等]$|我们|他们"
)


class Triple(NamedTuple):
    """What a sentence says: subject, predicate in the words of the text, object."""

    subject: str
    predicate: str
    object: str


def relations_of(sentence: str, title: str, technical: bool = False) -> Iterator[Triple]:
    """Yield what an English sentence says of what it begins with.

    In a `technical` text, one in sections, "the chuck" is a name where it says by what or whom it is done;
    elsewhere the reader would ask which.
    """
    names = names_in(sentence)
    for subject, at, named in _subjects(sentence, names, title):
        for pattern in (_PASSIVE, _NOMINAL, _DEFINED, _ACTIVE):
            match = pattern.match(sentence, at)
            if match is None or not _is_relation(pattern, match["p"]):
                continue
            first = next((n for n in names if n.start == match.end()), None)
            plain = (
                named or (technical and match["p"].endswith(" by")) or is_code(first.text if first else "")
            )
            does = pattern is _ACTIVE or pattern is _PASSIVE
            vague = (
                does and named and is_common(subject) and subject not in title.split()
            )  # "Music was composed by"
            if first is None or vague or not plain or (pattern is _ACTIVE and not named):
                continue
            if _continues_with_to(pattern, match["p"], sentence[first.end :]):
                continue
            if _RANKED.match(match["p"]) and not _CLOSED.match(sentence, first.end):
                continue
            if match["p"].endswith(" by") and " for " in first.text:
                continue  # "directed by Ann Lee for Brandt Works", "funded by the Centre for Ocean Science"
            objects = [name.text for name in _listed(sentence, first, names)]
            about = title if named and is_common(subject) and subject == _head(title) else subject
            yield from (Triple(about, match["p"], _SCORE.sub("", each)) for each in objects if each != about)
            return


def relations_zh(sentence: str) -> Iterator[Triple]:
    """Yield what the clauses of a Chinese sentence say: who makes, where it lies, what it belongs to."""
    for clause in _CLAUSE_ZH.split(_ASIDE_ZH.sub("", sentence)):
        match = _ZH.fullmatch(clause.strip())
        if match is None or _NO_END_ZH.search(match["s"]) or _NO_END_ZH.search(match["o"]):
            continue
        if (match["v"] == "由") == bool(match["d"]):
            yield Triple(match["s"], f"由…{match['d']}" if match["d"] else match["v"], match["o"])


def _subjects(sentence: str, names: tuple[Name, ...], title: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a sentence can be about, where that ends, and whether it is a name."""
    if title and sentence.startswith(title):
        yield title, len(title), True
    elif names and names[0].start == (4 if sentence.startswith("The ") else 0):
        if (label := _LABEL.match(names[0].text)) and is_common(label["rest"].capitalize()):
            return
        yield names[0].text, names[0].end, True
    elif match := _COMMON.match(sentence):
        yield match[1], match.end(), False


def _head(title: str) -> str:
    """Return the noun a title is about: "Foundation" of "The Artist Foundation of Sandrey"."""
    return (title.split(" of ")[0].split() or [""])[-1]


def _is_relation(pattern: re.Pattern[str], predicate: str) -> bool:
    if pattern is _ACTIVE:
        return predicate not in _NO_ACTIVE and stem(predicate) in lower_case_stems()
    if pattern is _NOMINAL:
        return _NO_NOUN.isdisjoint(predicate.split())
    return not _NO_PASSIVE.search(predicate)


def _continues_with_to(pattern: re.Pattern[str], predicate: str, rest: str) -> bool:
    """Say whether what follows is part of what is said: "route from Velm to Sandrey", "allowed Ann to go"."""
    if not rest.startswith(" to "):
        return False
    return predicate.endswith(" from") or (pattern is _ACTIVE and predicate in _CAUSES)


def _listed(sentence: str, first: Name, names: tuple[Name, ...]) -> Iterator[Name]:
    """Yield the object and, where nothing else can follow, the one joined to it by "and"."""
    joined = sentence.startswith((" and ", " & "), first.end)
    if not _ends(sentence, first.end) or (joined and _OF.search(first.text)):
        return  # "the Department of Conservation and Recreation" is one name
    if joined and all(is_common(word) for word in first.text.split()):
        return  # "North and South Sandrey"
    if _NAMED_AFTER.match(f"{first.text}\n{sentence[first.end :].lstrip()}"):
        return
    if legal := _LEGAL.match(sentence, first.end):
        first = Name(first.start, legal.end(), first.text + legal.group())
    second = next((n for n in names if joined and n.start - first.end in (3, 5)), None)
    if second is None:
        yield first
    elif re.match(r"[.;]|$", sentence[second.end :]) and not _COMPANY.search(second.text):
        yield from (first, second)  # "Aircraft Manufacturing and Design Co." may be one name


def _ends(sentence: str, at: int) -> bool:
    """Say whether a name ends there: no possessive, no noun it stands before, no verb of its own."""
    match = re.match(r"[\"”]?(?:\s\([^()]*\))?(?:$|\.(?![a-z])|[;,)]|\s\(|\s([\w’'-]+))", sentence[at:])
    return match is not None and (match[1] is None or match[1] in _AFTER_A_NAME)
