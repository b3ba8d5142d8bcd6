"""The rules for Reform and ChooseTools: what to search for next, and where."""

import re
from itertools import zip_longest

from core.llm.extractive.attributes import about_it
from core.llm.extractive.lexicon import by_stems, chinese_pattern, terms_in
from core.llm.extractive.querying import LISTED, queried, write_query
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import score_lines
from core.llm.extractive.rows import row_of
from core.tasks import ChooseTools, Reform, Reformed, ToolChoice, WriteQuery
from core.text.proper_names import names_in
from core.text.tokens import content_words, is_cjk, words

_YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|should|must|has|have|may) (?:it|there|this|we|i|you)\s+", re.I
)
MOST_NAMES = (4, 6)  # other names that are added, to a question in English and in Chinese
SPOKEN_OF = 0.6  # coverage of the question's words from which what was found is enough
_ADDED = re.compile(r"\s*(?:\([^()]*\)|（[^（）]*）)\s*[?？]?$")
_COUNTING = re.compile(
    r"\bhow (?:many|often|much)\b|\b(?:average|mean|median|total|sum|count|number of|highest|"
    r"lowest|most|least|maximum|minimum|max|min|top \d+|per (?:month|year|day|tool|lot))\b"
    r"|多少|几[次个台片]|平均|总共|总计|合计|最[高低多少大小长短]|每[月年天台个]|次数",
    re.IGNORECASE,
)


def reform(task: Reform, across: bool = False) -> Reformed:
    """Say the question with other names of what it speaks of, and with names that stand beside it.

    What an earlier reform added is left out first, so that a second one does not pile up on it. `across`
    adds names of the other language to an English question, for a search; one that is to be answered keeps
    to its own. Where nothing can be said otherwise its key words are left, which ask for less.
    """
    asked = _YES_NO.sub("", _ADDED.sub("", task.question.strip())).rstrip("?？. ")
    question = read(asked)
    near: list[str] = []
    for line in score_lines(asked, task.found)[:2]:
        if line.coverage < 0.3 or row_of(line.text) or _COUNTING.search(asked):
            break  # a count keeps to what it was asked about; a row may be of another thing
        near += [
            n.name for n in names_in(line.text) if n.name not in question.names and _telling(n.name, asked)
        ]
    chinese = is_cjk(asked)
    names = [name for name in _other_names(asked) if across or chinese or not is_cjk(name)]
    more = list(dict.fromkeys([*names[: MOST_NAMES[chinese]], *near[:2]]))
    if not across and (chinese or not more):
        return Reformed(question=" ".join(dict.fromkeys([*_key_words(asked), *more])) or task.question)
    if not more:
        return Reformed(question=task.question)
    if chinese:
        return Reformed(question=f"{asked}（{'、'.join(more)}）？")
    return Reformed(question=f"{asked} ({', '.join(more)})?")


def _key_words(text: str) -> list[str]:
    """Return the words of meaning as they are written; of Chinese ones that overlap, the longest."""
    if not is_cjk(text):
        return [token for token in re.findall(r"\w[\w'./-]*", text) if content_words(token)]
    found = list(dict.fromkeys(content_words(text)))
    return [word for word in found if not any(word != other and word in other for other in found)]


def _telling(name: str, asked: str) -> bool:
    """Say whether a name found nearby may lead on: a code or a full name, not a word that begins a line."""
    return name not in asked and (any(c.isdigit() for c in name) or " " in name or name.isupper())


def _other_names(question: str) -> list[str]:
    """Return other names, in both languages, of what the question speaks of."""
    terms = [term for _, _, term in terms_in(words(question))]
    table = by_stems()
    low, asked = question.lower(), set(words(question))
    if is_cjk(question):  # in the order they are said, a name of each before a second of any
        said = [table[(match.group(),)] for match in chinese_pattern().finditer(question)]
        each = [(*term.english[:2], *term.chinese[:1]) for term in dict.fromkeys([*said, *terms])]
        names = [name for same in zip_longest(*each) for name in same if name]
    else:
        names = [n for term in dict.fromkeys(terms) for n in (*term.english[:2], *term.chinese[:1])]
    return [name for name in names if name not in low and not set(words(name)) <= asked]


def choose_tools(task: ChooseTools) -> ToolChoice:
    """Choose a table where figures are asked and a card speaks of them, an unread name, enough, or search."""
    query = write_query(WriteQuery(question=task.question, tables=task.tables, language=task.language))
    computed = bool(query.sql) and query.reason != LISTED
    if computed or (query.sql and expected_kind(task.question) == "number"):
        return ToolChoice(tool="table", argument=queried(query.sql), reason=query.reason)
    lines = about_it(task.question, score_lines(task.question, task.found), task.found)
    best = lines[0].coverage if lines else 0.0
    told = " ".join(f"{piece.source} {piece.text}" for piece in task.found).lower()
    unread = [name for name in read(task.question).names if name.strip('"“”《》').lower() not in told]
    if unread and task.found:
        return ToolChoice(
            tool="entity", argument=unread[0].strip('"“”《》'), reason="nothing found speaks of it yet"
        )
    if best >= SPOKEN_OF:
        return ToolChoice(tool="enough", reason="what was found speaks of all that was asked")
    wanted = Reform(question=task.question, found=task.found, language=task.language)
    again = reform(wanted, across=True).question
    return ToolChoice(tool="search", argument=again, reason=f"only {best:.0%} of the question is spoken of")
