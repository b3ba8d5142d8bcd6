"""What a role may do is asked by the doors, and what was done is written down for good."""

import io
import sqlite3
from collections.abc import Iterator

import pytest

from core.accounts.person import OWNER, AccountRole, Person, rights_of
from core.assistant import Assistant
from core.assistant.rights import RULES
from core.bootstrap import build
from core.domain import Feedback
from core.errors import NotAllowed, StrataError
from core.knowledge.stores.activity.audit import FILE, AuditStore
from core.settings import Settings, StoreSettings


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    made = build(Settings(store=StoreSettings(path=tmp_path_factory.mktemp("roles") / "data")), warm=False)
    yield made
    made.close()


@pytest.mark.parametrize("role", ["reader", "editor", "admin"])
def test_a_door_asks_for_the_right_of_each_method(built, role: AccountRole):
    assistant = built.of(Person(name=role, role=role))
    for door, rules in RULES.items():
        for name, rule in rules.items():
            if rule.right in rights_of(role):
                getattr(getattr(assistant, door), name)
            else:
                with pytest.raises(NotAllowed) as refused:
                    getattr(getattr(assistant, door), name)
                assert role in str(refused.value)
        for name in ("knowledge", "queue", "runner", "store", "doctor", "ingest", "watch", "__dict__x"):
            with pytest.raises(NotAllowed):
                getattr(getattr(assistant, door), name)


def test_a_reader_changes_nothing(built):
    reader = built.of(Person(name="rita", role="reader"))
    for act in (
        lambda: reader.library.upload("x.txt", io.BytesIO(b"text"), "default"),
        lambda: reader.library.delete_permanently("x"),
        lambda: reader.library.change_words(""),
        lambda: reader.learning.give_feedback(Feedback(run="x", target="answer", verdict="right")),
        lambda: reader.admin.pull("x"),
        lambda: reader.admin.compact(),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert built.library.jobs() == []


def test_changes_are_written_down_and_cannot_be_taken_back(built):
    editor = built.of(Person(name="edda", role="editor"))
    job = editor.library.upload("note.txt", io.BytesIO(b"The valve is red."), "default")
    built.library.wait([job])
    document = editor.library.contents.documents()[0]
    editor.library.delete_permanently(document.id)
    built.of(OWNER).library.change_words("")
    with pytest.raises(StrataError):
        editor.library.delete_permanently("nothing")
    folder = built.library.path
    noted = [(each.who, each.what, each.about) for each in AuditStore(folder).list()]
    assert noted[0][:2] == ("this machine", "library.change_words")
    assert noted[1] == ("edda", "library.delete_permanently", document.id)
    assert noted[2] == ("edda", "library.upload", "note.txt")
    assert len(noted) == 3, "what was refused is no change"
    with sqlite3.connect(folder / FILE) as connection:
        for statement in ("DELETE FROM audit", "UPDATE audit SET who = 'x'"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
    assert (folder / FILE).stat().st_mode & 0o077 == 0


def test_a_change_by_what_the_library_hands_out_is_written_down(built):
    editor = built.of(Person(name="rolf", role="editor"))
    editor.library.rereading.earlier()
    editor.library.rereading.start()
    audit = AuditStore(built.library.path)
    assert [each.what for each in audit.list() if each.who == "rolf"] == ["library.rereading"]
    audit.close()


def test_what_was_written_down_under_an_old_name_is_told_under_the_one_it_has_now(tmp_path):
    audit = AuditStore(tmp_path)
    for what in ("library.remove", "library.discard", "library.undiscard", "library.upload"):
        audit.note("edda", what)
    stated = [each.what.removeprefix("library.") for each in reversed(audit.list())]
    audit.close()
    assert stated == ["delete_permanently", "move_to_trash", "restore_from_trash", "upload"]
    assert all(name in RULES["library"] for name in stated), "a name that is no method's any more"
    with sqlite3.connect(tmp_path / FILE) as connection:
        kept = [what for (what,) in connection.execute("SELECT what FROM audit ORDER BY n")]
    assert kept[0] == "library.remove", "entries are never rewritten"
