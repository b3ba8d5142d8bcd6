"""Small files of a library, each written whole or not at all."""

from pathlib import Path

from core.knowledge.stores.database import translated_errors


def write_whole(path: Path, text: str) -> None:
    """Put a text in the file's place; where that fails, or a crash comes between, the file stays as it was.

    Raises DiskFull, Unwritable.
    """
    part = path.with_name(f".{path.name}.part")
    with translated_errors():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
