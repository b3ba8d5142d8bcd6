"""Forms of English verbs that questions need: "wrote" is asked as "did ... write"."""

from core.text.tokens import word_set

_REGULAR = """
    abandon abolish acquire adopt announce appear appoint approve arrive attack attend award cancel
    capture celebrate change close complete compose conquer construct convert create debut declare
    defeat design destroy develop die direct disband discover dissolve divorce earn emigrate end
    enter establish expand finish form found graduate host immigrate incorporate increase inherit
    inspect install introduce invade invent join launch lengthen lower marry merge move name open
    organize paint perform play premiere produce publish purchase reach receive record reform
    release relocate remarry remove rename reopen replace resign retire return reunite separate
    serve shorten sign start study succeed surrender tour travel visit work
"""
_DOUBLED = "ban admit commit permit plan stop drop transfer equip ship refer"
_IRREGULAR = """
    arise arose arisen, bear bore borne, become became become, begin began begun, break broke
    broken, bring brought brought, build built built, buy bought bought, catch caught caught, choose
    chose chosen, come came come, cut cut cut, draw drew drawn, drive drove driven, fall fell
    fallen, fight fought fought, find found found, fly flew flown, forbid forbade forbidden, freeze
    froze frozen, get got got, give gave given, go went gone, grow grew grown, hear heard heard,
    hide hid hidden, hit hit hit, hold held held, keep kept kept, know knew known, lay laid laid,
    lead led led, leave left left, lose lost lost, make made made, meet met met, overthrow overthrew
    overthrown, pay paid paid, put put put, read read read, ride rode ridden, rise rose risen, run
    ran run, say said said, see saw seen, sell sold sold, send sent sent, set set set, shoot shot
    shot, show showed shown, sing sang sung, sink sank sunk, speak spoke spoken, spend spent spent,
    split split split, steal stole stolen, strike struck struck, take took taken, teach taught
    taught, tear tore torn, tell told told, think thought thought, throw threw thrown, wear wore
    worn, win won won, withdraw withdrew withdrawn, write wrote written
"""


def _ed(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    return f"{base[:-1]}ied" if base[-1] == "y" and base[-2] not in "aeiou" else f"{base}ed"


_TRIPLES = [tuple(each.split()) for each in _IRREGULAR.split(",")]
# past tense -> base; a form that is also a participle of another verb ("found") is read as a past
BASE_OF_PAST: dict[str, str] = {
    **{_ed(base): base for base in _REGULAR.split()},
    **{f"{base}{base[-1]}ed": base for base in _DOUBLED.split()},
    **{past: base for base, past, _ in _TRIPLES},
}
PAST_OF_PARTICIPLE: dict[str, str] = {participle: past for _, past, participle in _TRIPLES}
PARTICIPLES = word_set("born") | frozenset(PAST_OF_PARTICIPLE)

# what somebody does to a work or a thing: "X directed Y" answers "Who directed Y?"
DEEDS_OF_MAKERS = word_set(
    """directed wrote founded created invented discovered designed composed produced painted established
    developed built"""
)
_OBJECTS = """
    contain include comprise require need make provide produce describe prevent cover measure control evacuate
    surround offer manufacture use show hold support cause affect
"""
# "X contains Y" answers "What does X contain?"
TAKING_OBJECTS: dict[str, str] = {
    **{f"{base}s": base for base in _OBJECTS.split()},
    "supplies": "supply", "carries": "carry", "consists of": "consist of", "depends on": "depend on",
    "belongs to": "belong to",
}  # fmt: skip


def past_of(participle: str) -> str:
    """Return the past tense of a participle, "" where it is not known."""
    return PAST_OF_PARTICIPLE.get(participle, participle if participle.endswith("ed") else "")


def is_participle(word: str) -> bool:
    """Say whether a word after "was" is what was done."""
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 4 and word not in _NOT_DONE)


_NOT_DONE = word_set("indeed hundred sacred naked wicked beloved interested involved married aged need speed")
