"""The CIM mappings of a library: small YAML files in a folder of it, checked, tried on a sample, kept.

A mapping is used for every file it fits that is read from then on; what is in the library already keeps
its reading until it is deleted and added again.
"""

import re
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.domain import Parsed, Value
from core.errors import MappingError, NotFound
from core.ingest.parsers.fab import Mapping, load_mapping
from core.ingest.parsers.fab.mapping import MappedColumn
from core.knowledge.stores.whole_files import write_whole

SAMPLE_BYTES = 256 * 1024  # bytes of a sample that are looked at
_SAMPLE_LINES = 200  # lines of it
_MAX_MAPPING_CHARACTERS = 100_000  # characters of a mapping
_SUFFIXES = (".yaml", ".yml")
Read = Callable[[Path, str, Sequence[Mapping]], Parsed]

EXAMPLE = """\
name: Etcher sensor log
match: "etch_*.log"  # one file name pattern, or several in [ ]
delimiter: ","  # or regex: '^(?P<time>\\S+) ...', or fixed: true
skip: 0  # lines before the first one
header: true  # the first line names the columns
columns:
  - {source: ts, name: Time, type: datetime, time: true}
  - {source: T1, name: Chuck temperature, type: real, unit: °C}
  - {source: eqp, name: Equipment, entity: equipment}
"""


class MappingFile(Value):
    """A mapping's file: its text, and what it says or why it cannot be used."""

    file: str
    text: str
    mapping: Mapping | None = None
    error: str = ""


class MappingPreview(Value):
    """What a mapping makes of a sample."""

    mapping: Mapping
    parsed: Parsed
    fits: bool  # the sample's name is one the mapping is for
    cut: bool  # only the sample's beginning was looked at

    @property
    def columns(self) -> tuple[MappedColumn, ...]:
        """Return what each column of the table is, in its order."""
        return self.mapping.columns


@dataclass(frozen=True)
class Mappings:
    """The mappings in a folder; `read` reads a file by them, in a worker process."""

    folder: Path
    read: Read

    def files(self) -> list[MappingFile]:
        """Return every mapping there is, by the name of its file; one that cannot be used says why."""
        files = sorted(self.folder.glob("*")) if self.folder.is_dir() else []
        return [_read_mapping_file(file) for file in files if file.suffix.lower() in _SUFFIXES]

    def usable(self) -> tuple[Mapping, ...]:
        """Return the mappings that are used at ingestion."""
        return tuple(each.mapping for each in self.files() if each.mapping is not None)

    def check(self, text: str, name: str = "The mapping") -> Mapping:
        """Return the mapping a YAML text says. Raises MappingError naming the line."""
        if len(text) > _MAX_MAPPING_CHARACTERS:
            raise MappingError(f"{name} has more than {_MAX_MAPPING_CHARACTERS:,} characters.")
        return load_mapping(text, name)

    def attempt(self, text: str, sample: bytes, name: str) -> MappingPreview:
        """Return what the mapping makes of a sample called `name`. Raises MappingError, ParseError."""
        mapping = self.check(text)
        shown = sample[:SAMPLE_BYTES]
        if b"\0" not in shown[:1024]:  # in two-byte text a newline byte need not end a line
            lines = shown.splitlines(keepends=True)
            shown = b"".join(lines[: mapping.skip + mapping.header + _SAMPLE_LINES])
        with tempfile.TemporaryDirectory(prefix="strata-sample-") as folder:
            path = Path(folder) / "sample.txt"
            path.write_bytes(shown)
            anything = mapping.model_copy(update={"match": ("*",)})
            parsed = self.read(path, Path(name).name or "sample.txt", [anything])
        return MappingPreview(
            mapping=mapping, parsed=parsed, fits=mapping.fits(name), cut=len(shown) < len(sample)
        )

    def save(self, text: str) -> str:
        """Keep a mapping under its own name, in place of one of the same name; return its file's name.

        Raises MappingError naming the line.
        """
        mapping = self.check(text)
        file = next(
            (each.file for each in self.files() if each.mapping and each.mapping.name == mapping.name), ""
        )
        file = file or self._free(_slug(mapping.name))
        write_whole(self.folder / file, text)
        return file

    def delete(self, file: str) -> None:
        """Take a mapping away. Raises NotFound."""
        if file not in {each.file for each in self.files()}:
            raise NotFound(f"There is no mapping {file}.")
        (self.folder / file).unlink(missing_ok=True)

    def _free(self, name: str) -> str:
        used = {each.file for each in self.files()}
        tries = [f"{name}.yaml", *(f"{name}-{n}.yaml" for n in range(2, len(used) + 3))]
        return next(each for each in tries if each not in used)


def _read_mapping_file(file: Path) -> MappingFile:
    status = file.stat()
    return _checked(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _checked(file: Path, changed: int, size: int) -> MappingFile:
    """Read a mapping once for each version of its file."""
    if size > _MAX_MAPPING_CHARACTERS * 4:
        return MappingFile(file=file.name, text="", error=f"{file.name} is too large for a mapping.")
    text = file.read_bytes().decode("utf-8", "replace")
    try:
        return MappingFile(file=file.name, text=text, mapping=load_mapping(text, file.name))
    except MappingError as error:
        return MappingFile(file=file.name, text=text, error=str(error))


def _slug(name: str) -> str:
    """Return a name as a plain file name; other scripts stay, signs that systems refuse go."""
    plain = unicodedata.normalize("NFC", name).strip().lower()
    return re.sub(r"[^\w.-]+", "-", plain).strip("-.")[:60] or "mapping"
