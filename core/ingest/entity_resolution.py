"""Which names mean the same thing: case, plural, acronym and Chinese/English pairs given in the text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from core.domain import Entity, identify
from core.text.tokens import is_cjk

_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_ARTICLE = re.compile(r"^(?:the|an?|this|that|these|those|its?|our)\s+")
_JOINTS = re.compile(r"[\s_\-‐-―/()（）]+")  # "SARS-U04.9", "SARS (U04.9)"
_PAIR = re.compile(r"[（(]\s*([^()（）]{2,60}?)\s*[)）]")
_SHORT = re.compile(r"[A-Z][A-Za-z0-9]{1,9}")
_LONG_AND_SHORT = re.compile(r"([A-Za-z][A-Za-z -]+?)\s*[,，;；、]\s*([A-Z][A-Za-z0-9]{1,9})")
_LAST_CJK = re.compile(r"[\u3400-\u9fff]{2,16}\s*$")
_VAGUE = ("thing", "term", "acronym", "title", "heading", "identifier", "code")
_ZH_BREAK = re.compile(
    r".*[的了和与及在是被把将从对为于由向到而并也都用经，。、；：]"
    r"|^(?:更换|清洁|清洗|检查|检测|安装|拆下|拆卸|采用|通过|测量|启动|关闭|打开|确认|维修|校准|进行|称为|即|该|此|本)+"
)


@lru_cache(maxsize=30_000)
def normal(name: str) -> str:
    """Return the form in which spellings of a name meet ("The Vacuum Pumps" -> "vacuum pump")."""
    plain = _EDGES.sub("", unicodedata.normalize("NFKC", name)).lower()
    plain = _ARTICLE.sub("", plain)
    words = [word for word in _JOINTS.split(plain) if word]
    if not words:
        return ""
    words[-1] = singular(words[-1])
    return " ".join(words)


def singular(word: str) -> str:
    """Return the singular of an English word, lower-case; what does not look like a plural stays."""
    if len(word) < 4 or not word.isalpha() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def entity_id(name: str) -> str:
    """Return the id of the entity that goes by this name."""
    return identify("entity", normal(name) or name)


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Return (name, other name) pairs the text gives in brackets.

    "electrostatic chuck (ESC)" and "ESC (electrostatic chuck)" where the letters stand for the words,
    "静电吸盘 (ESC)" and "静电吸盘（electrostatic chuck）" where one side is Chinese and the other is not,
    "静电吸盘（electrostatic chuck, ESC）" for both at once.
    """
    found = []
    for match in _PAIR.finditer(text):
        before, inside = text[max(0, match.start() - 100) : match.start()], match.group(1)
        if (both := _LONG_AND_SHORT.fullmatch(inside)) and (short := _acronym(both[1], both[2])):
            found.append(short)
            inside = short[0]
        if is_cjk(inside) != bool(_LAST_CJK.search(before)):
            pair = _bilingual(before, inside)
        else:
            pair = _acronym(before, inside) or _explained(before, inside)
        if pair:
            found.append(pair)
    return found


def _bilingual(before: str, inside: str) -> tuple[str, str] | None:
    chinese = _LAST_CJK.search(before)
    if chinese:
        name = _ZH_BREAK.sub("", chinese.group().strip())
        return (name, inside) if len(name) > 1 and re.search(r"[A-Za-z]{2}", inside) else None
    words = re.findall(r"[A-Za-z][\w-]*", before)
    if words and len(inside) <= 16 and re.search(r"[A-Z]", words[-1]) and before.rstrip().endswith(words[-1]):
        return inside, words[-1]
    return None


def _explained(before: str, inside: str) -> tuple[str, str] | None:
    """Take what is in brackets for the long form of the short one before them."""
    words = before.split()
    if not words or not _SHORT.fullmatch(words[-1]) or " " not in inside:
        return None
    pair = _acronym(inside, words[-1])
    return pair if pair is not None and pair[0] == inside else None


def _acronym(before: str, inside: str) -> tuple[str, str] | None:
    """Find the words a short form stands for: its letters in order, the first at the head of a word.

    Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions", PSB 2003.
    """
    if not _SHORT.fullmatch(inside) or sum(char.isupper() for char in inside) < 2:
        return None
    short = inside.rstrip("s")
    words = before.split()[-min(len(short) + 5, 2 * len(short)) :]
    text = " ".join(words)
    at = len(text) - 1
    for position in range(len(short) - 1, -1, -1):
        letter = short[position].lower()
        while at >= 0 and (
            text[at].lower() != letter or (position == 0 and at > 0 and text[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
        at -= 1
    head = at + 1
    while head > 1 and text[head - 1] == "-":  # a compound is a word: "out-of-home care (OHC)"
        start = re.search(r"[A-Za-z]*-$", text[:head])
        if start is None or text[start.start() : start.start() + 1].lower() != short[0].lower():
            break
        head = start.start()
    name = text[head:]
    whole = re.search(
        rf"(?<![a-z0-9]){re.escape(short)}", name, re.IGNORECASE
    )  # "tar files (TAR)" explains nothing
    return (name, inside) if (" " in name or "-" in name) and whole is None else None


def _short(name: str) -> str:
    """Return a short form without the ending of its plural: "LLMs" is of "LLM", "MACS" is not of "MAC"."""
    return re.sub(r"(?<=[A-Z])s$", "", name)


def _squeezed(form: str) -> str:
    """Return a normal form without its spaces; one with figures keeps what parts two of them."""
    return re.sub(r"(?<!\d) | (?!\d)", "", form)


class Resolver:
    """Gathers the entities of one document under one id per thing.

    `known` answers for names this document uses and does not explain: it returns the library's
    entities that go by one of them. A name that could mean two things stays on its own.
    """

    def __init__(self, known: Callable[[Sequence[str]], Iterable[Entity]] | None = None) -> None:
        self._known = known
        self._same: dict[str, str] = {}  # normal form -> normal form of the chief name
        self._names: dict[str, str] = {}  # normal form -> as first written
        self._spelt: dict[str, Counter[str]] = {}  # normal form -> how often it is written in which way
        self._squeezed: dict[str, str] = {}  # normal form without spaces -> the form met first
        self._kinds: dict[str, str] = {}
        self._about: dict[str, dict[str, None]] = {}

    def explain(self, name: str, other: str) -> None:
        """Take it that both names mean one thing, called by the first."""
        chief, alias = self._chief(normal(name)), self._chief(normal(other))
        self._names.setdefault(normal(name), name)
        self._names.setdefault(normal(other), other)
        if chief and alias and chief != alias:
            self._same[alias] = chief

    def add_name(self, name: str, kind: str = "thing", about: Iterable[str] = ()) -> str:
        """Note a name; return its normal form, "" for one without letters or digits."""
        form = normal(name)
        if not form:
            return ""
        spelling = " ".join(name.split())
        self._names.setdefault(form, spelling)
        self._spelt.setdefault(form, Counter())[spelling] += 1
        first = self._squeezed.setdefault(_squeezed(form), form)
        if first != form and self._chief(first) != self._chief(form):
            self._same[self._chief(form)] = self._chief(first)  # "ChIP-seq" and "ChIPSeq"
        if form not in self._kinds or (self._kinds[form] in _VAGUE and kind not in _VAGUE):
            self._kinds[form] = kind
        for each in about:
            self._about.setdefault(form, {})[each] = None
        return form

    def consult(self, fits: Callable[[str, str], bool] = lambda form, name: True, most: int = 200) -> None:
        """Ask the library about short forms this document does not explain.

        `fits` says whether a normal form may stand here for a name the library knows.
        """
        if self._known is None:
            return
        open_forms = [
            form
            for form, name in self._names.items()
            if form not in self._same and _SHORT.fullmatch(name) and name.isupper() and len(name) <= 6
        ][:most]
        meant: dict[str, set[str]] = {}
        for entity in self._known([self._names[form] for form in open_forms]) if open_forms else ():
            for alias in entity.aliases:
                if _short(alias) == _short(self._names.get(normal(alias), alias)):
                    meant.setdefault(normal(alias), set()).add(entity.name)
        for form in open_forms:
            names = meant.get(form, set())
            if len(names) == 1 and fits(form, name := names.pop()):
                self.explain(name, self._names[form])

    def id_of(self, form: str) -> str:
        """Return the id of the thing that goes by this normal form."""
        return identify("entity", self._chief(form))

    def entities(self, forms: Iterable[str]) -> tuple[Entity, ...]:
        """Return the things behind the normal forms, each once, with all names met."""
        groups: dict[str, list[str]] = {}
        for form in self._names:
            groups.setdefault(self._chief(form), []).append(form)
        found = []
        for chief in dict.fromkeys(self._chief(form) for form in forms):
            members = groups[chief]
            kinds = [self._kinds[form] for form in (chief, *members) if form in self._kinds]
            telling = [kind for kind in kinds if kind not in _VAGUE]
            found.append(
                Entity(
                    id=identify("entity", chief),
                    name=self._name(chief, members),
                    kind=(telling or kinds or ["thing"])[0],
                    aliases=tuple(self._names[form] for form in members if form != chief),
                    about=tuple(
                        dict.fromkeys(each for form in members for each in self._about.get(form, ()))
                    ),
                )
            )
        return tuple(found)

    def _name(self, chief: str, members: Sequence[str]) -> str:
        """Return how a thing is called: of the spellings of one name the one that is met most."""
        alike = [form for form in members if _squeezed(form) == _squeezed(chief)]
        spelt = sum((self._spelt[form] for form in alike if form in self._spelt), Counter())
        return max(spelt, key=lambda spelling: spelt[spelling]) if spelt else self._names[chief]

    def _chief(self, form: str) -> str:
        while form in self._same:
            form = self._same[form]
        return form
