"""The model's acceptance test: forty fixed small tasks over a library of its own, graded by rules.

What is asked, and what counts as right, is in `model_check.toml`. No model judges another.
"""

import re
import statistics
import time
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.domain import Evidence, Turn, Value
from core.errors import LLMError
from core.i18n.messages import mark, plain
from core.ports import LLM, ModelProbe
from core.tasks import (
    Answer,
    Bridge,
    Bridged,
    Call,
    Claim,
    PartAsked,
    Reply,
    Review,
    Reviewed,
    Task,
    Understand,
    Understood,
    Written,
)

KINDS = ("format", "citation", "refusal", "false premise", "numbers", "Chinese", "follow-up", "plan")
KIND_NAMES = dict(
    zip(
        KINDS,
        (
            mark("Format"),
            mark("Citation"),
            mark("Refusal"),
            mark("False premise"),
            mark("Numbers"),
            mark("Chinese"),
            mark("Follow-up"),
            mark("Plan"),
        ),
        strict=True,
    )
)
READS = ("follow-up", "plan")  # kinds that are asked as Understand
_CITED = re.compile(r"\[(\d+)\]")
_REFUSES = re.compile(
    r"does not (?:say|state|mention|give|contain|hold)|no (?:information|evidence|mention)"
    r"|not (?:stated|mentioned|given|said|known)|nothing"
    r"|没有(?:说明|提到|提及|给出|相关)|未(?:说明|提及|提到|给出)|尚未",
    re.IGNORECASE,
)


class GradedTask(Value):
    """One task: right or what was wrong with it, and what it took."""

    number: int
    kind: str
    question: str
    said: str
    wrong: str = ""  # "" for right
    seconds: float = 0.0
    repairs: int = 0


class ModelCard(Value):
    """What a model is good for, as its answers to the forty tasks show."""

    model: str
    digest: str = ""
    at: float = 0.0  # seconds since 1970
    right: dict[str, int]
    of: dict[str, int]
    seconds: float = 0.0  # median of a task
    repairs: int = 0
    probe: ModelProbe | None = None
    good_for: tuple[str, ...] = ()
    wrong: tuple[GradedTask, ...] = ()

    def share(self, *kinds: str) -> float:
        """Return the share of the tasks of these kinds that were right."""
        asked = sum(self.of.get(kind, 0) for kind in kinds)
        return sum(self.right.get(kind, 0) for kind in kinds) / asked if asked else 0.0


def behaviour(probe: ModelProbe) -> str:
    """Return a sentence on a probed model's behaviour without its subject, in the reader's language."""
    parts = [
        plain(
            "reads {read} and writes {write} tokens a second",
            read=f"{probe.read_speed:,.0f}",
            write=f"{probe.write_speed:,.0f}",
        )
    ]
    if not probe.think_off_holds:
        parts.append(plain("thinks although it is told not to: slower, and given more room"))
    if probe.leaks:
        parts.append(plain("writes its thoughts into answers: asked for JSON instead"))
    if not probe.format_holds and probe.format_holds_thinking:
        parts.append(plain("keeps to a schema only while it thinks: asked in words alone"))
    elif not probe.format_holds:
        parts.append(plain("does not keep to a schema: asked in words alone"))
    if probe.cut:
        parts.append(plain("read less than was sent: its window is smaller than set"))
    return "; ".join(parts)


def strengths(card: ModelCard) -> str:
    """Return the roles a card speaks for, as its reader calls them; "" for none."""
    return ", ".join(plain("Chinese") if name == "Chinese" else name for name in card.good_for)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "model_check.toml").read_text("utf-8"))


def evidence() -> tuple[Evidence, ...]:
    """Return the library of the check."""
    return tuple(Evidence(n=n, **piece) for n, piece in enumerate(_table()["piece"], 1))


def tasks() -> tuple[tuple[Task, dict[str, Any]], ...]:
    """Return each task with what counts as right."""
    return tuple((_task(check), check) for check in _table()["check"])


def graded(llm: LLM) -> Iterator[GradedTask]:
    """Ask the model one task after the other. Raises what is not its own fault: Stopped, LLMUnavailable."""
    for number, (task, check) in enumerate(tasks(), 1):
        began = time.monotonic()
        call: Call | None = None
        try:
            reply = llm.run(task, type(task).reply)
            text, wrong, call = _reply_text(reply), _wrong(reply, check), reply.call
        except LLMError as error:
            text, wrong = "", f"no usable reply: {error}"
        yield GradedTask(
            number=number,
            kind=check["kind"],
            question=check["question"],
            said=text[:400],
            wrong=wrong,
            seconds=round(time.monotonic() - began, 2),
            repairs=call.repairs if call else 1,
        )


def card_of(
    model: str, results: Sequence[GradedTask], digest: str = "", probe: ModelProbe | None = None
) -> ModelCard:
    """Return the card of a model that was asked everything."""
    card = ModelCard(
        model=model,
        digest=digest,
        at=time.time(),
        right={kind: sum(one.kind == kind and not one.wrong for one in results) for kind in KINDS},
        of={kind: sum(one.kind == kind for one in results) for kind in KINDS},
        seconds=round(statistics.median([one.seconds for one in results] or [0.0]), 1),
        repairs=sum(one.repairs for one in results),
        probe=probe,
        wrong=tuple(one for one in results if one.wrong),
    )
    return card.model_copy(update={"good_for": _good_for(card)})


def _good_for(card: ModelCard) -> tuple[str, ...]:
    """Return the roles the card speaks for; a wrong answer weighs more than none."""
    answers = card.share("citation", "numbers") >= 0.8 and card.share("refusal", "false premise") >= 0.8
    fit = {
        "generation": answers,
        "routing": card.share("follow-up", "plan") >= 0.75,
        "extraction": card.share("format") >= 0.75,
        "Chinese": card.share("Chinese") >= 0.8,
    }
    return tuple(name for name, passed in fit.items() if passed)


def _task(check: dict[str, Any]) -> Task:
    language, question = check.get("language", "en"), check["question"]
    if check["kind"] in READS:
        history = tuple(Turn(question=asked, answer=answer) for asked, answer in check.get("history", ()))
        return Understand(question=question, history=history, languages=("en", "zh"), language=language)
    pieces = evidence()
    if check.get("task") == "bridge":
        numbers = tuple(piece.n for piece in pieces)
        parts = tuple(PartAsked(id=n, question=q, evidence=numbers) for n, q in enumerate(check["asked"], 1))
        return Bridge(question=question, parts=parts, evidence=pieces, language=language)
    if check.get("task") == "review":
        claims = tuple(
            Claim(index=n, text=text, citations=(cited,)) for n, (text, cited) in enumerate(check["claims"])
        )
        return Review(question=question, claims=claims, evidence=pieces, language=language)
    return Answer(question=question, evidence=pieces, language=language)


def _reply_text(reply: Reply) -> str:
    return reply.text if isinstance(reply, Written) else reply.model_dump_json()


def _wrong(reply: Reply, check: dict[str, Any]) -> str:
    """Return what is wrong with a reply, "" if nothing is."""
    match reply:
        case Written():
            return _wrong_prose(reply.text, check)
        case Understood():
            return _wrong_reading(reply, check)
        case Bridged():
            answers = {part.id: part.answer for part in reply.parts}
            for n, wanted in enumerate(check["answers"], 1):
                if (wanted == "") != (not answers.get(n, "").strip()) or not _contains(
                    answers.get(n, ""), wanted
                ):
                    return f"part {n}: {answers.get(n, '')!r}"
        case Reviewed():
            verdicts = {claim.index: claim.support.value for claim in reply.claims}
            for n, wanted in enumerate(check["support"]):
                if verdicts.get(n) != wanted:
                    return f"claim {n}: {verdicts.get(n)}, not {wanted}"
    return ""


def _wrong_prose(text: str, check: dict[str, Any]) -> str:
    bare = _CITED.sub("", text)
    if check.get("chinese") and not re.search(r"[\u4e00-\u9fff]", bare):
        return "not in Chinese"
    if check.get("refuses") and not _REFUSES.search(bare):
        return "answers what the library does not say"
    cited = {int(n) for n in _CITED.findall(text)}
    if not set(check.get("cites", ())) <= cited:
        return f"cites {sorted(cited)}, not {check['cites']}"
    return _wrong_words(bare, check)


def _wrong_reading(reply: Understood, check: dict[str, Any]) -> str:
    if check["kind"] == "follow-up":
        return _wrong_words(reply.question or check["question"], check)
    parts = len(reply.parts)
    if (check["parts"] == 1) != (parts == 1) or parts < check["parts"]:
        return f"{parts} parts"
    if check.get("depends") and not any(part.depends_on for part in reply.parts):
        return "no part depends on another"
    return ""


def _wrong_words(text: str, check: dict[str, Any]) -> str:
    missing = [word for word in check.get("all", ()) if not _contains(text, word)]
    if missing:
        return f"lacks {', '.join(missing)}"
    if "any" in check and not any(_contains(text, word) for word in check["any"]):
        return f"lacks {' or '.join(check['any'])}"
    forbidden = [word for word in check.get("none", ()) if _contains(text, word)]
    return f"says {', '.join(forbidden)}" if forbidden else ""


def _contains(text: str, word: str) -> bool:
    """Say whether the text holds the word; a number stands for itself, without its thousands separators."""
    plain = re.sub(r"(?<=\d)[,  ](?=\d{3})", "", text).casefold()
    wanted = word.casefold()
    if wanted.replace(".", "").replace(":", "").isdigit():
        return re.search(rf"(?<![\d.]){re.escape(wanted)}(?!\d)", plain) is not None
    return wanted in plain
