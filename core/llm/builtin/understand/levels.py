"""Which of PIKE-RAG's five levels a question is (arXiv 2501.11551, section 3), from its verbs and their mood.

A level above L2 must be asked for: an order to propose or to foretell, counsel asked of "we", a future of
something that is measured. A noun of the same family asks for nothing: "who are the inventors" is a fact.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from core.domain import Level
from core.llm.builtin.understand.answer_kind import form
from core.llm.builtin.understand.grammar import Question, Word
from core.text.tokens import content_words, word_set

_PROPOSE = word_set(
    "suggest propose recommend brainstorm devise invent imagine design draft develop create plan sketch conceive "
    "formulate improve optimize optimise redesign rethink advise"
)
_CHANGE = word_set(
    "improve reduce cut increase avoid prevent lower raise boost optimize optimise minimize minimise maximize "
    "maximise enhance shorten strengthen save keep accelerate eliminate simplify redesign make"
)
_IDEAS = word_set(
    "idea suggestion proposal improvement alternative advice option thought way approach strategy roadmap"
)
_FORETELL = word_set("forecast predict project extrapolate foresee anticipate prognosticate")
_OUTLOOK = word_set("forecast prediction outlook projection prognosis extrapolation")
_TREND = word_set(
    "rise fall grow increase decrease drop decline climb reach exceed continue keep run develop change improve come "
    "return stay remain deteriorate head recur"
)
_PERIOD = word_set(
    "day week month quarter year decade half season summer winter shift january february march april may "
    "june july august september october november december"
)
_SHOW = word_set("list enumerate show quote print display read recite output retrieve copy look dump")
_STORES = word_set(
    "document file report page section manual collection table sheet source library workbook log minute "
    "procedure handbook guide catalogue catalog contract note notes record training memo specification"
)
_SPOTS = word_set(
    "row line page step column cell slide appendix annex clause paragraph section article table sheet "
    "chapter figure entry heading part"
)
_SAYING = word_set(
    "say state show list contain write read give report mention name tell describe cover refer"
)
_SUMMING = word_set("average mean total sum median maximum minimum overall altogether")
_JOINING = word_set(
    "link connect relate trace correlate contradict agree compare differ interplay connection chain"
)
_DEGREES = re.compile(
    r"\b(?:within|consistent with|same|across|in common|versus|vs|than|differently)\b", re.IGNORECASE
)
_SPAN = re.compile(
    r"\b(?:between|from|since|during|per|each|in total|in (?:19|20)\d\d|in the (?:last|past))\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(?:will|won't|shall|going to|gonna)\b|'ll\b", re.IGNORECASE)
_AHEAD = re.compile(
    r"\bnext (?:[\w-]+ ){0,2}?(?:days?|weeks?|months?|quarters?|years?|decade|half|season|summer|winter|shift|\w+'s)|"
    r"\b(?:coming|upcoming) (?:\w+ )?(?:days?|weeks?|months?|quarters?|years?)|\bahead\b|\bin the future\b|\btomorrow\b|"
    r"\b(?:by|until|to|through) (?:the end of|mid-|early |late )?(?:20\d\d|when|next|the year|the month)\b|^by when\b",
    re.IGNORECASE,
)
_WE = r"(?:we|i|you|one|us|our|the (?:team|company|plant|fab|department))"


class Cue(NamedTuple):
    """A sign of a level, how strong, and how the reason says it in English and Chinese."""

    level: Level
    weight: float
    said: str
    holds: Callable[["Read"], bool]


class Read(NamedTuple):
    """A question as the cues see it."""

    question: Question
    parts: int
    kind: str
    library: tuple[str, ...]

    @property
    def frame(self) -> str:
        return self.question.frame

    @property
    def words(self) -> tuple[Word, ...]:
        return self.question.words

    def lemmas(self, letters: str) -> frozenset[str]:
        """Return the base forms of the words that stand for one of the letters."""
        return frozenset(word.lemma for word in self.words if word.letter in letters)

    def order(self) -> str:
        """Return the verb of an order, "" where none is given."""
        words = self.words
        first = next((word for word in words[:2] if word.text.lower() != "please"), None)
        return (
            first.lemma if first is not None and (first.letter == "v" or first.tag in {"VVB", "VVI"}) else ""
        )

    def has(self, pattern: str) -> bool:
        return re.search(pattern, self.frame, re.IGNORECASE) is not None


def _counsel(read: Read) -> bool:
    """Say whether advice is asked: "how could we", "what would you", "how can X be improved"."""
    if read.has(
        r"\b(?:if|when|after|before|once) (?:the |an? )?[\w\ue000-\uf8ff]+ (?:is|are|appears|occurs|shows|fails|comes)\b"
    ):
        return False
    if read.has(rf"\b(?:how|what|which|where)\b.*\b(?:could|might|would|should) {_WE}\b") and not read.has(
        r"\bwhat should i do\b|\b(?:know|tell|find out)\b"
    ):
        return True
    changing = not read.lemmas("vieg").isdisjoint(_CHANGE)
    asks = rf"\bhow (?:can|could|might|should|do|to)\b(?: {_WE}\b|.*\bbe\b| )"
    better = any(word.tag == "AJC" or word.text == "better" for word in read.words)
    made = "make" in read.lemmas("vie")
    return (
        changing
        and (better or not made)
        and read.has(asks)
        and not read.has(r"^how do i (?:make|keep|save)\b")
    )


def _ideas(read: Read) -> bool:
    told = any(word.tag in {"VBD", "VHD", "VDD", "VVD"} for word in read.words)
    if told or read.lemmas("nm").isdisjoint(_IDEAS) or not read.lemmas("nm").isdisjoint(_STORES - {"manual"}):
        return False  # what was done or stands written is a fact
    return read.has(
        r"\b(?:any|some|new|fresh|more|your|other) (?:\w+ )?(?:ideas?|suggestions?|proposals?|improvements?|alternatives?|"
        r"options?|advice|thoughts?)\b|\bideas? (?:for|on|to)\b|\bbest (?:way|approach|option|strategy)\b|"
        r"\b(?:roadmap|ways?|strategy|approach) (?:of|to|for)\b(?!.*\bin the\b)"
    )


def _foretells(read: Read) -> bool:
    if read.order() in _FORETELL or (read.order() in {"estimate", "give", "show"} and _outlook(read)):
        return True
    asked = read.has(rf"\b(?:can|do|should|could|may) {_WE} (?:expect|anticipate|foresee|predict)\b")
    return (
        asked
        or read.has(r"\b(?:is|are|be) (?:\w+ )*?(?:expected|likely|projected|predicted|forecast) to\b")
        or (
            read.has(
                r"^(?:what|how) (?:is|are) (?:the |our )?(?:forecast|outlook|projection|prediction)s? (?:for|of)\b"
            )
        )
    )


def _outlook(read: Read) -> bool:
    return not read.lemmas("nmv").isdisjoint(_OUTLOOK)


def _will_be(read: Read) -> bool:
    """Say whether a measured thing's future is asked: how many will, what will it be, will it keep rising."""
    moving = not read.lemmas("vigj").isdisjoint(_TREND)
    ahead = _AHEAD.search(read.frame) is not None
    if _WILL.search(read.frame):
        measured = read.kind == "number" or read.has(
            r"^(?:how (?:many|much|high|low|long|far)|what)\b.* be\b"
        )
        return measured or moving or ahead and read.kind in ("yes_no", "number")
    if read.has(r"^how likely\b|\b(?:likelihood|probability|chance|risk) of another\b"):
        return True
    return ahead and moving and not read.has(r"\b(?:did|was|were|had|has|have)\b")


def _if_goes_on(read: Read) -> bool:
    return read.has(
        r"\b(?:if|should|assuming|given|provided)\b.*\b(?:trend|goes? on|continu\w+|holds|keeps?)\b|\b(?:run|running) out\b.*|"
        r"\bby when should\b|\bkeep (?:rising|falling|growing)\b|\bheading\b"
    ) and not read.has(r"\b(?:did|was|were)\b")


def _of_library(read: Read) -> bool:
    return read.has(
        r"^(?:how many|which|what|list|show)\b(?: all| me)?(?: the)? (?:documents?|files?|reports?|sources?|collections?|manuals?)\b"
        r"(?:.*\b(?:library|collection|corpus|there|mention|contain|name|talk about|refer|deal|speak|cover|have)\w*\b|$)"
    )


def _says_there(read: Read) -> bool:
    """Say whether the words of a document or a place in one are asked for."""
    said_by = read.has(r"^(?:according to|as (?:stated|said|written) in)\b") or (
        read.has(r"^what(?:'s| is| does| do| did| are| was)\b")
        and not read.lemmas("vie").isdisjoint(_SAYING)
        and bool(re.match(r"^what (?:does|do|did|is|are|was) ", read.frame, re.IGNORECASE))
        and not read.lemmas("nmN").isdisjoint(_STORES | _SPOTS)
        and not read.has(r"\band\b.*\bsay\b|\bdifferently\b")
    )
    return said_by or read.has(r"^what (?:does|did|do) [\ue000-\uf8ff] (?:say|state|write)")


def _spot(read: Read) -> bool:
    spots = "|".join(sorted(_SPOTS - {"part"}))
    return read.has(
        rf"\b(?:{spots})s? (?:number |no\. ?)?(?:\d+|[A-Z]\b|[\ue000-\uf8ff])|\b(?:which|what) (?:columns?|rows?|headings?|entries|fields)\b|"
        r"\b(?:entries|contents?|wording|full text|exact words|headings) (?:of|in)\b"
    )


def _code(read: Read) -> bool:
    return re.fullmatch(
        r"(?:[a-z]+ )?(?:code |number )?[\ue000-\uf8ff][:,]? ?(?:what\b.*|meaning)?|what (?:is|does) (?:[a-z]+ )?(?:code |number )?[\ue000-\uf8ff](?: mean)?",
        read.frame,
        re.IGNORECASE,
    ) is not None and any(c.isdigit() for c in "".join(read.question.names))


def _in_table(read: Read) -> bool:
    """Say whether a table of the library has what is asked as a column."""
    asked = set(content_words(read.question.text))
    for card in read.library:
        for column in card.partition("Columns:")[2].split(","):
            wanted = set(content_words(column.split("(")[0].split("[")[0]))
            if len(wanted) >= 2 and wanted <= asked:
                return True
    return False


def _sums(read: Read) -> bool:
    counted = read.has(r"\bhow (?:many|often|much)\b") and _SPAN.search(read.frame) is not None
    return (
        counted or not read.lemmas("njaoms").isdisjoint(_SUMMING) and read.kind in ("number", "fact", "list")
    )


def _joins(read: Read) -> bool:
    linked = not read.lemmas("vin").isdisjoint(_JOINING) and read.has(r"\b(?:and|to|with|between|how|from)\b")
    changed = read.has(r"\bchang\w* (?:\w+ )?from\b|\bhow (?:has|have|did) .* chang")
    surveyed = read.has(
        r"\b(?:all|across) (?:the |all )?(?:reports?|documents?|incidents?|cases?|files?|sources?)\b"
    )
    return linked or changed or surveyed or _DEGREES.search(read.frame) is not None


def _extreme(read: Read) -> bool:
    return read.has(r"^(?:which|what|who)\b(?! (?:is|are) the best\b)") and "s" in read.question.shape


_CUES = (
    Cue(Level.CREATIVE, 3, "asks for a proposal", lambda r: r.order() in _PROPOSE or r.has(r"^(?:please )?(?:come up with|think of|help me (?:design|plan))")),
    Cue(Level.CREATIVE, 3, "asks what could be done", _counsel),
    Cue(Level.CREATIVE, 3, "asks for ideas", _ideas),
    Cue(Level.PREDICTIVE, 3.5, "asks for a forecast", _foretells),
    Cue(Level.PREDICTIVE, 3, "asks how something measured will be", _will_be),
    Cue(Level.PREDICTIVE, 3, "carries a trend on", _if_goes_on),
    Cue(Level.DIRECT, 3, "asks about the library itself", _of_library),
    Cue(Level.DIRECT, 2.5, "asks to list what is written", lambda r: r.order() in _SHOW),
    Cue(Level.DIRECT, 3, "asks what a document says", _says_there),
    Cue(Level.DIRECT, 3, "names a place in a document", _spot),
    Cue(Level.DIRECT, 2.5, "looks up a code", _code),
    Cue(Level.DIRECT, 3, "a table of the library lists it", _in_table),
    Cue(Level.LINKING, 2.5, "is made of parts", lambda r: r.parts > 1),
    Cue(Level.LINKING, 2.5, "counts or sums up", _sums),
    Cue(Level.LINKING, 2.5, "compares or links several facts", _joins),
    Cue(Level.LINKING, 2, "looks for an extreme", _extreme),
)  # fmt: skip


def _zh(level: Level, weight: float, said: str, pattern: str) -> Cue:
    compiled = re.compile(pattern)
    return Cue(level, weight, said, lambda read: compiled.search(read.frame) is not None)


_CUES_ZH = (
    _zh(Level.CREATIVE, 3, "要求提出办法", r"(?:如何|怎样|怎么(?:做)?(?:才能|能)?).{0,12}(?:改进|改善|优化|提高|降低|减少|避免|防止|提升|重新设计)"),
    _zh(Level.CREATIVE, 3, "要求提出方案", r"建议(?!了|过|的?书)|提出(?!了|过|的).{0,20}(?:方案|想法|看法|思路|措施|办法)|头脑风暴|出主意|有什么(?:好)?(?:办法|主意|点子|思路)|"
        r"新思路|^(?:请)?(?:为|给|帮).{0,14}(?:设计|制定|策划|规划)|^(?:请)?(?:设计|构思|制定|策划|规划)"),
    _zh(Level.CREATIVE, 2, "问应该怎样做", r"(?:我们|我)(?:应该|该|可以)(?:如何|怎样|怎么)|应该如何"),
    _zh(Level.PREDICTIVE, 4, "要求预测", r"预测|预计|预估|推算|展望|外推|估计一下"),
    _zh(Level.PREDICTIVE, 3, "问的是将来", r"明年|后年|下(?:个|一)?(?:月|季度|周|星期|年|半年)|未来|将来|今后|年底之前|到20\d\d年|趋势.{0,10}(?:什么时候|何时|会|将)"),
    _zh(Level.PREDICTIVE, 2.5, "问会怎样", r"(?:还|将|可能)?会.{0,14}(?:吗|多少|怎样)$|什么时候会|将(?:会|达到|增加|减少)|继续(?:上升|下降|增加|减少)"),
    _zh(Level.DIRECT, 3, "问资料库本身", r"(?:资料库|库)(?:里|中).{0,6}(?:多少|哪些|几)(?:份|个|篇)?(?:文件|文档|资料|报告)?|(?:多少|几)(?:份|个|篇)(?:文件|文档|资料)"),
    _zh(Level.DIRECT, 3, "要求列出", r"^(?:请)?(?:列出|列举|显示|查一下|查询|查找|找出|给出.{0,12}原文|引用|读出|打印)|(?:显示|列)出来|的原文|全文"),
    _zh(Level.DIRECT, 3, "指明文件中的位置", r"第[一二三四五六七八九十\d]+(?:条|页|行|步|列|章|节|款)|附录|(?:表格|表)(?:里|中|的内容)|写的是什么|(?:里|中)(?:列|记录|写|提到)(?:了|着)"),
    _zh(Level.DIRECT, 3, "问文件怎么说", r"^(?:根据|按照)|(?:对|关于|就).{1,30}(?:怎么说|说了什么|有什么(?:说明|规定)|是怎么(?:说|规定|写)的|如何规定)"),
    _zh(Level.DIRECT, 2.5, "查代码的含义", r"^\S{0,6}[\ue000-\uf8ff](?:的)?(?:含义|意思)|[\ue000-\uf8ff](?:是)?什么意思"),
    Cue(Level.LINKING, 2.5, "由几部分组成", lambda read: read.parts > 1),
    _zh(Level.LINKING, 2.5, "要求比较", r"相比|比较|对比|区别|不同|差异|更(?:高|低|多|少|长|短|大|小|早|晚|好|快)|一致吗|是否一致|共同点|相同"),
    _zh(Level.LINKING, 2.5, "要求统计", r"(?:一共|总共|总计|合计|累计).{0,6}(?:多少|几)|发生(?:了)?(?:多少|几)次|平均|总和|总数|最(?:高|低|多|少|大|小|长|短)的(?:是)?哪|哪.{0,8}最"),
    _zh(Level.LINKING, 2.5, "联系多个事实", r"联系|关系|关联|为什么.*反而|所有.{0,8}(?:报告|文件|事件)|还.{0,12}哪些"),
)  # fmt: skip
_WRITTEN_ZH = re.compile(r"(?:报告|手册|文件|规程|纪要|记录|合同)(?:里|中|上)|^谁")
_ORDER = (Level.CREATIVE, Level.PREDICTIVE, Level.DIRECT, Level.LINKING)
_ONE_FACT = {"en": "one fact answers it", "zh": "一个事实即可回答"}


class Judged(NamedTuple):
    """A level, the reason, and by how much it leads the next."""

    level: Level
    reason: str
    lead: float


def level_of(question: Question, parts: int, library: tuple[str, ...] = ()) -> Judged:
    """Return the level whose cues weigh most; without cues a question is factual."""
    chinese = question.language == "zh"
    read = Read(question, parts, form(question), library)
    scores: dict[Level, float] = dict.fromkeys(_ORDER, 0.0)
    reasons: dict[Level, list[str]] = {level: [] for level in _ORDER}
    for cue in _CUES_ZH if chinese else _CUES:
        if cue.holds(read):
            scores[cue.level] += cue.weight
            reasons[cue.level].append(cue.said)
    if chinese and _WRITTEN_ZH.search(question.frame):
        scores[Level.CREATIVE] = scores[Level.PREDICTIVE] = 0.0  # what stands written is a fact
    if scores[Level.DIRECT] and parts > 1:
        scores[Level.DIRECT] -= 1
    best = max(_ORDER, key=lambda level: scores[level])
    if scores[best] < 2:
        return Judged(Level.FACTUAL, _ONE_FACT["zh" if chinese else "en"], 2 - scores[best])
    second = max(scores[level] for level in _ORDER if level is not best)
    return Judged(best, "; ".join(reasons[best]), scores[best] - second)
