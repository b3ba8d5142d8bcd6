"""What a model makes of `think` and `format`: it heeds them, or does not, as its card here says."""

import json
import re
from typing import Any

from tests.ollama_protocol import Model

THOUGHTS = "Let me see what is asked."
MUSING = (
    "Okay, the user is asking something and I need to answer from what is given. "
    "Let me go through it step by step before I write anything down."
)

_FENCED = re.compile(r"\A.*?```(?:json)?\s*(\{.*\})\s*```.*\Z", re.DOTALL)


def spoken(model: Model, body: dict[str, Any], said: str, *, old: bool = False) -> tuple[str, str]:
    """Return what the model writes, and what it thinks apart, for what its brain says."""
    form = body.get("format")
    told_to = bool(body.get("think", True)) and not old
    can = "thinking" in model.capabilities
    thinks = can and (told_to or model.thinks == "always")
    holds = model.heeds_format == "always" or (model.heeds_format == "while thinking" and told_to)
    if form and holds:
        return constrained(said, form), THOUGHTS if thinks else ""
    if form and not holds:
        return f"Of course!\n\n{said}", THOUGHTS if thinks else ""
    if can and not told_to and model.thinks in ("tagged", "untagged"):
        return f"{MUSING}{'</think>' if model.thinks == 'tagged' else ''}\n\n{said}", ""
    return said, THOUGHTS if thinks else ""


def constrained(said: str, form: Any) -> str:
    """Return what is said without a fence, or an instance of the schema where it is no JSON: a grammar wants
    one."""
    said = _FENCED.sub(r"\1", said)
    try:
        json.loads(said)
    except ValueError:
        schema: dict[str, Any] = form if isinstance(form, dict) else {"type": "object"}
        return json.dumps(_instance(schema, schema.get("$defs", {}), said), ensure_ascii=False)
    return said


def _instance(schema: dict[str, Any], known: dict[str, Any], said: str) -> Any:
    if "$ref" in schema:
        return _instance(known[schema["$ref"].rpartition("/")[2]], known, said)
    if "anyOf" in schema:
        return _instance(schema["anyOf"][0], known, said)
    if "enum" in schema:
        return schema["enum"][0]
    kinds: dict[str, Any] = {"string": said, "integer": 7, "number": 7.0, "boolean": False, "array": []}
    if schema.get("type") == "object":
        held = schema.get("properties", {})
        return {name: _instance(part, known, said) for name, part in held.items()}
    return kinds.get(schema.get("type", ""))
