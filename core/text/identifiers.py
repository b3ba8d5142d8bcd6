"""Names of tables and columns as the words a reader would write: "MediaType" and "media_type"."""

import re

_JOINTS = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|_")  # "kWh" and "pH" are one


def as_words(name: str) -> str:
    """Return a name with spaces between its words."""
    return _JOINTS.sub(" ", name)
