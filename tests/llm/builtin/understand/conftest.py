"""What the tests of reading a question share."""

from collections.abc import Callable

import pytest

from core.llm.builtin.understand import understand
from core.tasks import Understand, Understood


@pytest.fixture
def read() -> Callable[..., Understood]:
    """Reads a question by rules."""
    return lambda question, **given: understand(Understand(question=question, **given))
