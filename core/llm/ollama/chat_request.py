"""One question to a model: what is sent, what has to be repaired, and how the reply was made."""

from dataclasses import dataclass, replace
from typing import Any

from core.llm import prompting
from core.llm.ollama.reply import RawReply
from core.llm.ollama.window import FittedPrompt, estimate_tokens, was_cut
from core.ports import ModelProbe
from core.tasks import Call, Task

_REPAIR = {
    "en": "Your reply cannot be used: {problem}. Answer the same task again, {form}, and keep it short.",
    "zh": "你的回答无法使用：{problem}。请重新完成同一任务，{form}，并保持简短。",
}
_FORM = {
    "en": ("with the JSON object only", "in plain text"),
    "zh": ("只输出 JSON 对象", "只用普通文字"),
}


@dataclass(frozen=True)
class Ask:
    """One question to a model, and what has to be repaired where it is asked again."""

    task: Task
    model: str
    fitted: FittedPrompt
    predict: int = 0
    repair: tuple[dict[str, str], ...] = ()
    formed: bool = True  # the schema is sent along
    wrapped: bool = False  # prose is asked for as the one text of an object

    def as_probed(self, found: ModelProbe | None, predict: int) -> "Ask":
        """Return the question as this model can take it, by what was seen of it."""
        if found is None:
            return self
        room = predict if found.think_off_holds else 2 * predict  # thoughts count too
        wrapped = self.task.prose and found.leaks and found.format_holds
        return replace(self, formed=found.format_holds, wrapped=wrapped, predict=room)

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages of the request."""
        system, user = self.fitted.prompt
        asked: dict[str, Any] = {"role": "user", "content": user}
        if self.fitted.pictures:
            asked["images"] = list(self.fitted.pictures)
        return [{"role": "system", "content": system}, asked, *self.repair]

    def repairing(self, raw: RawReply, problem: str, predict: int) -> "Ask":
        """Return the question to put after a reply that could not be used."""
        language = prompting.prompt_language(self.task.language)
        form = _FORM[language][1 if self.task.prose else 0]
        reply_text = raw.text.strip()[:500] or "(…)"
        request = _REPAIR[language].format(problem=prompting.disarm(problem)[:400], form=form)
        repair = ({"role": "assistant", "content": reply_text}, {"role": "user", "content": request})
        return replace(self, repair=repair, predict=predict)

    def call(self, num_ctx: int, raw: RawReply, first: RawReply | None = None) -> Call:
        """Return how the reply was made; `first` is the try that had to be repaired."""
        notes = list(self.fitted.notes)
        sent = self.fitted.tokens + sum(estimate_tokens(part["content"]) for part in self.repair)
        for one in filter(None, (first, raw)):
            if was_cut(self.fitted.tokens, one.tokens_in, num_ctx):
                notes.append(
                    f"the server read {one.tokens_in} of about {self.fitted.tokens} tokens: it cut the prompt"
                )
            if one.flooded:
                notes.append("the model wrote white space without end and was stopped")
            if one.overlong:
                notes.append("the model wrote without end and was stopped")
        if raw.length:
            notes.append("the reply was cut off at its longest length")
        return Call(
            task=type(self.task).__name__,
            engine=self.model,
            tokens_in=(raw.tokens_in or sent) + ((first.tokens_in or self.fitted.tokens) if first else 0),
            tokens_out=raw.tokens_out + (first.tokens_out if first else 0),
            repairs=1 if first else 0,
            failed=raw.failed,
            trimmed=self.fitted.trimmed,
            prompt="\n\n".join([*self.fitted.prompt, *(part["content"] for part in self.repair)]),
            prompt_hash=prompting.fingerprint(type(self.task), self.task.language),
            reply=raw.text,
            notes=tuple(dict.fromkeys(notes)),
        )
