"""The rule for AnswerPart: a short answer copied from the numbered evidence, or an honest "not found"."""

import re

from core.llm.extractive.attributes import about_it, speaking_of_it
from core.llm.extractive.choosing import best_span, names_agree, shortened, tidy
from core.llm.extractive.conflicts import disagreements, plain
from core.llm.extractive.deciding import decide
from core.llm.extractive.facts import facts, saying_role
from core.llm.extractive.kinds import asks_for_part, parts_named
from core.llm.extractive.labels import labelled
from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.listings import lists_asked
from core.llm.extractive.questions import expected_kind, read
from core.llm.extractive.reading import Embed, Line, bag_of, heading_of, score_lines
from core.llm.extractive.rows import computed, counted, row_of
from core.llm.extractive.sources import kept_to_named
from core.llm.extractive.spans import candidates, cells
from core.llm.extractive.supporting import change, codes_of, fitting, matter, unheard_code
from core.llm.extractive.surveying import surveyed, surveys, titles_of, which_document
from core.tasks import Answered, AnswerPart
from core.text.tokens import content_words, is_cjk, words

_ASKING = re.compile(r"[?？]|>>|^\w+ (?:is|was|are|do|does|did)\b|^wh|^how", re.IGNORECASE)
_ROLE = re.compile(r"^who (?:is|was) (?:the|our|your) ([a-z -]+)\?*$", re.IGNORECASE)
UNHEARD = 0.25  # share of the words of a search without a question that no evidence says
LEAST_JUDGED = 0.6  # share of a question about one thing that a sentence must say to mean yes or no
LEAST_COVERAGE = 0.34  # below, the evidence speaks of something else


def answer(task: AnswerPart, embed: Embed | None = None) -> Answered:
    """Return a short answer with its citations; found is False where the evidence does not speak of it."""
    task = task.model_copy(update={"evidence": kept_to_named(task.question, task.evidence)})
    kind = expected_kind(task.question)
    decided = decide(task.question, kind)
    if decided:
        return Answered(answer=decided, citations=_all_cited(task, decided), found=True)
    lines = score_lines(task.question, task.evidence, embed)
    rows = speaking_of_it(task.question, counted(task.question, lines), task.evidence)
    if rows:
        return _computed(task.question, rows[0])
    told = " ".join(f"{piece.source} {piece.text}" for piece in task.evidence)
    if unheard_code(task.question, told) or not _role_said(task, lines):
        return Answered()
    whole = _of_documents(task, lines)
    if whole is not None:
        return whole
    lines = about_it(task.question, fitting(task.question, lines), task.evidence)
    said = _at_once(task, kind, lines) or _part_of_machine(task, embed)
    if said is not None:
        return said
    if kind == "person" and not is_cjk(task.question):
        lines = saying_role(task.question, lines)
    if not lines or lines[0].coverage < LEAST_COVERAGE or not names_agree(task.question, task.evidence):
        return Answered()
    if kind in {"yes/no", "choice"}:
        return _judge(task.question, lines, kind)
    if kind in {"list", "procedure"}:
        return _several(lines, kind)
    return _newest(task, best_span(task, kind, lines), lines)


def _of_documents(task: AnswerPart, lines: list[Line]) -> Answered | None:
    """Answer "which document" by its title, and a survey by the sentence that says most of its subject."""
    named = which_document(task.question, lines, task.evidence)
    if named is not None:
        title = next(piece.source for piece in task.evidence if piece.n == named.n)
        return Answered(answer=title, citations=(named.n,), found=True)
    held = titles_of(task.question, task.evidence)
    if held:
        return Answered(answer="; ".join(held), citations=tuple(held.values()), found=True)
    found = surveyed(task.question, lines, task.evidence) if surveys(task.question) else []
    if not found:
        return None
    cited = tuple(dict.fromkeys(line.n for line in found))
    return Answered(answer=shortened(found[0].text), citations=cited, found=True)


def _at_once(task: AnswerPart, kind: str, lines: list[Line]) -> Answered | None:
    """Answer from what is surest: a change, a cell, a label, a set phrase, the part of a machine."""
    changed = change(task.question, lines)
    if changed is not None:
        return Answered(answer=changed[1], citations=(changed[0].n,), found=True)
    if _unheard(task):
        return Answered()
    if lines and lists_asked(task.question, lines[0].text):
        listed = lines[0].text.partition(": ")[2]
        return Answered(answer=shortened(listed), citations=(lines[0].n,), found=True)
    return _from_cells(task.question, kind, lines) or _from_phrases(task, kind, lines)


def _part_of_machine(task: AnswerPart, embed: Embed | None) -> Answered | None:
    """Answer "which part" by the part the evidence speaks of most, above all beside a code asked about."""
    if not asks_for_part(task.question):
        return None
    codes = codes_of(task.question)
    beside = {piece.n: not codes.isdisjoint(codes_of(piece.text)) for piece in task.evidence}
    weighed: dict[str, tuple[float, int]] = {}
    for line in score_lines(task.question, task.evidence, embed):
        if row_of(line.text):
            continue
        for part in parts_named(task.question, line.text):
            score, n = weighed.get(part.text, (0.0, line.n))
            weighed[part.text] = (score + (0.1 + line.score) * (2 if beside[line.n] else 1), n)
    if not weighed:
        return None
    best = max(weighed, key=lambda name: weighed[name][0])
    return Answered(answer=best, citations=(weighed[best][1],), found=True)


def _newest(task: AnswerPart, best: Answered, lines: list[Line]) -> Answered:
    """Return the newer figure where sources disagree on what was found."""
    conflict = next(iter(disagreements(task.question, task.evidence, lines)), None)
    if not best.found or conflict is None or not conflict.newer:
        return best
    figure = conflict.figure if conflict.newer == conflict.one.n else conflict.other_figure
    return (
        best
        if plain(figure) == plain(best.answer)
        else Answered(answer=figure, citations=(conflict.newer,), found=True)
    )


def _role_said(task: AnswerPart, lines: list[Line]) -> bool:
    """Say whether any evidence says all of the role a "who is the plant manager" asks for."""
    asked = _ROLE.match(task.question)
    role = content_words(asked.group(1)) if asked else []
    sources = {piece.n: f"{piece.source} {heading_of(piece.text)}" for piece in task.evidence}
    return len(role) < 2 or any(
        all(word in bag or not synonyms(word).isdisjoint(bag) for word in role)
        for line in lines
        for bag in [frozenset(bag_of(f"{line.text} {sources[line.n]}"))]
    )


def _unheard(task: AnswerPart) -> bool:
    """Say whether a quarter of a query of key words is said by no evidence: it is about something else."""
    if is_cjk(task.question) or _ASKING.search(task.question):
        return False
    told = frozenset(word for piece in task.evidence for word in (*bag_of(piece.text), *bag_of(piece.source)))
    about = matter(task.question)
    unheard = [word for word in about if word not in told and synonyms(word).isdisjoint(told)]
    return bool(unheard) and len(unheard) >= UNHEARD * len(about)


def _computed(question: str, line: Line) -> Answered:
    """Return the figure of a computed row, or the group a "which" asks for."""
    found = computed(line.text)
    row = row_of(line.text)
    if found is None:
        return Answered()
    at = row.index(found[0]) if found[0] in row else 0
    grouped = at > 0 and expected_kind(question) != "number"
    return Answered(answer=row[at - 1].value if grouped else found[0].value, citations=(line.n,), found=True)


def _from_phrases(task: AnswerPart, kind: str, lines: list[Line]) -> Answered | None:
    """Answer from a label ("Owner: ...") or a set phrase ("directed by ...")."""
    if kind in {"yes/no", "choice", "procedure", "cause"}:
        return None
    label = labelled(task.question, task.evidence)
    if label is not None and label.surety >= 0.75:
        return Answered(answer=tidy(label.answer), citations=(label.n,), found=True)
    told = facts(task.question, lines, task.evidence) if kind != "list" else []
    if told and told[0].surety >= 0.5:
        return Answered(answer=tidy(told[0].answer), citations=(told[0].n,), found=True)
    return None


def _all_cited(task: AnswerPart, decided: str) -> tuple[int, ...]:
    wanted = set(words(decided))
    return tuple(piece.n for piece in task.evidence if wanted & set(bag_of(piece.text)))[:3]


# -- rows, lists, yes and no ---------------------------------------------------------------


def _from_cells(question: str, kind: str, lines: list[Line]) -> Answered | None:
    """Answer from a table row: the row that says the question's other words, the column it asks for."""
    asked = set(content_words(question))
    if not asked or kind in {"cause", "procedure", "yes/no"}:
        return None
    best: tuple[float, str, int] | None = None
    for line in lines[:40]:
        row = row_of(line.text) or cells(line.text)
        for column, value in row:
            heads = set(content_words(column))
            said = {head for head in heads if head in asked or not synonyms(head).isdisjoint(asked)}
            if not said or set(content_words(value)) <= asked:
                continue
            if kind in {"number", "date"} and not candidates(value, kind):
                continue
            others = {word for name, cell in row if name != column for word in content_words(cell)}
            called = (n for n, cell in row if (mine := set(content_words(cell))) and mine <= asked)
            others |= {word for name in called for word in content_words(name)}  # "lot L25-0317"
            rest = {word for word in asked - heads if synonyms(word).isdisjoint(heads)}
            about = {word for word in matter(question) if word in rest}
            if sum(word in others or not synonyms(word).isdisjoint(others) for word in about) < 0.5 * len(
                about
            ):
                continue
            covered = len(rest & others) / max(1, len(rest))
            score = sum(1.0 if head in asked else 0.7 for head in said) / len(heads) + 1.5 * covered
            if (covered >= 0.5 or len(row) == 1) and (best is None or score > best[0]):
                best = (score, value, line.n)
    if best is None or best[0] < 1.4:
        return None
    return Answered(answer=tidy(best[1]), citations=(best[2],), found=True)


def _several(lines: list[Line], kind: str) -> Answered:
    """Return the sentences near the best one, in the order they stand."""
    close = [line for line in lines[:12] if line.score >= 0.55 * lines[0].score and line.n == lines[0].n]
    chosen = sorted(close[: 5 if kind == "procedure" else 3], key=lambda line: line.at)
    text = (
        " ".join(line.text for line in chosen)
        if not is_cjk(chosen[0].text)
        else "".join(line.text for line in chosen)
    )
    return Answered(answer=text[:600], citations=(chosen[0].n,), found=chosen[0].coverage >= 0.3)


_COUNTS = {
    "one": "1",
    "alone": "1",
    "single": "1",
    "two": "2",
    "both": "2",
    "three": "3",
    "four": "4",
    "five": "5",
}
_NEGATED = re.compile(
    r"\b(?:not|no|never|n't|without|neither|nor|cannot|prohibited|forbidden|must "
    r"not)\b|n't\b|不|没有|未|无|禁止|并非|不得",
    re.IGNORECASE,
)


_UNSURE = re.compile(
    r"\b(?:until|unless|nobody knows|not (?:yet )?known|unknown|unclear|whether)\b|"
    r"不清楚|未知|是否|尚未|待确认",
    re.IGNORECASE,
)


def _figures(text: str) -> list[str]:
    """Return the numbers of a text, small ones in words too."""
    plain = words(text)
    return [_COUNTS.get(word, word) for word in plain if word in _COUNTS or word.replace(".", "").isdigit()]


def _judge(question: str, lines: list[Line], kind: str) -> Answered:
    """Answer yes or no by the best sentence; of two alternatives the one it stands beside."""
    line = next((one for one in lines if not (_UNSURE.search(one.text) or row_of(one.text))), None)
    if line is None:
        return Answered(answer=shortened(lines[0].text), citations=(lines[0].n,), found=True)
    chinese = is_cjk(question)
    if kind == "choice":
        options = [name for name in read(question).names if name.lower() in line.text.lower()]
        return Answered(
            answer=options[0] if options else shortened(line.text), citations=(line.n,), found=bool(options)
        )
    negated = bool(_NEGATED.search(line.text)) != bool(_NEGATED.search(question))
    other = bool(said := set(_figures(question))) and not said & set(_figures(line.text))
    if (len(read(question).names) < 2 and line.coverage < LEAST_JUDGED) or other:
        return Answered(answer=shortened(line.text), citations=(line.n,), found=line.coverage >= 0.4)
    if line.coverage < (0.75 if negated else 0.6):
        return Answered(answer="否" if chinese else "no", citations=(line.n,), found=line.coverage >= 0.5)
    word = ("否" if negated else "是") if chinese else ("no" if negated else "yes")
    return Answered(answer=word, citations=(line.n,), found=True)
