"""The statements of a text, each made to stand alone (PIKE-RAG, arXiv 2501.11551, section 5.2)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.text.brackets import PARENTHESISED
from core.text.proper_names import Name, names_in, sentences_of, thing_at_start
from core.text.sentences import is_unticked
from core.text.tokens import is_cjk

MAX_STATEMENTS = 14
MAX_STATEMENT_CHARACTERS = 400

_HEAD = re.compile(
    r"(?P<its>His|Her|Its|Their)\b(?! own)|(?P<it>He|She|It|They)\b(?!['’])"
    r"|(?P<det>This|The) (?P<noun>[a-z]+)\b"
)
# an "it" that stands for the clause behind it: "It is important to", "It was shown that"
_EXPLETIVE = re.compile(
    r"It (?:is|was|will be|would be|may be|might be|has been|remains?|remained|seems?|seemed|appears?"
    r"|appeared|becomes?|became|follows|turns? out|turned out)\b"
    r"(?:(?: (?!the\b|an?\b|so\b|such\b)[\w-]+){0,3} (?:that|whether|how|why)\b"
    r"|(?: [\w-]+)? (?:advisable|best|better|challenging|common|critical|crucial|customary|desirable"
    r"|difficult|easy|essential|good|hard|helpful|imperative|important|impossible|interesting|mandatory|necessary|possible"
    r"|preferable|reasonable|recommended|safe|tempting|unnecessary|unsafe|useful|vital|worth)"
    r"(?: for [^.,;]{1,40}?)? to\b)"
)
_HEAD_ZH = re.compile(
    r"(?:它|他|她|它们|他们|她们|其|[该本](?P<noun>[\u4e00-\u9fff]{1,3}?)(?=[\u4e00-\u9fffA-Z0-9]))"
)
_QUALIFIER = re.compile(rf"\s*{PARENTHESISED}$")
_NEUTER = {"It", "Its", "They", "Their"}
_PLURAL = {"They", "Their"}
_WITHIN = re.compile(r"\b(?:of|in|on|for|by|at|from|to|with|and) (?:the )?$")
_PERSON = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_MARKER = re.compile(r"^(?:[-*•·▪‣–—]\s+|\d{1,3}[.)、]\s*|[（(]\d+[)）]\s*|#{1,6}\s+|>\s+)")
_VERBLESS = re.compile(r"^[\w\s,/&()-]{1,40}$")
_IS_A = re.compile(r"(?: \([^()]*\))? (?:is|was|are|were) (?:an?|the) ((?:[\w'’-]+[ ]?){1,9})")
_END_OF_NOUN = re.compile(
    r" (?:of|in|on|at|by|for|from|to|with|that|which|who|where|and|or|\w+ed|\w+ing)\b.*$"
)


class SimpleStatement(NamedTuple):
    """A sentence that stands alone. `sure`: what its pronoun stands for was not guessed."""

    text: str
    sentence: str  # without the heading before it
    sure: bool


class Subjects:
    """What the pronouns at the head of sentences stand for, sentence by sentence."""

    def __init__(self, text: str, title: str, heading: str, chinese: bool) -> None:
        self.title = _QUALIFIER.sub("", title).strip()
        self.heading = heading
        self._chinese = chinese
        self._topic = ""
        self._open = True  # nothing but the title has been mentioned so far
        self._noun = noun_of(text, self.title)
        self._own = {self.title.rpartition(" ")[2].lower(), "document"}  # after "this"

    def put(self, sentence: str) -> tuple[str, str, bool]:
        """Replace a pronoun at the head of a sentence by the subject.

        Return the sentence, the subject, and whether it was not guessed. Under a heading of its own a text
        may mention anything: there only a noun that the title is called by means the title. A pronoun that
        has nothing at the head of a sentence before it means the title only while nothing else was named.
        """
        match = (_HEAD_ZH if self._chinese else _HEAD).match(sentence)
        if match is None or (not self._chinese and _EXPLETIVE.match(sentence)):
            return sentence, "", True
        if noun := match["noun"]:
            known = self._title_ends(noun) if self._chinese else self._is_title(match["det"], noun)
            subject = self.title if known else ""
        else:
            alone = not self.heading or self.heading in {self.title, self._topic}
            subject = self._topic or (self.title if alone and self._open else "")
        if match.group() in _NEUTER and _PERSON.fullmatch(subject) and subject != self.title:
            return sentence, "", True
        if not subject:
            return sentence, "", True
        if self._chinese:
            owner = f"{subject}的" if match.group() == "其" else subject
        else:
            owner = f"{subject}'s" if match["its"] else subject
        sure = subject == self.title and match.group() not in _PLURAL  # "they" may be its poems
        return owner + sentence[match.end() :], subject, sure

    def follow(self, sentence: str, names: Sequence[Name], subject: str) -> None:
        """Note what a sentence began with: the next one's pronoun stands for it."""
        named = names[0] if names else None
        words = [word for word in self.title.split() if len(word) > 3 or word == self.title]
        if names and not any(word in sentence for word in words):
            self._open = False
        if subject:
            self._topic = subject
        elif named is not None and named.start <= 5:
            self._topic = self.title if self._is_of_title(named.text) else named.text
        elif thing := thing_at_start(sentence):
            self._topic = f"The {thing}"

    def _is_of_title(self, name: str) -> bool:
        """Say whether a name means the title: "Flaherty" does, "Sweden" is not the "Geography of Sweden"."""
        at = self.title.find(name)
        within = at > 0 and _WITHIN.search(self.title[:at]) is not None
        return bool(self.title) and ((at >= 0 and not within) or self.title in name)

    def _is_title(self, determiner: str, noun: str) -> bool:
        return noun == self._noun or (determiner == "This" and noun in self._own)

    def _title_ends(self, noun: str) -> bool:
        return self.title.endswith(noun) or noun in {"文件", "文档"}


def statements_of(text: str, title: str, heading: str, chinese: bool) -> list[SimpleStatement]:
    """Return up to 14 statements; pronouns at their heads are replaced, nameless ones get their heading."""
    subjects = Subjects(text, title, heading, chinese)
    found: dict[str, SimpleStatement] = {}
    for start, end in sentences_of(text):
        sentence = _MARKER.sub("", text[start:end]).strip()
        if not _is_statement(sentence, chinese):
            continue
        if len(sentence) > MAX_STATEMENT_CHARACTERS:
            sentence = sentence[:MAX_STATEMENT_CHARACTERS].rsplit(" ", 1)[0] + " …"
        names = names_in(sentence)
        resolved, subject, sure = subjects.put(sentence)
        subjects.follow(sentence, names, subject)
        plain = resolved
        if not names and not subject and not (subjects.title and subjects.title in resolved):
            plain = _under(heading or subjects.title, resolved, chinese)
        found.setdefault(plain, SimpleStatement(plain, resolved, sure))
        if len(found) == MAX_STATEMENTS:
            break
    return list(found.values())


def noun_of(text: str, name: str) -> str:
    """Return the noun that a text calls a name by: "Velm is a small town in ..." gives "town", else ""."""
    at = text.find(name) if name else -1
    match = _IS_A.match(text, at + len(name)) if at >= 0 else None
    if match is None:
        return ""
    last = _END_OF_NOUN.sub("", match[1].strip()).rpartition(" ")[2]
    return last if last.islower() and last.isalpha() else ""


def _is_statement(sentence: str, chinese: bool) -> bool:
    """Say whether a piece is more than a heading, a stray word or an option that nobody ticked."""
    if is_unticked(sentence):
        return False
    if chinese or is_cjk(sentence):
        return len(sentence) >= 6
    digits = any(char.isdigit() for char in sentence)
    if sentence.count(" ") < 2:
        return ":" in sentence and digits
    return not (_VERBLESS.match(sentence) and sentence.count(" ") < 4 and not digits)


def _under(heading: str, sentence: str, chinese: bool) -> str:
    heading = heading.rstrip(" :：")
    if not heading or heading.lower() in sentence.lower():
        return sentence
    return f"{heading}：{sentence}" if chinese else f"{heading}: {sentence}"
