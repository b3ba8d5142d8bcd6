"""Words that a tagger mistakes for nouns and that the sentence needs as verbs.

A question that begins with "does" waits for a verb, and so does every relative clause: "which meeting does
the person who leads the office chair" has one verb too few while "chair" is a noun.
"""

import re

from core.llm.builtin.understand.tagged_words import NOUN_PHRASE, TaggedWord, may_be_verb, shape_of

_VERBLESS = re.compile(
    r"^[^x]*x(?:D?[jsoca]*(?:[nmN#k]'?[jsoca]*)*[nmN#k](?:[fp][DA]?[jsoc]*[nmN]+)*)(?P<verb>[nm])(?=$"
    r"|[pfTDaA,])"
)
_ASKED_WITH = re.compile(r"^(?:[pf]?w[jnmacA]*)?(?P<with>x)")
_OWN_VERB = re.compile(r"(?:[xb]a*)+[egivb]?|(?<!T)[vi]")
# Where a word in -s is a verb: behind the subject of a clause; behind "who", or where nothing else is one
_IN_S = (
    re.compile(rf"r{NOUN_PHRASE}(?<=[nN#])(?P<verb>m)(?=$|[pfTDAa,N]|e$)"),
    re.compile(r"^w(?P<verb>m)(?=[DAhN#])"),
    re.compile(r"^w[jn]*n(?P<verb>m)(?=[DAhN#n])(?!.*[vbxie])"),
)
_BEHIND_THAT = re.compile(r"r(?P<verb>m)(?=[DAhjcN#k]|n+[N#c])")  # "the pump that powers A"
_ASKED_LATE = re.compile(r"(?<=p)r(?=[jn]*[nm]?$)")  # "works for which firm" asks, it describes nothing
_STATED = re.compile(
    r"^[DAhjnmN#].*r[^vbx]*[vbx].*[pf]?w"
)  # "the lawyer who represents A works for which firm"
_DESCRIBED = re.compile(r"r[^vbx]*[vbx]|ne")
_DOER = re.compile(r"(?<=[nmN])v(?=p)")


def with_verbs(words: list[TaggedWord]) -> tuple[TaggedWord, ...]:
    """Return the words of a question with the verbs that it waits for."""
    _doers(words)
    _verbs_in_s(words)
    _verb_of_the_question(words)
    shape = shape_of(words)
    plural = re.match(r"[pf]?wb[DAh]?[jsocan]*n(?P<noun>v)", shape)
    if plural is not None and words[plural.start("noun")].tag == "VVZ":  # "what are the dog breeds"
        at = plural.start("noun")
        words[at] = words[at]._replace(letter="m", tag="NN2")
    return tuple(words)


def _doers(words: list[TaggedWord]) -> None:
    """Read "the coffee bought by A" and "of the camera mounted on A" as what is done to them, but not the
    only verb of a statement: "the price rose by 12 percent"."""
    shape = shape_of(words)
    for match in _DOER.finditer(shape):
        at = match.start()
        if not re.search("[vbxiw]", shape[:at] + shape[at + 1 :]):
            continue
        passive = words[at + 1].text.lower() == "by" or re.search(r"fD[jn]*$", shape[:at]) is not None
        if words[at].tag == "VVD" and passive and words[at - 1].text.islower():
            words[at] = words[at]._replace(letter="e", tag="VVN")


def _verbs_in_s(words: list[TaggedWord]) -> None:
    """Read the plural as a verb: "the bus that the town rents", "the pump that powers A", "who chairs A"."""
    late = _ASKED_LATE.search(shape_of(words))
    if late is not None:
        words[late.start()] = words[late.start()]._replace(letter="w")
    behind = _BEHIND_THAT.search(shape_of(words))
    if behind is not None:
        at = behind.start("verb")
        words[at] = words[at]._replace(letter="v", tag="VVZ")
    for pattern in _IN_S:
        match = pattern.search(shape_of(words))
        if match is not None:
            _read_as_verb(words, match.start("verb"))
    shape = shape_of(words)
    if _STATED.match(shape) and len(_OWN_VERB.findall(shape)) <= shape.count("r"):
        for at in range(shape.rindex("w") - 1, shape.index("r") + 2, -1):
            if shape[at] in "mn" and shape[at - 1] in "nmN#ac" and _read_as_verb(words, at):
                return


def _read_as_verb(words: list[TaggedWord], at: int) -> bool:
    """Read the word as a verb of the third person if its form allows it."""
    text = words[at].text.lower()
    base = next((text[:-cut] for cut in (1, 2) if text.endswith("s") and may_be_verb(text[:-cut])), "")
    if base:
        words[at] = words[at]._replace(letter="v", tag="VVZ", lemma=base)
    return bool(base)


def _verb_of_the_question(words: list[TaggedWord]) -> None:
    """Read the last noun of "when did the founder of A die" as the verb that "did" waits for."""
    shape = shape_of(words)
    match = _VERBLESS.match(shape)
    if match is not None and words[shape.index("x")].lemma == "do" and not re.search("[vieb]", shape):
        at = match.start("verb")
        words[at] = words[at]._replace(letter="i", tag="VVI")
        return
    asked = _ASKED_WITH.match(shape)
    if asked is None or not (
        words[asked.start("with")].lemma == "do" or words[asked.start("with")].tag == "VM0"
    ):
        return
    start = asked.end()
    shape = _participles(words, shape, start)
    clauses = shape.count("r", start)
    described = _DESCRIBED.search(shape, start)
    if described is None or len(_OWN_VERB.findall(shape[start:])) > clauses:
        return
    at = _last_possible_verb(words, shape, described.end())
    if at:
        words[at] = words[at]._replace(letter="i", tag="VVI")


def _participles(words: list[TaggedWord], shape: str, start: int) -> str:
    """Read a past form behind a noun as a participle where no clause waits for a verb: who asks with "did"
    has no other finite verb ("the doctor who treated the patient admitted to A")."""
    waiting = 0
    for at in range(start, len(words)):
        if shape[at] == "r":
            waiting += 1
        elif shape[at] in "vbx":
            if words[at].tag == "VVD" and not waiting and shape[at - 1] in "nmN#":
                words[at] = words[at]._replace(letter="e", tag="VVN")
            waiting = max(0, waiting - 1)
    return shape_of(words)


def _last_possible_verb(words: list[TaggedWord], shape: str, start: int) -> int:
    """Return the place of the last word behind a noun that may be the base form of a verb, 0 for none."""
    for at in range(len(shape) - 1, start - 1, -1):
        word = words[at]
        if shape[at] in "ei" and word.text == word.lemma and shape[at - 1] not in "xbT":
            return at
        after = shape[at + 1 :]
        behind = shape[at - 1] in "nmN#ac" and (after in ("", "m") or after[0] in "pfTDaAhkw,jNco")
        if behind and shape[at] in "nj" and may_be_verb(word.text):
            return at
    return 0
