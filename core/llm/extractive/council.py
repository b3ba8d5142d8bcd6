"""The rules for the council: a perspective is a lens; what it says are sentences of its evidence, quoted.

No sentence is invented: arguments, proposals, effects, risks and objections are found, and cited.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.llm.extractive.lexicon import synonyms
from core.llm.extractive.reading import Embed, Line, bag_of, lines_of, score_lines
from core.tasks import (
    Argue,
    Argued,
    Claim,
    Criticise,
    DisagreementDraft,
    Evidence,
    ObjectionDraft,
    Objections,
    PlanRoles,
    ProposalDraft,
    RoleDraft,
    RolesChosen,
    Settle,
    Settlement,
    StatementDraft,
)
from core.text.tokens import content_words, is_cjk

ARGUMENT = 3  # sentences
COMMON = 3  # facts
LONGEST = 320  # characters
_CHANGES = "replace|shorten|lengthen|lower|raise|reduce|increase|add|exchange|introduce|change|extend|install"
_VERBS = (
    f"{_CHANGES}|inspect|check|clean|hold|keep|measure|monitor|compare|review|train|limit|schedule|plan|avoid"
)
_DOING = re.compile(
    rf"^(?:[-*•]\s*|\d+[.)]\s*)?(?:{_VERBS})\b|\b(?:must|should|shall) be\b|\bis to be\b|"
    r"\b(?:are|is) (?:replaced|inspected|cleaned|checked|exchanged|held) (?:every|after|before|by|according)|"
    rf"(?:action|decision|request|proposal|recommend)\w*:? (?:to )?(?:{_VERBS})\b|"
    r"更换|缩短|延长|降为|降低|提高到|提高|检查|清洗|加强|改为|建议|应当|应该|必须|按 ?SOP",
    re.IGNORECASE,
)
_CHANGING = re.compile(rf"\b(?:{_CHANGES})\b|更换|缩短|延长|降为|提高到|改为|增加", re.IGNORECASE)
_EFFECT = re.compile(
    r"\b(?:reduc\w+|increas\w+|improv\w+|fell|rose|dropp?ed|lower\w*|rais\w+|after the|from [\d.]+|"
    r"so that|prevents?)\b|回升|下降|上升|降低|提高|稳定在|减少|恢复",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\b(?:risks?|must not|never|damage\w*|crack\w*|alarms?|warning|caution|only if|fail\w*|danger\w*|hot|"
    r"brittle|scrap\w*|excursion|leak\w*|before you)\b|"
    r"停机|风险|禁止|不得|损坏|报警|失败|开裂|泄漏|报废|接近",
    re.IGNORECASE,
)
_EFFORT = re.compile(
    r"\d(?:[\d.,]*) ?(?:h\b|hours?|min(?:utes?)?\b|days?|weeks?|months?|EUR|USD|€|\$|persons?|technicians?|"
    r"pieces?)|(?:EUR|USD|€) ?\d|\d[\d.,]* ?(?:小时|天|元|分钟|个|人|周|月)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:but|however|only|not|no|never|nobody|without|although|unknown|not yet|"
    r"exceed\w*|limit\w*|costs?|downtime|fail\w*|risk\w*|takes?|longer|delay\w*|stock|lead time)\b|"
    r"但|不|未|没有|仅|只|超过|接近|成本|停机|风险|尚未|上限|库存",
    re.IGNORECASE,
)
_FATAL = re.compile(
    r"\b(?:(?:had|has|with|shows?|showed) no effect|did not (?:help|reduce|improve|work)|was rejected|"
    r"must not be|is (?:forbidden|prohibited|not allowed)|made it worse)\b|"
    r"无效|没有效果|没有改善|禁止|不得",
    re.IGNORECASE,
)


_EN = (  # what stands around a quotation: build on it, examine it, first step, what decides
    "Build on what {source} says: “{line}”",
    "Examine whether this is the lever: “{line}”",
    "Read {where} and check whether it holds here.",
    "Whether what {against} says applies here: a trial under the conditions of {for_} decides.",
)
_ZH = (
    "以{source}的记载为基础：“{line}”",
    "核实这是否是关键所在：“{line}”",
    "查阅{where}，确认其在此处是否成立。",
    "{against}所述是否适用于此：在{for_}的条件下试验或测量即可判定。",
)


def _lens(perspective: str) -> frozenset[str]:
    """Return the words a role looks for: what its card cares about, and its lens."""
    return frozenset(content_words(" ".join(perspective.split(" | ")[2:])))


def plan_roles(task: PlanRoles) -> RolesChosen:
    """Choose the roles whose lens meets the question's words most, then the library's tags."""
    asked = set(content_words(task.question))
    near = asked | {kin for word in asked for kin in synonyms(word)}
    tags = {word for tag in task.tags for word in content_words(tag)}
    scored: list[tuple[float, int, str, str]] = []
    for at, line in enumerate(task.roles):
        parts = [*line.split(" | "), "", ""]
        lens = _lens(line)
        score = 2.0 * len(lens & asked) + len(lens & (near - asked)) + 0.1 * min(len(lens & tags), 8)
        scored.append((-score, at, parts[0], parts[1]))
    kept = sorted(scored)[: max(1, task.most)]
    return RolesChosen(roles=tuple(RoleDraft(id=number, name=name) for _, _, number, name in kept))


# -- arguing ---------------------------------------------------------------------------------


def argue(task: Argue, embed: Embed | None = None) -> Argued:
    """Quote what the evidence says through the lens, and the measures it describes as proposals."""
    lines = _through(_lens(task.perspective), task.question, task.evidence, embed)
    argument = _spread(lines, ARGUMENT)
    near = {n: max(line.score for line in lines if line.n == n) for n in {line.n for line in lines}}
    measures = [line for line in lines if _DOING.search(line.text) and len(bag_of(line.text)) > 5]
    # A measure stands beside what it is for; one that changes something says more than a routine step.
    measures.sort(key=lambda line: -line.score - near[line.n] - 0.5 * bool(_CHANGING.search(line.text)))
    chosen = _spread(measures, task.most, each=1) or argument[:1]
    return Argued(
        argument=tuple(StatementDraft(text=_clean(line.text), citations=(line.n,)) for line in argument),
        proposals=tuple(_proposal(line, lines, task) for line in chosen),
    )


def _through(
    lens: frozenset[str], question: str, evidence: Sequence[Evidence], embed: Embed | None
) -> list[Line]:
    """Return the sentences worth quoting, those first that speak to the question and to the lens."""
    around = {piece.n: len(lens & set(bag_of(piece.text))) for piece in evidence}
    scored = score_lines(question, evidence, embed)
    times = Counter(line.text for line in scored)  # what stands in several pieces is a boilerplate
    found: list[Line] = []
    for line in scored:
        bag = set(bag_of(line.text))
        if len(bag) < 4 or times[line.text] > 1 or not _quotable(line.text):
            continue
        score = line.score + 0.3 * min(3, len(lens & bag)) + 0.05 * min(6, around[line.n])
        found.append(replace(line, score=score))
    return sorted(found, key=lambda line: (-line.score, line.n, line.at))


def _quotable(text: str) -> bool:
    """Say whether the text is a sentence rather than a row of a table, a question, or a note in brackets."""
    row = (
        text.count(" | ") > 1 or (text.count(";") > 1 and text.count(":") > 1) or text.endswith(("1.", "表"))
    )
    return len(text) <= LONGEST and not row and text[-1:] not in "?？" and text[:1] not in "(（>"


def _spread(lines: Sequence[Line], most: int, each: int = 2) -> list[Line]:
    """Return the best lines, at most `each` of one piece, none said twice."""
    kept: list[Line] = []
    for line in lines:
        said = any(set(bag_of(line.text)) == set(bag_of(other.text)) for other in kept)
        if len(kept) < most and not said and sum(other.n == line.n for other in kept) < each:
            kept.append(line)
    return kept


def _clean(text: str) -> str:
    return re.sub(r"^(?:[-*•]\s*|\d+[.)、]\s*)", "", " ".join(text.split())).strip()


def _proposal(line: Line, lines: Sequence[Line], task: Argue) -> ProposalDraft:
    source = {piece.n: piece for piece in task.evidence}[line.n]
    build, examine, step, _ = _ZH if is_cjk(task.question) else _EN
    form = build if _DOING.search(line.text) else examine
    beside: list[Line | None] = []
    for cue in (_EFFECT, _RISK, _EFFORT):
        beside.append(_beside(line, lines, {line.text, *(b.text for b in beside if b)}, cue))
    effect, risk, effort = (_clean(quote.text) if quote else "" for quote in beside)
    cited = dict.fromkeys([line.n, *(quote.n for quote in beside if quote)])
    where = f"{source.source}, {source.place}" if source.place else source.source
    return ProposalDraft(
        text=form.format(source=source.source, line=_clean(line.text)),
        effect=effect,
        risk=risk,
        effort=effort,
        first_step=step.format(where=where),
        citations=tuple(cited),
    )


def _beside(line: Line, lines: Sequence[Line], used: set[str], cue: re.Pattern[str]) -> Line | None:
    """Return the line of the wanted kind that shares most with this one; at least two words, or its piece."""
    mine = set(bag_of(line.text))
    best, most = None, 0.0
    for other in lines:
        if other.text in used or not cue.search(other.text):
            continue
        shared = len(mine & set(bag_of(other.text)))
        near = shared + (1.5 if other.n == line.n and abs(other.at - line.at) < 4 else 0.0)
        if near >= 2 and near > most:
            best, most = other, near
    return best


# -- criticising and settling ----------------------------------------------------------------


def criticise(task: Criticise) -> Objections:
    """Hold against each proposal the sentence of the evidence that limits it most, if one does."""
    lens = _lens(task.perspective)
    found: list[ObjectionDraft] = []
    said: set[str] = set()
    for claim in task.proposals:
        best = _against(claim, task.evidence, lens, said)
        if best is not None:
            piece, text = best
            said.add(text)
            mine = _matter(claim.text)
            fatal = _FATAL.search(text) is not None and len(mine & set(bag_of(text))) >= 0.4 * len(mine)
            found.append(
                ObjectionDraft(proposal=claim.index, text=_clean(text), citations=(piece.n,), fatal=fatal)
            )
    return Objections(objections=tuple(found))


def _matter(text: str) -> set[str]:
    """Return what a proposal is about: the words it quotes, codes and figures left out."""
    quoted = text.partition("“")[2] or text
    return {word for word in bag_of(quoted) if len(word) > 1 and not any(char.isdigit() for char in word)}


def _against(
    claim: Claim, evidence: Sequence[Evidence], lens: frozenset[str], said: set[str]
) -> tuple[Evidence, str] | None:
    """Return the sentence that shares at least two words with the claim and limits it, best by lens."""
    mine = _matter(claim.text)
    best: tuple[float, Evidence, str] | None = None
    for piece in evidence:
        for text in lines_of(piece):
            bag = set(bag_of(text))
            if len(mine & bag) < 2 or not _quotable(text) or text in said or _clean(text) in claim.text:
                continue
            if not _AGAINST.search(text) and not _FATAL.search(text):
                continue
            weight = len(mine & bag) / len(mine) + 0.1 * min(3, len(lens & bag))
            if best is None or weight > best[0]:
                best = (weight, piece, text)
    return best[1:] if best else None


def settle(task: Settle) -> Settlement:
    """Common ground is what several roles cite; order is nearness to the question, less what was objected."""
    asked = {*content_words(task.question)}
    against: dict[int, list[Claim]] = {}
    for objection in task.objections:
        against.setdefault(objection.index, []).append(objection)
    sources = {piece.n: piece for piece in task.evidence}

    def standing(claim: Claim) -> float:
        bag = set(bag_of(claim.text))
        near = sum(1.0 if word in bag or not synonyms(word).isdisjoint(bag) else 0.0 for word in asked)
        proof = 0.5 * len({sources[n].source for n in claim.citations if n in sources})
        return near + proof - 0.5 * len(against.get(claim.index, ()))

    order = sorted(task.proposals, key=lambda claim: (-standing(claim), claim.index))
    return Settlement(
        common=_common(task, asked),
        disagreements=tuple(
            DisagreementDraft(
                proposal=claim.index, decides=_decides(claim, against[claim.index], sources, task.question)
            )
            for claim in task.proposals
            if claim.index in against
        ),
        order=tuple(claim.index for claim in order),
    )


def _common(task: Settle, asked: set[str]) -> tuple[StatementDraft, ...]:
    """Return the statements on evidence that two roles or more cite, nearest to the question first."""
    citing: dict[int, set[int]] = {}
    for claim in task.statements:
        for n in claim.citations:
            citing.setdefault(n, set()).add(claim.index)
    shared = {n for n, roles in citing.items() if len(roles) > 1}
    near = [claim for claim in task.statements if shared & set(claim.citations)]
    near.sort(key=lambda claim: -len(asked & set(bag_of(claim.text))))
    kept: dict[str, StatementDraft] = {}
    for claim in near:
        kept.setdefault(claim.text, StatementDraft(text=claim.text, citations=claim.citations))
    return tuple(kept.values())[:COMMON]


def _decides(claim: Claim, objections: Sequence[Claim], sources: dict[int, Evidence], question: str) -> str:
    against = [sources[n].source for one in objections for n in one.citations if n in sources]
    mine = [sources[n].source for n in claim.citations if n in sources]
    against.sort(key=lambda source: source in mine)
    form = (_ZH if is_cjk(question) else _EN)[-1]
    return form.format(against=against[0], for_=mine[0]) if against and mine else ""
