"""The words of steps, searches and instructions, and the line that says an event."""

from typing import NamedTuple

from core import tasks
from core.i18n.messages import Message, mark, plain_n, say_plain
from core.i18n.recorded_messages import translated_plain

EXECUTIONS = {
    "all_parallel": mark("all at once"),
    "all_sequential": mark("one after the other"),
    "mixed": mark("in several waves"),
}
mark("asked as one question")  # kept in English by the step that reads a question


class Line(NamedTuple):
    """An event as a reader reads it: what happened, and the foreign text it is about (not escaped)."""

    label: str
    text: str = ""


STEPS = {
    "revise": mark("Reading your changes"),
    "apply_instructions": mark("Applying what you said"),
    "heed": mark("Applying what you said"),  # runs saved before 2026-11-28
    "understand": mark("Reading the question"),
    "look_up": mark("Looking up what is known"),
    "gather": mark("Gathering evidence"),
    "next_wave": mark("Choosing the next parts"),
    "work": mark("Working on a part"),
    "bridge": mark("Answering the parts others wait for"),
    "knowledge_loop": mark("Asking and searching step by step"),
    "walk": mark("Asking and searching step by step"),  # runs saved before 2026-11-22
    "aggregate": mark("Joining the evidence"),
    "forecast": mark("Forecasting"),
    "convene": mark("Holding the council"),
    "reason": mark("Reading the evidence"),  # in old runs
    "synthesise": mark("Writing the answer"),
    "check": mark("Checking every sentence"),
    "verify": mark("Checking every sentence"),  # runs saved before 2026-11-27
    "extend": mark("Looking for what is missing"),
    "present": mark("Laying out the answer"),
}

INSTRUCTIONS = {
    "heard": mark("You said meanwhile"),
    "part": mark("Added as a further part"),
    "restriction": mark("Added as a restriction"),
    "late": mark("Came too late for this answer"),
}

TOOLS = {  # of old runs
    "search": mark("Decided to search again"),
    "table": mark("Decided to query a table"),
    "entity": mark("Decided to look up a name"),
    "enough": mark("Decided that enough was found"),
}

SEARCHES = {
    "plain": mark("Searched"),
    "topics": mark("Searched within topics"),
    "reform": mark("Searched again, in other words"),  # in old runs
    "table": mark("Looked for tables"),
    "entity": mark("Looked up a name"),  # in old runs
    "summary": mark("Read the document from section to section"),
}


TASKS: dict[type[tasks.Task], Message] = {
    tasks.Understand: mark("Understand"),
    tasks.Bridge: mark("Bridge"),
    tasks.Answer: mark("Answer"),
    tasks.Review: mark("Review"),
    tasks.ExtractSeries: mark("Extract a series"),
    tasks.WriteQuery: mark("Write a query"),
    tasks.Perspectives: mark("Perspectives"),
    tasks.Deliberate: mark("Deliberate"),
    tasks.Propose: mark("Propose"),
    tasks.Select: mark("Select"),
    tasks.ProposeNext: mark("Propose the next"),
    tasks.Enrich: mark("Enrich"),
    tasks.NameFactors: mark("Name key factors"),
    tasks.ClassifyTags: mark("Classify tags"),
    tasks.Describe: mark("Describe"),
    tasks.Judge: mark("Judge an answer"),
    tasks.Examine: mark("Answer as asked for"),
}


def task(name: str) -> str:
    """Name what a model or the rules were asked for."""
    return next((say_plain(label) for asked, label in TASKS.items() if asked.__name__ == name), name)


def gate_reason(reason: str) -> str:
    """Say why a question was taken apart: "2 parts, all_sequential" is kept, an id in it."""
    count, _, execution = reason.partition(" parts, ")
    if execution not in EXECUTIONS or not count.isdigit():
        return translated_plain(reason)
    parts = plain_n("{n:,} part", "{n:,} parts", int(count))
    return f"{parts}, {say_plain(EXECUTIONS[execution])}"


def doing(step_name: str, ahead: int) -> str:
    """Say what a run in progress does: the step it is in, or the runs ahead that it waits for."""
    if ahead:
        return plain_n("Waiting for {n:,} other question", "Waiting for {n:,} other questions", ahead)
    return step(step_name or "understand")


def step(name: str) -> str:
    """Name a step; a suffix such as "gather#2" belongs to its sub-question."""
    base = name.split("#", 1)[0]
    return say_plain(STEPS[base]) if base in STEPS else base.replace("_", " ").capitalize()
