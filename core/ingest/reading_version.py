"""By which version of reading a document was made: a digest of the code that reads files of its kind.

Taken over what the parser, the chunker and the modules they import of `FOLDERS` compile to, and the data they
name: a change of another parser, a comment or a text of the interface does not count.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path

from core.domain import Document, identify
from core.i18n.messages import mark
from core.ingest.limits import USUAL
from core.ingest.parsers import parsers, read
from core.knowledge.stores.value_cache import CacheStore
from core.runtime.code_digest import compiled

READ_EARLIER = mark("An earlier version of Strata read it; `strata reread` reads it again.")
FOLDERS = ("ingest", "text")  # of core: what is taken from elsewhere carries what was read, and reads nothing
OTHERS = ""  # stands for the kinds that no parser has of its own
_CORE = Path(__file__).parent.parent
# What every file passes beside its own parser, and what replaces one.
_ALWAYS = ("chunker", "authors", "file_metadata", "references", "parsers/text", "parsers/fab/mapped")
_IMPORT = re.compile(r"^[ \t]*from core\.([\w.]+) import (?:\(([^)]*)\)|(.+))", re.M)
_QUOTED = re.compile(r'"(?:\{?\w+\}?/)?(\w+)(?:\.toml)?"')


def is_earlier(document: Document, versions: Mapping[str, str]) -> bool:
    """Say whether a document was read by another version than files of its kind are read by now."""
    return document.reading != version_of(document.media_type, versions)


def version_of(media_type: str, versions: Mapping[str, str]) -> str:
    """Return the version by which files of a kind are read."""
    return versions.get(media_type, versions[OTHERS])


def reading_versions(store: CacheStore | None = None) -> dict[str, str]:
    """Return media type -> the version by which such files are read now.

    That takes half a second, so what came of it is `store` until a file changes.
    """
    name = identify("readings", _files_digest())
    if store is not None and (found := store.get(name)) is not None:
        versions: dict[str, str] = json.loads(found)
        return versions
    made = _versions()
    if store is not None:
        store.put(name, json.dumps(made).encode())
    return made


@cache
def _files_digest() -> str:
    digest = blake2b(digest_size=8)
    for folder in FOLDERS:
        for file in sorted((_CORE / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def _versions() -> dict[str, str]:
    registry = _CORE / "ingest/parsers/__init__.py"
    by_kind = parsers(USUAL)
    homes = {kind: _file(type(parser).__module__.removeprefix("core.")) for kind, parser in by_kind.items()}
    own = {each for each in homes.values() if each is not None}
    shared = {each for each in _imported(registry) if each not in own and each.stem != "__init__"}
    always = closure({*shared, *(_CORE / f"ingest/{each}.py" for each in _ALWAYS)})
    whole = always | closure(own)
    found = {OTHERS: _digest({*always, registry})}
    for kind, parser in by_kind.items():
        home = homes[kind]
        holds_files = any(_reads_any(value) for value in vars(parser).values())
        parts = whole if holds_files or home is None else always | closure([home])
        found[kind] = _digest({*parts, registry})
    return found


def _reads_any(value: object) -> bool:
    """Say whether a part of a parser reads the files within a file, of whatever kind."""
    return isinstance(value, partial) and value.func is read


def closure(files: Iterable[Path]) -> set[Path]:
    """Return the modules and all of `FOLDERS` that they import, one through another."""
    waiting, found = list(files), set[Path]()
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file)
    return found


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for module, several, one in _IMPORT.findall(file.read_text("utf-8")):
        names = re.findall(r"\w+", re.sub(r"#.*|\bas \w+", "", several or one))
        found += [
            each for name in ("", *names) if (each := _file(f"{module}.{name}".rstrip("."))) is not None
        ]
    return tuple(found)


def _file(module: str) -> Path | None:
    """Return the file of a module of `FOLDERS`."""
    place = _CORE.joinpath(*module.split("."))
    if module.split(".")[0] not in FOLDERS:
        return None
    return next((each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file()), None)


def _digest(files: Iterable[Path]) -> str:
    digest = blake2b(digest_size=10)
    for file in sorted(files):
        digest.update(_module_digest(file))
    return digest.hexdigest()


@cache
def _module_digest(file: Path) -> bytes:
    source = file.read_text("utf-8")
    digest = blake2b(compiled(source), digest_size=10)
    for name in sorted({*_QUOTED.findall(source), file.stem} & _data().keys()):
        digest.update(_data()[name].read_bytes())
    return digest.digest()


@cache
def _data() -> dict[str, Path]:
    """Return the data files of the folders by the name they are asked for by."""
    return {file.stem: file for folder in FOLDERS for file in (_CORE / folder).rglob("*.toml")}
