"""The JSON records in a library's folder that only their own pages read."""

import json
from pathlib import Path

RECORDS = ("evaluations", "learning")  # folders


def unreadable(folder: Path) -> list[Path]:
    """Return the JSON files of evaluations and training that cannot be read."""
    found = []
    for path in (each for name in RECORDS for each in sorted((folder / name).rglob("*.json*"))):
        try:
            text = path.read_text("utf-8")
            for line in text.splitlines() if path.suffix == ".jsonl" else [text]:
                json.loads(line)
        except (OSError, ValueError):
            found.append(path)
    return found
