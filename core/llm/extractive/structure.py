"""The frame of a question as counts: relations, clauses, chains, comparisons, lists (English and Chinese)."""

import re
from collections.abc import Callable

from core.llm.extractive.questions import Question
from core.text.tokens import word_set

KIN = word_set(
    """father mother husband wife spouse son daughter child children sibling brother sister parent parents
    grandfather grandmother grandson granddaughter uncle aunt nephew niece stepmother stepfather partner
    girlfriend boyfriend widow"""
)
MAKERS = word_set(
    """director author writer composer performer singer producer creator founder artist actor actress cast
    screenwriter inventor designer architect owner maker manufacturer developer publisher lyricist editor
    painter host narrator star discoverer co-founder builder supplier vendor distributor operator broadcaster
    presenter characters"""
)
OFFICES = word_set(
    """president governor mayor leader head coach manager ceo king queen minister senator chairman chancellor
    captain commander emperor pope principal employer boss supervisor engineer member members laureates"""
)
PLACES = word_set(
    """country city state county region province district continent birthplace capital headquarters hometown
    town village municipality nation place borough area island location territory river"""
)
WORKS = word_set(
    """film movie song album book novel show series magazine company band university school team club label
    network party war conflict battle event award tournament language religion currency genre game play
    character person people group organization organisation branch tool machine equipment part system lot
    recipe alarm report department"""
)
RELATIONS = KIN | MAKERS | OFFICES
NOUNS = RELATIONS | PLACES | WORKS

_RELATIVE = r"(?:where|that|which|who|whom|whose|in which|for which|from which|to which|when)"
_COMPARE = word_set(
    """older younger earlier later first last longer shorter taller higher larger bigger smaller greater more
    fewer less oldest youngest closer better larger both same"""
)
_PARTICIPLE = (
    r"(?:containing|including|featuring|starring|following|preceding|bordering|owning|holding|"
    r"hosting|owned|founded|"
    r"created|written|directed|produced|performed|developed|published|released|named|known|called|based|"
    r"located|born|formed|won|established|featured|educated|designed|recorded|invented)"
)
_AUX = r"(?:is|was|are|were|did|does|do|has|had|have|will|can|could)"
_SET = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten)"
_SUPERLATIVE = r"(?:\w+est|most \w+|least \w+|best[- ]\w+|top|highest[- ]\w+|latest|recent)"


def _count(pattern: str) -> Callable[[str], float]:
    compiled = re.compile(pattern)
    return lambda frame: float(min(3, len(compiled.findall(frame))))


def _has(pattern: str) -> Callable[[str], float]:
    compiled = re.compile(pattern)
    return lambda frame: float(compiled.search(frame) is not None)


_NOUN = "(?:" + "|".join(sorted(NOUNS)) + ")s?"
_ROLE = "(?:" + "|".join(sorted(RELATIONS)) + ")s?"
_PLACE = "(?:" + "|".join(sorted(PLACES)) + ")s?"

ENGLISH: dict[str, Callable[[str], float]] = {
    "role": _count(rf"\b{_ROLE}\b"),
    "role_of": _count(rf"\b{_ROLE} (?:of|in|from|for|at|on|behind)\b"),
    "def_noun_clause": _count(rf"\bthe (?:[\w-]+ ){{0,2}}{_NOUN} (?:of |in )?{_RELATIVE}\b"),
    "def_any_clause": _count(rf"\b(?:the|a|an) (?:[\w\ue000-\uf8ff'-]+ ){{1,4}}{_RELATIVE}\b"),
    "def_noun_of": _count(rf"\bthe (?:[\w-]+ ){{0,2}}{_NOUN} (?:of|in|for|from|by)\b"),
    "place_argument": _count(
        rf"\b(?:in|of|from|to|at|by) the (?:[\w-]+ ){{0,2}}{_PLACE} (?:of|where|that|in|which|with|"
        rf"for)\b"),
    "role_argument": _count(
        rf"\b(?:in|of|from|to|at|by|with|is|was|were|did|does|do|has|are) the (?:[\w\ue000-\uf8ff-]+ "
        rf"){{0,2}}{_ROLE} (?:of|in|who|from|for|on)\b"),
    "relative": _count(rf"(?<=\w\s\w)\w* {_RELATIVE}\b|, {_RELATIVE}\b"),
    "participle": _count(rf"\b(?:the|a|an) (?:[\w\ue000-\uf8ff-]+ ){{1,3}}{_PARTICIPLE}\b"),
    "of_the": _count(r"\bof the\b"),
    "of": _count(r"\bof\b"),
    "possessive": _count(r"['’]s?\s(?=[\w\ue000-\uf8ff])"),
    "possessive_role": _count(rf"['’]s? (?:[\w-]+ ){{0,2}}{_NOUN}\b"),
    "possessive_chain": _has(r"['’]s? (?:\w+ ){1,3}?\w+['’]s? |\bof \S+['’]s \w+|['’]s? \w+ of\b"),
    "possessive_then_verb": _has(rf"['’]s? (?:[\w-]+ ){{0,1}}{_NOUN} (?!$|(?:is|was|are|were)$)(?:[\w-]+)"),
    "of_role_then_verb": _has(
        rf"\b(?:did|was|does|is|were|do|has) the (?:[\w-]+ ){{0,2}}{_NOUN} (?:of|that|who|where|"
        rf"which|in|from)\b.* (?:\w+ed|born|die|live|study|work|win|play|locat\w+|from|at|write|"
        rf"become|start|begin|end|get|go|leave|name|make|sing|marry|happen|open|buy|say|vote|join|"
        rf"fall|have)\b"),
    "choice": _has(
        r",? (?:[\ue000-\uf8ff]|[\w\ue000-\uf8ff' -]+?),? or (?:[\ue000-\uf8ff]|[\w\ue000-\uf8ff' "
        r"-]+)$"),
    "choice_names": _has(r"[\ue000-\uf8ff],? or (?:the |a )?\ue000-\uf8ff?\w*"),
    "compare_word": _has("\\b(?:" + "|".join(sorted(_COMPARE)) + ")\\b"),
    "both_same": _has(
        r"\b(?:both|same|common|share|shared|either|neither|respectively|respective|compared?|"
        r"differ\w*|versus)\b"),
    "each": _has(r"\b(?:each|every|all)\b"),
    "set": _has(
        rf"\b{_SUPERLATIVE} {_SET}\b|\b{_SET} (?:[\w-]+ ){{0,3}}{_SUPERLATIVE}\b|\btop[- ]{_SET}\b|"
        rf"\blast {_SET}\b|\b{_SET} {_SUPERLATIVE}"),
    "of_set": _has(
        rf"\b(?:of|in|for|from|by|did|do|does|have|are|were|is|each) (?:each of )?(?:the|all) "
        rf"(?:[\w\ue000-\uf8ff-]+ ){{0,2}}?(?:{_SUPERLATIVE}|{_SET})\b.*s\b"),
    "of_plural": _has(
        r"\b(?:of|for|did|do|have|in|by) (?:each|every|all|the) (?:of the )?(?:[\w\ue000-\uf8ff'-]+ "
        r"){0,4}?(?:countries|companies|cities|teams|players|winners|members|presidents|actors|"
        r"films|movies|songs|albums|authors|states|universities|schools|artists|nations|nominees|"
        r"laureates|founders|directors|books|games|rivers|brands|mayors|governors|senators|justices|"
        r"countries|airlines|banks|hosts|characters|breeds|elements|stars|planets|tools|lots|"
        r"engineers|reports)\b"),
    "and_wh": _has(
        r"\band (?:(?:in|on|at|for|of|to|by|from) )?(?:what|which|who|when|where|how|whose|their|"
        r"its|his|her|the)\b"),
    "sentences": _has(r"[.?!] \w"),
    "list": _has(r"(?:[\w\ue000-\uf8ff'-]+, ){2,}(?:and |or )?[\w\ue000-\uf8ff'-]+"),
    "and_names": _has(r"[\ue000-\uf8ff](?:,| and|, and) [\ue000-\uf8ff]|[\ue000-\uf8ff] and "),
    "wh_plural": _has(
        r"^(?:what|who|which|where|when|how) (?:are|were|do|did|does|have) (?:the "
        r")?(?:[\w\ue000-\uf8ff'-]+ ){0,4}?\w+s (?:of|in|for|that|who|at|from)\b"),
    "imperative": _has(r"^(?:list|name|find|identify|give|provide|for|of|can you)\b"),
    "yes_no": _has(r"^(?:is|are|was|were|do|does|did|can|could|would|will|has|have|should|may|might)\b"),
    "copular_ask": _has(
        r"^(?:who|what|which|where) (?:is|was|are|were) (?:[\ue000-\uf8ff]['’]s?|(?:the )?(?:[\w-]+ "
        r"){1,4}(?:of|in|for|at|to|from)) ?(?:the )?(?:[\w\ue000-\uf8ff-]+ ?){1,4}$"),
    "name_of_place": _has(
        rf"\bname of the {_PLACE} (?:where|that)\b|^what (?:is|was) the (?:[\w]+ )?{_PLACE} (?:where|"
        rf"that)\b"),
    "wh_inside": _has(
        r"^(?!what|who|which|where|when|how|whose|why|in |on |at |to |for |from |by |list|name|find|"
        r"is|are|was|were|do|does|did).*\b(?:what|which|who|whom|whose)\b"),
    "wh_clause_names": _has(
        r"\b(?:what|which) (?:[\w\ue000-\uf8ff'-]+ ){1,6}(?:who|that|which|whose|where|with|by|from|"
        r"in|of) "),
    "length": lambda frame: min(30, len(frame.split())) / 10,
    "prepositions": _count(r"\b(?:in|of|by|from|for|at|on|with|during|after|before|as|into|under|between)\b"),
    "also": _has(
        r"\b(?:also|other|another|later|previously|formerly|before|after|besides|previous|former|"
        r"while|as well)\b"),
    "superlative": _has(
        r"\b(?:most|least|largest|highest|biggest|longest|smallest|tallest|best|lowest|oldest|"
        r"fastest)\b"),
    "verbs": _count(
        r"\b(?:is|was|are|were|did|does|do|has|had|have|\w{3,}ed|born|plays?|starred|won|made|wrote|"
        r"became|located|found|held|led|sang|known)\b"),
}  # fmt: skip


def english_features(question: Question) -> dict[str, float]:
    """Return the counts of an English question's frame by name."""
    frame = question.frame.lower().replace("`", "'")
    return {name: measure(frame) for name, measure in ENGLISH.items()}
