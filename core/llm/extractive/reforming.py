"""The rules for Reform and ChooseTools: what to search for next, and where."""

import re

from core.language import content_words, is_cjk, words
from core.llm.extractive.lexicon import by_stems, chinese_pattern, synonyms, terms_in
from core.llm.extractive.names import names_in
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import score_lines
from core.tasks import ChooseTools, Reform, Reformed, ToolChoice

SPOKEN_OF = 0.6  # coverage of the question's words from which what was found is enough
_WORD = re.compile(r"[\w][\w'./-]*")
_COUNTING = re.compile(
    r"\bhow (?:many|often|much)\b|\b(?:average|mean|median|total|sum|count|number of|highest|"
    r"lowest|most|least|maximum|minimum|max|min|top \d+|per (?:month|year|day|tool|lot))\b"
    r"|多少|几[次个台片]|平均|总共|总计|合计|最[高低多少大小长短]|每[月年天台个]|次数",
    re.IGNORECASE,
)


def reform(task: Reform) -> Reformed:
    """Say the question in key words: its names, its matter, words of the same meaning, names found near."""
    question = read(task.question)
    chinese = is_cjk(task.question)
    if chinese:
        kept = content_words(task.question)
    else:
        kept = [token for token in _WORD.findall(task.question) if content_words(token)]
    more = _other_names(task.question)
    near: list[str] = []
    for line in score_lines(task.question, task.found)[:2]:
        if line.coverage < 0.3 or _COUNTING.search(task.question):
            break  # a count keeps to what it was asked about
        near += [
            n.name
            for n in names_in(line.text)
            if n.name not in question.names and n.name not in task.question
        ]
    told = dict.fromkeys([*kept, *more[:4], *near[:2]])
    return Reformed(question=" ".join(told) or task.question)


def _other_names(question: str) -> list[str]:
    """Return other names, in both languages, of what the question speaks of."""
    terms = [term for _, _, term in terms_in(words(question))]
    table = by_stems()
    if is_cjk(question):
        terms += [table[(match.group(),)] for match in chinese_pattern().finditer(question)]
    low = question.lower()
    return [
        name
        for term in dict.fromkeys(terms)
        for name in (*term.english[:2], *term.chinese[:1])
        if name not in low and not set(words(name)) <= set(words(question))
    ]


def choose_tools(task: ChooseTools) -> ToolChoice:
    """Choose a table where figures are asked and a card speaks of them, an unread name, enough, or search."""
    asked = set(content_words(task.question))
    table = _matching_table(asked, task.tables)
    if table and (_COUNTING.search(task.question) or expected_kind(task.question) == "number"):
        return ToolChoice(tool="table", argument=task.question, reason=f"table {table} holds the figures")
    lines = score_lines(task.question, task.found)
    best = lines[0].coverage if lines else 0.0
    told = " ".join(f"{piece.source} {piece.text}" for piece in task.found).lower()
    unread = [name for name in read(task.question).names if name.strip('"“”《》').lower() not in told]
    if unread and task.found:
        return ToolChoice(
            tool="entity", argument=unread[0].strip('"“”《》'), reason="nothing found speaks of it yet"
        )
    if best >= SPOKEN_OF:
        return ToolChoice(tool="enough", reason="what was found speaks of all that was asked")
    again = reform(Reform(question=task.question, found=task.found, language=task.language)).question
    return ToolChoice(tool="search", argument=again, reason=f"only {best:.0%} of the question is spoken of")


def _matching_table(asked: set[str], cards: tuple[str, ...]) -> str:
    best, most = "", 0.0
    for card in cards:
        bag = set(content_words(card))
        shared = len(asked & bag) + 0.5 * sum(1 for word in asked - bag if not synonyms(word).isdisjoint(bag))
        if shared > most:
            best, most = card, shared
    if most < 1:
        return ""
    name = re.match(r'TABLE "((?:[^"]|"")+)"|Table ([^.:]+)', best)
    return (name.group(1) or name.group(2)).strip() if name else best.split("\n", 1)[0]
