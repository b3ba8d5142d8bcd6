"""An answer is written piece by piece and read into cited sentences."""

from core.answering.answer import Synthesiser
from core.ports import Listener
from core.tasks import Answer, Reply, Task, Written
from tests.doubles import ScriptedLLM
from tests.making import part, passage


class Mute:
    """An LLM that writes without being heard, but for a first piece."""

    def __init__(self, text: str, heard: str) -> None:
        self.text, self.first = text, heard

    def run(self, task: Task, into: type[Reply], listener: Listener | None = None) -> Written:
        assert listener is not None
        listener.check()
        if self.first:
            listener.received(self.first)
        return Written(text=self.text)


def test_the_answer_is_told_as_it_grows_and_cites_only_what_is_there():
    events: list[str] = []
    llm = ScriptedLLM(Written(text="It is 5 Pa [1]. It was 6 Pa [4]."))
    parts = [part(1, "Limit?", "5 Pa"), part(2, "Since when?")]
    draft = Synthesiser(llm).synthesise("Q?", parts, [passage("5 Pa")], "en", events.append)
    assert "".join(events) == draft.text == "It is 5 Pa [1]. It was 6 Pa [4]."
    assert [s.citations for s in draft.sentences] == [(1,), ()]
    asked = llm.asked[0]
    assert isinstance(asked, Answer)
    assert [(p.id, p.answer) for p in asked.parts] == [(1, "5 Pa"), (2, "")]


def test_what_was_not_heard_is_told_at_the_end():
    events: list[str] = []
    Synthesiser(Mute("It is 5 Pa.", "It ")).synthesise("Q?", [], [], "en", events.append)
    assert "".join(events) == "It is 5 Pa."
