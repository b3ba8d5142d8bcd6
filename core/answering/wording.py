"""Strata's own sentences to the reader, in English and Chinese."""

from core.i18n.outcome_texts import NOT_ANSWERED, NOTHING_ZH

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "nothing": NOT_ANSWERED,
        "unfinished": "No answer was found in what this question may use; the library may hold one.",
        "L3": "This asks for a prediction (L3). It is answered from what the documents say (L2);"
        " no forecast was computed.",
        "L4": "This asks for ideas (L4). It is answered from what the documents say (L2);"
        " no new proposals were worked out.",
        "fallback": "The built-in engine stood in for the model {n} of {all} times: {why}",
        "stopped": "Stopped before it was finished; this is what was found so far.",
        "hurried": "Answered early with the evidence found so far.",
        "late": "Your instruction came too late for this answer: {what}",
        "coming": "Documents still on their way in, not searched for this answer: {n}."
        " Ask again once they are there.",
        "wish": "Answered with your instruction: {what}",
        "failed": "Part {id} could not be worked on: {why}",
        "loose": "{what} stands in no cited passage.",
        "contradicted": "Sentence {n} is contradicted: {why}.",
        "unknown": "The library never mentions: {what}.",
        "verified": "Verified by a reader on {day}.",
        "corrected": "Corrected and verified by a reader on {day}.",
        "reworded": "From a reader's correction of “{question}” on {day}.",
        "against": "A reader corrected this on {day}. To “{question}” the answer is: {answer}",
        "connect": "These passages are quoted, not read together: a model can do that. How to connect one"
        " stands on the Models page.",
        "trimmed": "{n} passages were left out so that the prompt fits the model's window.",
    },
    "zh": {
        "nothing": NOTHING_ZH,
        "unfinished": "在本问题允许的用量内未能找到答案；资料库中可能有相关内容。",
        "L3": "这是预测类问题（L3）。本回答仅依据文档内容（L2）作出，未进行预测计算。",
        "L4": "这是创造类问题（L4）。本回答仅依据文档内容（L2）作出，未生成新的方案。",
        "fallback": "内置引擎代替模型回答了 {all} 次中的 {n} 次：{why}",
        "stopped": "已提前停止；以下是目前找到的内容。",
        "hurried": "已根据目前找到的证据提前作答。",
        "late": "您的要求来得太晚，本回答未能采纳：{what}",
        "coming": "提问时还有 {n} 份文档正在入库，本回答未能检索到它们；入库后请再问一次。",
        "wish": "已按您的要求作答：{what}",
        "failed": "第 {id} 部分未能处理：{why}",
        "loose": "引用的内容中没有出现：{what}。",
        "contradicted": "第 {n} 句与所引内容不符：{why}。",
        "unknown": "资料库中从未提到：{what}。",
        "verified": "该回答已由读者于 {day} 核实。",
        "corrected": "该回答已由读者于 {day} 更正并核实。",
        "reworded": "来自读者于 {day} 对“{question}”的更正。",
        "against": "读者已于 {day} 更正过这一内容。对“{question}”的回答是：{answer}",
        "connect": "以上只是原文引用，并未综合阅读；连接模型后即可做到，方法见“模型”页面。",
        "trimmed": "为适应模型的上下文窗口，省略了 {n} 段内容。",
    },
}


def report_sentence(key: str, language: str, **values: object) -> str:
    """Return one of Strata's own sentences in the reader's language."""
    return _WORDS["zh" if language == "zh" else "en"][key].format(**values)
