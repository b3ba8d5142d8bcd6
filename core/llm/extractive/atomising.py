"""The rule for Atomise: the statements of a text, each made to stand alone, and the questions they answer
(PIKE-RAG, section 5.2)."""

import re

from core.llm.extractive.inquiring import Inquirer
from core.llm.extractive.names import names_in, sentences_of, thing_at_start
from core.tasks import Atomise, Atoms
from core.text.tokens import detect_language, is_cjk

MOST = 14
LONGEST = 400

_PRONOUN = re.compile(
    r"(?P<its>His|Her|Its|Their)\b(?! own)|(?P<it>He|She|It|They)\b(?!['’])|"
    r"(?P<this>(?:This|The) (?:film|movie|song|album|book|novel|company|band|tool|machine|"
    r"document|report|system|procedure|manual|guide|standard|specification|instruction))\b"
)
_PRONOUN_ZH = re.compile(
    r"(?:它|他|她|它们|他们|她们|该(?:设备|机台|公司|系统|报告|文件|机|部件)|其)(?=[\u4e00-\u9fffA-Z0-9])"
)
_OF_PAPER = re.compile(r"(?:document|report|procedure|manual|guide|standard|specification|instruction)$")
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)$")
_NEUTER = {"It", "Its", "They", "Their"}
_PERSON = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_MARKER = re.compile(r"^(?:[-*•·▪‣–—]\s+|\d{1,3}[.)、]\s*|[（(]\d+[)）]\s*|#{1,6}\s+|>\s+)")
_VERBLESS = re.compile(r"^[\w\s,/&()-]{1,40}$")


def atomise(task: Atomise) -> Atoms:
    """Return up to 14 statements and the up to 6 questions that those of clear shape answer.

    Pronouns at the head of a statement are replaced, nameless statements get their heading.
    """
    text = task.text
    title = _DISAMBIGUATION.sub("", task.title).strip()
    heading = task.heading.split(" > ")[-1].strip()
    names = names_in(text)
    chinese = detect_language(text) == "zh"
    inquirer = Inquirer(text, title, heading, frozenset(named.name for named in names), chinese)
    topic = ""
    found: dict[str, None] = {}
    for start, end in sentences_of(text):
        sentence = _MARKER.sub("", text[start:end]).strip()
        if not _says_something(sentence, chinese):
            continue
        if len(sentence) > LONGEST:
            sentence = sentence[:LONGEST].rsplit(" ", 1)[0] + " …"
        named = next((n for n in names if start <= n.start < end), None)
        sentence, replaced = _with_subject(sentence, topic, title, heading, chinese)
        inquirer.take(sentence)
        if named is None and not replaced and not (title and title in sentence):
            sentence = _under(heading or title, sentence, chinese)
        if replaced and replaced == title:
            topic = title
        elif named is not None and named.start - start <= 5:
            topic = title if title and (named.name in title or title in named.name) else named.name
        elif thing := thing_at_start(text, start):
            topic = f"The {thing}"
        found[sentence] = None
        if len(found) == MOST:
            break
    return Atoms(questions=inquirer.questions(), statements=tuple(found))


def _says_something(sentence: str, chinese: bool) -> bool:
    """Say whether a piece is more than a heading or a stray word."""
    if chinese or is_cjk(sentence):
        return len(sentence) >= 6
    if sentence.count(" ") < 2:
        return ":" in sentence and any(char.isdigit() for char in sentence)
    return not (
        _VERBLESS.match(sentence) and sentence.count(" ") < 4 and not any(c.isdigit() for c in sentence)
    )


def _with_subject(sentence: str, topic: str, title: str, heading: str, chinese: bool) -> tuple[str, str]:
    """Put the subject in the place of a pronoun at the head of the sentence; return the subject too.

    Under a heading of its own a text may speak of anything: there only "this document" is the title.
    """
    match = (_PRONOUN_ZH if chinese else _PRONOUN).match(sentence)
    if match is None:
        return sentence, ""
    alone = not heading or heading in {title, topic} or title.startswith(heading)
    if chinese:
        subject = topic or (title if alone else "") or ("" if title else heading)
        owner = f"{subject}的" if match.group() == "其" else subject
    else:
        itself = match.group("this") is not None and _OF_PAPER.search(match.group()) is not None
        subject = (
            title if itself and title else topic or (title if alone else "") or ("" if title else heading)
        )
        if match.group() in _NEUTER and _PERSON.fullmatch(subject) and subject != title:
            return sentence, ""
        owner = f"{subject}'s" if match.group("its") else subject
    return (owner + sentence[match.end() :], subject) if subject else (sentence, "")


def _under(heading: str, sentence: str, chinese: bool) -> str:
    if not heading or heading.lower() in sentence.lower():
        return sentence
    return f"{heading}：{sentence}" if chinese else f"{heading}: {sentence}"
