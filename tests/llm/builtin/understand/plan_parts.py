"""What a plan holds, for tests to compare."""

from core.domain import Plan, SubQuestion


def parts(reply):
    return [(part.question, part.depends_on) for part in reply.parts]


def execution(reply):
    made = [SubQuestion(**part.model_dump()) for part in reply.parts]
    return Plan(question="", parts=tuple(made)).execution
