import pytest

from core.llm.ollama.reply import Speech, read_json, read_text, schema_of, without_thoughts
from core.tasks import Bridged, Selection, Understood

GOOD = '{"composite": true, "reason": "two", "level": "L2", "parts": []}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n\n  {GOOD}  \n",
        f"```json\n{GOOD}\n```",
        f"Here:\n```\n{GOOD}\n```\nDone.",
        f"Sure! {GOOD} I hope this helps {{smile}}.",
        f"<think>maybe {{}} or {{\"composite\": false}}</think>{GOOD}",
        f"maybe no</think>\n{GOOD}",
        f"{GOOD}\n{GOOD}",
        GOOD + "\n " * 300,
        f"```json\n{GOOD}",
        f'A part is {{"id": 1}}, so:\n```text\nL2\n```\n```json\n{GOOD}\n```\nDone.',
        '{"composite": true, "reason": "two", "level": "L2", "parts": [], "confidence": 0.9}',
    ],
)  # fmt: skip
def test_a_reply_is_found_in_what_models_wrap_around_it(text):
    reply = read_json(text, Understood)
    assert (reply.composite, reply.reason) == (True, "two")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("<think>hm", "empty"),
        ("It is composite.", "no JSON object"),
        ('{"composite": tr', "JSON"),
        ('{"reason": "x"}', "parts: Field required"),
        ('{"level": "L2", "parts": [], "composite": "perhaps"}', "composite: Input should be a valid"),
        ("[true]", "no JSON object"),
        ('"composite"', "no JSON object"),
    ],
)
def test_what_cannot_be_read_says_why(text, problem):
    with pytest.raises(ValueError, match=problem):
        read_json(text, Understood)


def test_an_object_that_fills_no_field_is_not_an_empty_answer():
    with pytest.raises(ValueError, match="none of the fields index, reason"):
        read_json('{"colour": "blue"}', Selection)
    with pytest.raises(ValueError, match="none of the fields"):
        read_json("{}", Selection)
    assert read_json('{"index": null}', Selection).index is None


def test_the_schema_requires_every_field_at_every_depth_and_hides_the_call():
    schema = schema_of(Bridged)
    assert schema["required"] == list(schema["properties"]) == ["parts"]
    part = schema["$defs"]["BridgedPart"]
    assert part["required"] == ["id", "answer", "citations"]  # the rest is said of what was not found only
    assert "may_lack" not in str(schema)
    assert not {"call", "certainty", "known"} & set(schema_of(Understood)["properties"])


def test_a_plan_is_written_in_few_words_and_read_whole():
    result = (
        '{"level": "L2", "kind": "person", "parts": ["Who makes X?", "Who leads #1?"],'
        ' "search": ["maker = Hersteller", "no pair", {"said": "leads", "meant": "leitet"}]}'
    )
    read = read_json(result, Understood)
    assert [(part.id, part.question, part.depends_on) for part in read.parts] == [
        (1, "Who makes X?", ()),
        (2, "Who leads #1?", (1,)),
    ]
    assert [(pair.said, pair.meant) for pair in read.search] == [("maker", "Hersteller"), ("leads", "leitet")]
    assert schema_of(Understood)["properties"]["parts"] == {
        "items": {"type": "string"}, "title": "Parts", "type": "array",
    }  # fmt: skip


def test_prose_loses_thoughts_and_a_fence_around_all_of_it():
    assert read_text("<think>x</think>\n\nIt is old [1].\n") == "It is old [1]."
    assert read_text("```markdown\nIt is old [1].\n```") == "It is old [1]."
    assert read_text("Use `a` and ```b``` here.") == "Use `a` and ```b``` here."
    assert without_thoughts("hm, well</think>It is old.") == "It is old."
    assert without_thoughts("a <thinking>b</thinking>c") == "a c"
    with pytest.raises(ValueError, match="empty"):
        read_text("<think>never ends")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is old.", "It is old."),
        ("<think>hm <b> hm</think>It is <thin> old.", "It is <thin> old."),
        ("\n <think>a</think>\n\nIt is old.", "It is old."),
        ("5 < 6 and <", "5 < 6 and <"),
        ("<think>never ends", ""),
        ("One <think>a</think>two", "One two"),
    ],
)
def test_speech_is_shown_as_it_comes_without_thoughts(text, shown, size):
    speech = Speech()
    pieces = [speech.take(text[start : start + size]) for start in range(0, len(text), size)]
    assert "".join([*pieces, speech.flush()]) == shown
    assert speech.begun == bool(shown)
