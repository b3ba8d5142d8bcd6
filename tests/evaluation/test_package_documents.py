"""bench.package_documents: the sets of questions it knows, and what it takes out of a package."""

import io
import json
import re
import tarfile
import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest

from bench import package_documents
from bench.package_documents import FETCH, SETS, document

BENCH = Path(package_documents.__file__).parent


@pytest.fixture(params=SETS)
def question_set(request):
    """A set: its questions of either half, and where its documents come from."""
    halves = (BENCH / request.param / f"{half}.jsonl" for half in ("look", "report"))
    questions = [[json.loads(line) for line in half.read_text("utf-8").splitlines()] for half in halves]
    return questions, tomllib.loads((BENCH / request.param / "sources.toml").read_text("utf-8"))


def test_each_question_is_kept_once_and_its_documents_can_be_fetched(question_set):
    questions, sources = question_set
    asked = [question for half in questions for question in half]
    assert len({question["id"] for question in asked}) == len(asked)
    assert {name for q in asked for name in (q["doc"], *q.get("also", ()))} <= sources.keys()
    assert all(bool(q["answers"]) != (q["kind"] == "unanswerable") for q in asked)


def test_each_document_says_how_it_is_fetched_and_how_it_was_compared(question_set):
    for name, source in question_set[1].items():
        wanted = set(re.findall(r"\w+(?=\})", " ".join(FETCH[source.get("dist", source["from"])])))
        assert wanted - {"url"} <= source.keys(), name
        assert not name.startswith("/") and ".." not in name and source["version"], name
        assert source.get("of_pages") if "pages" in source else source["same"], name


def test_a_file_that_is_attached_to_a_message_is_a_document(tmp_path):
    message = EmailMessage()
    message.set_content("The bulletin of today.")
    message.add_attachment(b"%PDF of today", maintype="application", subtype="pdf", filename="à voir.pdf")
    held = message.as_bytes()
    (tmp_path / "sdist-mails").mkdir()
    with tarfile.open(tmp_path / "sdist-mails" / "mails-1.tar.gz", "w:gz") as package:
        member = tarfile.TarInfo("mails-1/one")
        member.size = len(held)
        package.addfile(member, io.BytesIO(held))
    source = {"from": "pypi", "dist": "sdist", "package": "mails", "version": "1", "unpacked": "mail"}
    assert document(source | {"path": "mails-1/one :: à voir.pdf"}, tmp_path) == b"%PDF of today"
    with pytest.raises(StopIteration):
        document(source | {"path": "mails-1/one :: other.pdf"}, tmp_path)
