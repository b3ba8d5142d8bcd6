"""Finds in a sentence what could answer: dates, numbers with units, names, quoted words, clauses."""

import re
from typing import NamedTuple

from core.text.proper_names import names_in


class Candidate(NamedTuple):
    """A piece of a sentence that could be the answer; `kind` as in `expected_kind`, "name" for any name."""

    start: int
    end: int
    text: str
    kind: str


_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|"
    r"Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{3,4}}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|"
    rf"rd|th)?,? \d{{3,4}}\b|\b{_MONTH},? \d{{4}}\b"
    rf"|\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|\b\d{{1,2}} {_MONTH}(?! \d)|"
    rf"\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
    r"|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|\d{1,2}月\d{1,2}[日号]|\b(?:1[0-9]|"
    r"20)\d{2}s?(?:\s?[–-]\s?(?:1[0-9]|20)?\d{2})?\b|\b\d{3,4} (?:AD|BC|BCE|CE)\b"
)
_UNIT = (
    r"(?:%|‰|°\s?[CF]|℃|mTorr|Torr|mbar|bar|k?Pa|MPa|psi|sccm|slm|k?W|kV|mV|V|mA|A|k?Hz|MHz|GHz|"
    r"nm|µm|μm|um|mm|cm|km|m|inch(?:es)?|ft|feet|miles?|"
    r"mg|kg|g|lbs?|tons?|tonnes?|ml|L|l|lit(?:re|er)s?|gallons?|s|sec(?:onds?)?|min(?:utes?)?|h|hours?|days?|"
    r"weeks?|months?|years?|ms|Å|wafers?|lots?|people|inhabitants|"
    r"million|billion|trillion|thousand|hundred|dozen|times|percent|per cent|degrees|square \w+|"
    r"acres?|hectares?|dollars|USD|EUR|N·?m|rpm|dB|ppm|ppb|"
    r"牛·?米|射频小时|个月|小时|分钟|毫米|微米|纳米|公里|千米|厘米|米|千克|公斤|克|万元|亿元|美元|元|万|亿|天|年|"
    r"月|周|秒|次|片|批|台|名|人|位|件|家|所|倍|度|码|场|支|种|岁|张|本|部|座|颗|层|英里|"
    r"平方公里)"
)
NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.,-])[$€£¥]?[-−]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:\s?(?:[–~-]|to|±|至|"
    rf"到)\s?\d+(?:\.\d+)?)?(?:\s?(?:RF |射频)?{_UNIT}(?![A-Za-z])){{0,2}}"
    r"|\b(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|"
    r"forty|fifty|sixty|hundred|thousand|dozens?)(?:[- ](?:one|two|three|four|five|six|seven|"
    r"eight|nine|hundred|thousand|million))*\b"
    r"|\b(?:a|one|two|three) (?:third|half|quarter|fifth|tenth)s?\b|\bhalf\b"
    rf"|[一二两三四五六七八九十百千万亿]+(?:点[一二三四五六七八九零]+)?{_UNIT}"
)
_MARK = re.compile(r"\d{1,3}[.)、]\s?(?!\d)")  # the number of a step
_CAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|caused by|owing to|as a result of|result(?:ed|s)? from|"
    r"attributed to|traced to|triggered by|"
    r"the (?:root )?cause (?:was|is|of \w+ (?:was|is)):?|root cause:?|reason (?:was|is)(?: "
    r"that)?:?) (.{4,160}?)(?=[.;。；]|$)",
    re.IGNORECASE,
)
_CAUSE_ZH = re.compile(
    r"(?:因为|由于|原因(?:是|为|在于)[:：]?|根本原因[:：]|由(?=[^，。；]{2,40}(?:所致|引起|造成|导致)))"
    r"([^，。；]{2,60}?)(?:所致|引起|造成|导致|(?=[，。；]|$))"
)
_RESULT = re.compile(r"^(.{4,120}?) (?:caused|led to|resulted in|triggered) ")
_DEFINITION = re.compile(
    r"\b(?:is|are|was|were|means|refers to|stands for|denotes|describes) (.{3,200}?)(?=[.;]\s|[.;]?$)"
)
_DEFINITION_ZH = re.compile(r"(?:是指|是一种|是|指的是|表示|意为|即)([^。；]{2,80})")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,80})[\"”]|《([^》]{1,60})》|「([^」]{1,60})」")
_ROOM = re.compile(r"\b(?:building|room|hall|bay|floor|zone|gate|warehouse) [A-Z]?-?\d[\w-]*", re.IGNORECASE)
_CELL = re.compile(
    r"(?:^|[;；|,，]\s*)([^:：;；|,，]{1,40})[:：]\s*([^;；|]{1,120}?)(?=\s*(?:[;；|]|, "
    r"[^:：;,]{1,40}[:：]|$))"
)


def candidates(sentence: str, kind: str) -> list[Candidate]:
    """Return the pieces of a sentence that could answer a question of this kind."""
    found: list[Candidate] = []
    if kind == "date":
        return [Candidate(*m.span(), m.group(), "date") for m in DATE.finditer(sentence)]
    if kind == "number":
        dates = [m.span() for m in DATE.finditer(sentence) if not m.group().isdigit()]
        dates += [m.span() for m in [_MARK.match(sentence)] if m]
        return [
            Candidate(*m.span(), m.group().strip(), "number")
            for m in NUMBER.finditer(sentence)
            if not any(a <= m.start() < b for a, b in dates)
        ]
    if kind == "cause":
        for pattern in (_CAUSE, _CAUSE_ZH, _RESULT):
            found += [
                Candidate(*m.span(1), m.group(1).strip(" ,:：，"), "cause")
                for m in pattern.finditer(sentence)
            ]
        return found
    if kind == "definition":
        pattern = _DEFINITION_ZH if re.search(r"[\u4e00-\u9fff]", sentence) else _DEFINITION
        match = pattern.search(sentence)
        return [Candidate(*match.span(1), match.group(1).strip(" ."), "definition")] if match else []
    figures = [m.span() for m in NUMBER.finditer(sentence)]
    found += [
        Candidate(n.start, n.end, n.name, n.kind if n.kind != "thing" else "name")
        for n in names_in(sentence)
        if not any(start < n.start and n.end <= end for start, end in figures)  # the Torr of "760 Torr"
    ]
    found += [Candidate(*m.span(), m.group(), "place") for m in _ROOM.finditer(sentence)]
    found += [
        Candidate(*m.span(), m.group(1) or m.group(2) or m.group(3), "title")
        for m in _QUOTED.finditer(sentence)
    ]
    return found


def cells(sentence: str) -> list[tuple[str, str]]:
    """Return the (column, value) pairs of a table row written as text, none for prose."""
    found = [(m.group(1).strip(), m.group(2).strip()) for m in _CELL.finditer(sentence)]
    return found if len(found) > 1 or (len(found) == 1 and len(sentence) < 120) else []
