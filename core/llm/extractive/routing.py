"""The rule for Route: the five levels told apart by what the words ask for (PIKE-RAG, section 3)."""

import re
from typing import Literal, NamedTuple

from core.domain import Level
from core.llm.extractive.gating import structure
from core.llm.extractive.questions import read
from core.llm.extractive.surveying import surveys
from core.tasks import Route, Routed
from core.text.tokens import content_words


class Cue(NamedTuple):
    """Words that speak for a level, how loudly, and how the reason names them."""

    level: Level
    weight: float
    reason: str
    pattern: re.Pattern[str]


_PERIOD = r"(?:day|week|month|quarter|year|decade|half|season|summer|winter|shift|night|morning)s?"
_DOCUMENT = (
    r"(?:the )?(?:\S+ ){0,5}?(?:\S*[\ue000-\uf8ff]\S*|manual|report|meeting|workbook|catalogue|minutes|notes|"
    r"log|procedure|training|handbook|guide|memo|contract)(?: [\w-]+)?"
)
_WE = r"(?:we|i|you|one|us|the (?:team|fab|company|plant))"


def _cue(level: Level, weight: float, reason: str, pattern: str) -> Cue:
    return Cue(level, weight, reason, re.compile(pattern, re.IGNORECASE))


_CUES = (
    # L4: something new is asked for
    _cue(Level.CREATIVE, 3, "asks for ideas", 
        rf"\bhow (?:might|could|can|should|would|do) {_WE}\b(?!.*\b(?:know|tell|find out|explain)\b)"),
    _cue(Level.CREATIVE, 3, "asks for a proposal", 
        r"\b(?:suggest|propose|recommend|brainstorm|devise|invent|imagine|conceive|redesign|rethink|"
        r"reimagine|advise)\w*\b"),
    _cue(Level.CREATIVE, 3, "asks to design something", 
        r"^(?:please )?(?:design|draft|come up with|develop|sketch|outline|create|plan|think of|"
        r"write|formulate)\b"),
    _cue(Level.CREATIVE, 3, "asks for ideas", 
        r"\b(?:any|some|new|fresh|more|your) (?:ideas?|thoughts?|suggestions?|proposals?|advice)\b|"
        r"\bideas? (?:for|on|to)\b|\bhelp me (?:design|plan|think)"),
    _cue(Level.CREATIVE, 2.5, "asks what ought to be done", 
        rf"\b(?:what|which|where|who)\b.*\b(?:could|should|would|might) (?:{_WE}|our)\b|\bshould "
        rf"(?:we|our|i)\b|\bif you (?:had|were|could)\b"),
    _cue(Level.CREATIVE, 2.5, "asks for a better way", 
        r"\b(?:ways?|options?|alternatives?|strateg(?:y|ies)|roadmap|approach(?:es)?|best (?:way|"
        r"approach|option)) (?:to|of|for|forward|would)\b"),
    _cue(Level.CREATIVE, 2.5, "asks how to improve", 
        r"\bhow (?:can|could|might|should|to)\b.*\b(?:improv|better|optimi[sz]|reduc|avoid|prevent|"
        r"increas|enhanc|cut|lower|boost|rais|minimi[sz]|maximi[sz])"),
    _cue(Level.CREATIVE, 1.5, "speaks of alternatives", 
        r"\balternatives?\b|\binnovati|\bcreative\b|\bimprovements?\b|\bpros and cons\b|\brepair, "
        r"replace\b"),
    _cue(Level.CREATIVE, 3, "要求提出想法", 
        r"(?:如何|怎样|怎么(?:做)?(?:才能|能)?|怎么才能).{0,12}(?:改进|改善|优化|提高|降低|减少|"
        r"避免|防止|提升|重新|解决|设计)"),
    _cue(Level.CREATIVE, 3, "要求提出方案", 
        r"建议|提出.{0,20}(?:方案|想法|看法|思路|措施|办法)|头脑风暴|出主意|集思广益|"
        r"有什么(?:好)?(?:办法|方法|主意|点子|思路)|新思路|重新设计|^(?:请)?(?:为|给|"
        r"帮).{0,14}(?:设计|制定|策划|规划)|^(?:请)?(?:设计|构思|制定|策划|规划)"),
    _cue(Level.CREATIVE, 1.5, "问应该怎样做", 
        r"(?:我们|我)(?:应该|该|可以|能)(?:如何|怎样|怎么)|应该如何|不同角度|角度"),
    # L3: something that has not happened yet
    _cue(Level.PREDICTIVE, 4, "asks for a forecast", 
        r"\b(?:forecast|predict|extrapolat|prognos|outlook|foresee)\w*\b|^project\b|\bprojected\b|"
        r"\bprojection"),
    _cue(Level.PREDICTIVE, 3, "speaks of the time to come", 
        rf"\bnext (?:\w+ )?(?:\w+ )?{_PERIOD}\b|\bnext \w+'s\b|\b(?:coming|upcoming) (?:\w+ "
        rf")?{_PERIOD}\b|\b(?:years?|months|weeks) ahead\b|\bin the future\b|\bby the end of (?:the|"
        rf"this|next)\b|\bto the end of the (?:year|month|quarter)\b|\bwithin the next\b|\bforward "
        rf"to\b|\btomorrow\b"),
    _cue(Level.PREDICTIVE, 2.5, "asks what will be", 
        r"\b(?:will|won't|going to|gonna)\b(?! (?:i|we|you) (?:find|see|read|need)\b)|\b(?:when|"
        r"where|how|what|which|who|by when)\b.*\bwill\b"),
    _cue(Level.PREDICTIVE, 2.5, "asks what to expect", 
        r"\b(?:expect(?:ed|ation)?s?|anticipat\w*|likely(?! (?:\w+ )?(?:cause|reason|source|explanation))|"
        r"likelihood|probab\w+|"
        r"chance)\b(?!.*\b(?:was|were|did|had)\b)|\bshould .{2,40} run out\b"),
    _cue(Level.PREDICTIVE, 2.5, "carries a trend on", 
        r"\b(?:if|should|assuming|given)\b.*\b(?:trend|goes? on|continu\w+|holds?|keeps?)\b|\bkeep "
        r"(?:rising|falling|growing|increasing|decreasing)\b|\bheading\b"),
    _cue(Level.PREDICTIVE, 1.5, "names a later year", 
        r"\b(?:by|in|until|to|through|of|mid-|for) ?(?:mid-|early |late )?20(?:2[7-9]|[3-9]\d)\b"),
    _cue(Level.PREDICTIVE, 4, "要求预测", r"预测|预计|预估|预期|推算|展望|外推"),
    _cue(Level.PREDICTIVE, 3, "问的是将来", 
        r"明年|后年|下(?:个|一)?(?:月|季度|周|星期|年|半年)|未来|将来|今后|年底之前|到20(?:2[7-9]|"
        r"[3-9]\d)年|趋势(?:继续|下去|发展)?.{0,10}(?:什么时候|何时|会|将)"),
    _cue(Level.PREDICTIVE, 2, "问会怎样", 
        r"(?:还|将|可能)?会.{0,14}(?:吗|多少|怎样|如何)$|可能.{0,10}多少|什么时候会|将(?:会|"
        r"达到|是|增加|减少)|继续(?:上升|下降|增加|减少)"),
    # L0: what stands somewhere, as it stands
    _cue(Level.DIRECT, 3, "asks to list what is written", 
        r"^(?:please )?(?:list|enumerate|print|display|quote|read out|look up|recite|output|dump|"
        r"show|retrieve|copy)\b(?!.*\b(?:compare|difference|why)\b)"),
    _cue(Level.DIRECT, 3, "asks what a place in a document says", 
        r"\b(?:what|which) (?:does|do|did) .*\b(?:table|section|page|appendix|chapter|figure|row|"
        r"paragraph|clause|step|slide|sheet|column|document|entry|heading)\b.*\b(?:say|state|read|"
        r"show|list|contain|give)s?\b"),
    _cue(Level.DIRECT, 3, "names a place in a document", 
        r"\b(?:row|line|page|step|column|cell|slide|appendix|clause|paragraph|section|article|table|"
        r"sheet) (?:\d+|[A-Z]\b)|[\ue000-\uf8ff] table\b|\b(?:appendix|annex) \w\b"),
    _cue(Level.DIRECT, 3, "asks what a document says",
        rf"^what (?:does|do|did) {_DOCUMENT} (?:say|state|write|tell us|report)s? (?:about|on|of)\b"
        rf"|^(?:according to|as) {_DOCUMENT}(?: says| states)?,"),
    _cue(Level.DIRECT, 3, "问文件怎么说",
        r"^(?:根据|按照)?(?:文件|规程|报告)?[\ue000-\uf8ff]\s?\S{0,6}?(?:对|关于|就).{1,30}"
        r"(?:怎么说|说了什么|有什么(?:说明|规定)|是怎么(?:说|规定|写)的|如何规定)"),
    _cue(Level.DIRECT, 2.5, "asks for the wording", 
        r"\b(?:full|exact|original|verbatim) (?:text|wording|words)\b|\bwritten (?:under|in|on|"
        r"down)\b|\b(?:entries|contents?|columns|headings|participants|attendees) (?:of|in|does|do|"
        r"are|named)\b|\bgive me the\b|\bwhat are the entries\b|\bwhich columns\b"),
    _cue(Level.DIRECT, 2.5, "asks which files name it", 
        r"\bwhich (?:files?|documents?|reports?|pages?|sections?|manuals?) (?:mention|contain|name|"
        r"talk about|refer)"),
    _cue(Level.DIRECT, 2.5, "looks up a code", 
        r"^(?:(?:alarm|error|part|fault)? ?(?:code|number)? ?[\ue000-\uf8ff][:,]? (?:what|"
        r"meaning)\b.*|what (?:is|does) (?:alarm|error|fault|code|part)(?: code| number)? "
        r"[\ue000-\uf8ff](?: mean)?)$"),
    _cue(Level.DIRECT, 3, "要求列出", 
        r"^(?:请)?(?:列出|列举|显示|查一下|查询|查找|找出|给出.{0,12}原文|引用|读出|打印)|"
        r"(?:显示|列)出来|的原文|全文"),
    _cue(Level.DIRECT, 3, "指明文件中的位置", 
        r"第[一二三四五六七八九十\d]+(?:条|页|行|步|列|章|节|款)|附录|(?:表格|表)(?:里|中|的内容)|"
        r"写的是什么|(?:里|中)(?:列|记录|写|提到)(?:了|着)"),
    _cue(Level.DIRECT, 2.5, "查代码的含义", 
        r"^(?:报警|错误|故障|零件)?(?:代码|号)?[\ue000-\uf8ff](?:的)?(?:含义|意思)|"
        r"[\ue000-\uf8ff](?:是)?什么意思"),
    # L2: several facts must be linked, compared or counted
    _cue(Level.LINKING, 2.5, "compares", 
        r"\bcompar\w*|\bdiffer\w*|\bversus\b|\bvs\b|\bin common\b|\bcontradict|\bagree with\b|"
        r"\bconsistent\b|\bsame\b.*\bas\b|\b(?:more|less|fewer|shorter|longer|higher|lower|older|"
        r"earlier|later|better|worse|cheaper|faster|larger|smaller) than\b|\bwithin the (?:limit|"
        r"range|spec)"),
    _cue(Level.LINKING, 2.5, "counts or sums up", 
        r"\bhow (?:many|often|much)\b.*\b(?:between|from|since|during|in (?:19|20)\d\d|per|times|"
        r"each|raise|in total|altogether|overall|happen|occur)\w*|\b(?:average|mean|median|total|"
        r"sum|maximum|minimum|count) (?:of|cost|number|yield|time|\w+ (?:of|per|for|in))\b|\bnumber "
        r"of\b.*\b(?:in|per|between|since)\b"),
    _cue(Level.LINKING, 2.5, "links several facts", 
        r"\b(?:links?|connects?|relat(?:es?|ion|ionship)|connection|interplay|correlat\w*|trace|"
        r"chain)\b.*\b(?:and|between|to|how|with)\b|\bchang\w+ (?:\w+ )?from\b|\bacross (?:all|the|"
        r"both)\b|\bhow .+ ends? in\b|\boverall\b|\bas a whole\b|\ball (?:incidents|reports|"
        r"documents|cases)\b"),
    _cue(Level.LINKING, 2, "looks for an extreme", 
        r"\b(?:which|what|who)\b.*\b(?:highest|lowest|most|least|largest|smallest|longest|shortest|"
        r"best|worst|fewest)\b.*\b(?:and|of all|in (?:19|20)\d\d|among)?\b"),
    _cue(Level.LINKING, 2.5, "要求比较", 
        r"相比|比较|对比|区别|不同|差异|更(?:高|低|多|少|长|短|大|小|早|晚|好|快)|是否一致|一致吗|"
        r"共同点|相同"),
    _cue(Level.LINKING, 2.5, "要求统计", 
        r"(?:一共|总共|共|总计|合计|累计).{0,6}(?:多少|几)|发生(?:了)?(?:多少|几)次|平均|总和|总数|"
        r"最(?:高|低|多|少|大|小|长|短)的(?:是)?哪|哪.{0,8}最(?:高|低|多|少|大|小|长|短)"),
    _cue(Level.LINKING, 2.5, "联系多个事实", 
        r"联系|关系|关联|影响.{0,10}(?:吗|什么)|为什么.*反而|所有.{0,8}(?:报告|文件|事件)|"
        r"还.{0,12}哪些"),
)  # fmt: skip
_PAST = re.compile(r"\b(?:did|was|were|had|has been|have been)\b", re.IGNORECASE)
_ORDER = (Level.CREATIVE, Level.PREDICTIVE, Level.DIRECT, Level.LINKING)
_CAUSE = re.compile(
    r"^why\b|\bhow (?:did|does|do)\b|\bwhat (?:caused|leads? to|led to)\b|为什么|为何|怎么会|如何导致",
    re.IGNORECASE,
)
Seeks = Literal["factual", "reasoning", "global"]
_SURVEY_SAID = {"en": "asks for a survey: summaries first", "zh": "要求综述：先看摘要"}
_FACTUAL = {"en": "one fact answers it", "zh": "一个事实即可回答"}


def route(task: Route) -> Routed:
    """Return the level whose cues weigh most; without cues a question is factual."""
    question = read(task.question)
    scores: dict[Level, float] = dict.fromkeys(_ORDER, 0.0)
    reasons: dict[Level, list[str]] = {level: [] for level in _ORDER}
    for cue in _CUES:
        if cue.pattern.search(question.frame):
            scores[cue.level] += cue.weight
            reasons[cue.level].append(cue.reason)
    if scores[Level.PREDICTIVE] and scores[Level.PREDICTIVE] < 3 and _PAST.search(question.frame):
        scores[Level.PREDICTIVE] -= 1.5
    shape = structure(task.question)
    if shape.composite and (shape.unfolds or shape.score > 1):
        scores[Level.LINKING] += 2.2
        reasons[Level.LINKING].append(shape.reason)
    listed = _table_that_lists(task)
    if listed and scores[Level.LINKING] <= 2.5 and "counts or sums up" in reasons[Level.LINKING]:
        scores[Level.DIRECT] += 3
        reasons[Level.DIRECT].append(listed)
    best = max(_ORDER, key=lambda level: scores[level])
    seeks: Seeks = "reasoning" if _CAUSE.search(question.frame) else "factual"
    seeks = "global" if surveys(task.question) else seeks
    if scores[best] < 2:
        said = _SURVEY_SAID if seeks == "global" else _FACTUAL
        return Routed(level=Level.FACTUAL, reason=said[question.language], seeks=seeks)
    return Routed(level=best, reason="; ".join(dict.fromkeys(reasons[best])), seeks=seeks)


def _table_that_lists(task: Route) -> str:
    """Say which table already holds the figure the question asks for, where one has it as a column."""
    asked = set(content_words(task.question))
    for card in task.library:
        _, _, columns = card.partition("Columns:")
        for column in columns.split(","):
            name = column.split("(")[0].split("[")[0]
            wanted = set(content_words(name))
            if len(wanted) >= 2 and wanted <= asked:
                return f"the table lists {name.strip()}"
    return ""
