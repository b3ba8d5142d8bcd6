"""An English question as words with their parts of speech.

Every word also stands as one letter in `Question.shape`, so that a rule about how a question is built is a
pattern over letters, not a list of words:

    D the   A a, any, every   h his, its   j adjective  s superlative  o ordinal  c number  a adverb
    n noun  m plural  N name or code  # reference to a part   f of   p other preposition
    v finite verb  i infinitive  e participle in -ed  g in -ing  b be  x do, have, can, will ...
    w asking word  r relative pronoun  ' possessive mark  & and, or  , pause  T to  k pronoun  l if, while
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.llm.builtin.understand.awaited_verbs import with_verbs
from core.llm.builtin.understand.tagged_words import (
    MAX_WORD_LETTERS,
    NOUN_PHRASE,
    TaggedWord,
    shape_of,
    tags_of,
)
from core.text.chinese_words import NAME_SLOT
from core.text.codes import has_letter_and_digit
from core.text.proper_names import names_in
from core.text.tokens import detect_language

_SLOT = re.compile(NAME_SLOT)
_THAN_THAT = re.compile(r"\bthan (?:that|those) (?=of|in|for|on|at)")  # "that" joins no clause there
_NUMBERED_PART = re.compile(r"(?:\.\d+)+(?![\d\w])")  # ".1" of "Chr13.1"
_PARENTHESIS = re.compile(r"\s?\((?:\d{4} )?[A-Za-z][^()#]{0,40}\)")  # "Hardcase (1972 film)" is one name
_HEAD = re.compile(
    r"^(?:(?:please|so|and|then|also|ok|hi|hello|hey)[,\s]+|(?:can|could|would) you (?:please )?"
    r"(?:tell me|say|explain|show me|provide)\s+|(?:tell me|i (?:want|need|would like) to know|"
    r"do you know)[,:]?\s+)+",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"#\d+|[\ue000-\uf8ff]|['’]s?(?=[\s,.?!]|$)|\w+(?:[-./’'](?!s\b)\w+)*|[^\w\s]")
_ASKING = frozenset(["who", "whom", "whose", "which", "what", "where", "when", "why", "how"])
_LETTERS = {
    "AT0": "A", "DT0": "A", "DPS": "h", "AJ0": "j", "AJC": "j", "AJS": "s", "ORD": "o", "CRD": "c",
    "AV0": "a", "AVP": "p", "AVQ": "w", "NN0": "n", "NN1": "n", "NN2": "m", "NP0": "n", "PRF": "f",
    "PRP": "p", "UNC": "n",
    "VVD": "v", "VVZ": "v", "VVB": "v", "VVI": "i", "VVN": "e", "VVG": "g", "VM0": "x", "DTQ": "w",
    "PNQ": "w", "CJT": "r", "CJS": "l", "CJC": "&", "POS": "'", "TO0": "T", "PNP": "k", "PNI": "k",
    "PUN": ",", "PUL": ",", "PUR": ",", "PUQ": ",", "XX0": "a", "EX0": "k", "ITJ": "a", "PNX": "k",
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """A question with its names replaced by slots, so that rules see only its frame."""

    text: str
    frame: str  # names as slots, politeness removed, no question mark
    names: tuple[str, ...]
    language: str

    @cached_property
    def words(self) -> tuple[TaggedWord, ...]:
        """The words of the frame; English only."""
        return tagged(self.frame)

    @cached_property
    def shape(self) -> str:
        """One letter a word."""
        return shape_of(self.words)

    def fill(self, text: str) -> str:
        """Put the names back into a piece of the frame."""
        return _SLOT.sub(lambda slot: self.names[ord(slot.group()) - 0xE000], text)


@lru_cache(maxsize=512)
def read(text: str) -> Question:
    """Return the question's frame and names."""
    text = _begun_small(" ".join(_SLOT.sub(" ", text).split()))
    pieces: list[str] = []
    names: list[str] = []
    at = 0
    for named in names_in(text)[:6000]:
        start, end = named.start, named.end
        if start < at:
            continue
        if start > 0 and end < len(text) and text[start - 1] in '"“《' and text[end] in '"”》':
            start, end = start - 1, end + 1
        part = _NUMBERED_PART.match(text, end) if text[end - 1].isdigit() else None
        end = part.end() if part else end
        more = _PARENTHESIS.match(text, end)
        end = more.end() if more else end
        start = at + _capitals(text[at:start])
        gap = text[at:start]
        if names and re.fullmatch(r", (?:\d+(?:st|nd|rd|th) |of )?", gap) and _titled(text[start:end]):
            names[-1] += gap + text[start:end]  # "Anne, 3rd Baroness Lucas" is one name
        else:
            pieces.append(gap + chr(0xE000 + len(names)))
            names.append(text[start:end])
        at = end
    frame = _HEAD.sub("", "".join(pieces) + text[at:]).strip().rstrip("?？.。!！ ")
    return Question(text=text, frame=frame, names=tuple(names), language=detect_language(text))


def _capitals(gap: str) -> int:
    """Return where the capitals before a name begin that belong to it: "of Off the" before "Beaten Path"."""
    match = re.search(r"(?<=[a-z,] )(?:[A-Z][\w'’]*(?: (?:the|a|an|of|to))? )+$", gap)
    return match.start() if match else len(gap)


def _begun_small(text: str) -> str:
    """Return the text with its first word in small letters where it is an order, so that it joins no name."""
    first = re.match(r"[A-Z][a-z]+(?= [A-Z])", text)
    if first is None:
        return text
    small = text[0].lower() + text[1:]
    order = (
        tagged(small)[0].tag in {"VVB", "VVI"}
        and tagged(first.group().lower() + " the thing")[0].tag == "VVB"
    )
    return small if order else text


def _titled(name: str) -> bool:
    """Say whether a name begins with a rank, and so belongs to the name before it."""
    return (
        re.match(r"(?:Baron|Duke|Duch|Earl|Count|Viscount|Marqu|Prince|King|Queen|Lord|Lady)", name)
        is not None
    )


@lru_cache(maxsize=4096)
def tagged(frame: str) -> tuple[TaggedWord, ...]:
    """Return the words of an English frame (hidden Markov model over morphemes: Wartena, HanTa)."""
    spans = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(frame)]
    if not spans:
        return ()
    tokens = [
        "John"
        if _SLOT.match(text) or text[0] == "#" or len(text) > MAX_WORD_LETTERS
        else text.replace("’", "'")
        for text, _, _ in spans
    ]
    tags = tags_of(tokens)
    found: list[TaggedWord] = []
    for at, ((text, start, end), (_, lemma, tag)) in enumerate(zip(spans, tags, strict=True)):
        earlier, before = ("", "", *(word.letter for word in found))[-2:]
        after = tags[at + 1][2] if at + 1 < len(tags) else ""
        found.append(
            TaggedWord(text, lemma.lower(), tag, _letter(text, tag, earlier, before, after), start, end)
        )
    return with_verbs(found)


_NOMINAL = frozenset("nmN#,")


def _letter(text: str, tag: str, earlier: str, before: str, after: str) -> str:
    """Return the letter of a word, knowing the letters of the two before it and the tag of the next."""
    low = text.lower()
    if text[0] == "#":
        return "#"
    if _SLOT.match(text) or has_letter_and_digit(text):
        return "N"
    if low in _ASKING or (low == "that" and tag in {"CJT", "PNQ", "DT0"}):
        relative = (
            low != "what" and tag != "DT0" and (before in _NOMINAL or (before == "p" and earlier in _NOMINAL))
        )
        return "r" if relative or low == "that" else "w"
    if before == "r" and low.endswith("ed"):
        return "v"
    if low in {"the", "both", "this", "these", "those"}:
        return "D"
    if low in {"most", "least"}:
        return "s"
    if tag.startswith("VB"):
        return "b"
    if tag.startswith(("VD", "VH")):
        return "x"
    if not before and tag in {"NN1", "NN0", "AJ0", "NP0", "VVI"} and after in {"AT0", "DPS", "DT0"}:
        return "v"  # "Draft a training programme"
    return _LETTERS.get(tag, "n")


def is_question(frame: str) -> bool:
    """Say whether a frame is built as a question or an order: the check that every part has to pass.

    It begins as one; a relative pronoun is followed by a verb; and no finite verb stands beside another
    without a word that joins their clauses: "who is X points to" is none.
    """
    words = tagged(_THAN_THAT.sub("than ", frame))
    shape = shape_of(words)
    if re.search("Dw", shape):
        return False  # "what is the what is the recall of X"
    if re.fullmatch(r"w[bx]#", shape) and words[0].text.lower() in {"who", "what", "which"}:
        return False
    if not (re.match(r"(?:[pl][^,]*,)?(?:[pf]?w|[bx]|v)", shape) or "w" in shape) or not re.search(
        r"[vbxi]", shape
    ):
        return False
    if re.search(r"r[^vbxie]*$", shape) or re.fullmatch(r"w[bx](?:[DAh]?j*)?", shape):
        return False
    return re.match(rf"w(?:b{NOUN_PHRASE}(?:[vx]|[fp]{NOUN_PHRASE}v,?$)|x{NOUN_PHRASE}$)", shape) is None
