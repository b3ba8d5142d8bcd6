"""A damaged audit or file of accounts is named by doctor, and nothing changes that could not be noted."""

import subprocess
from pathlib import Path

import pytest

from core.accounts.account_file import FILE as ACCOUNTS
from core.accounts.account_file import AccountFile
from core.accounts.person import Person
from core.bootstrap import build
from core.bootstrap.maintenance_wiring import health_of
from core.errors import KnowledgeError
from core.knowledge.stores.activity.audit import FILE as AUDIT
from core.knowledge.stores.activity.audit import AuditStore
from core.settings import Settings, StoreSettings


def damaged(path: Path, way: str) -> None:
    data = bytearray(path.read_bytes())
    if way == "flipped":
        data[len(data) // 3 : len(data) // 3 + 200] = b"\xa5" * 200
    path.write_bytes({"emptied": b"", "truncated": bytes(data[: len(data) // 2])}.get(way, bytes(data)))


@pytest.mark.parametrize("way", ["emptied", "truncated", "flipped"])
def test_nothing_changes_that_a_damaged_audit_could_not_note(tmp_path, way):
    settings = Settings(store=StoreSettings(path=tmp_path / "data"))
    assistant = build(settings, warm=False)
    audit = settings.store.path / AUDIT
    try:
        editor = assistant.of(Person(name="edda", role="editor"))
        editor.library.change_words("")
        assert not [found for found in health_of(settings).findings if "audit" in found.message]
        assistant.close()
        damaged(audit, way)
        assistant = build(settings, warm=False)
        editor = assistant.of(Person(name="edda", role="editor"))
        before = assistant.library.own_words()
        with pytest.raises(KnowledgeError, match="audit") as refused:
            editor.library.change_words('without = ["pump"]')
        assert refused.value.hint and assistant.library.own_words() == before
        with pytest.raises(KnowledgeError, match="audit"):
            AuditStore(settings.store.path).list()
        (found,) = [found for found in health_of(settings).findings if "audit" in found.message]
        assert found.severity == "error"
        assert found in assistant.admin.health().findings, "the Models page says so, too"
        subprocess.run(found.command, shell=True, check=True)
        editor.library.change_words("")
        assert [each.who for each in AuditStore(settings.store.path).list()] == ["edda"]
    finally:
        assistant.close()


@pytest.mark.parametrize("way", ["emptied", "truncated"])
def test_doctor_names_accounts_that_cannot_be_read(tmp_path, way):
    file = AccountFile(tmp_path)
    file.add("boss", "admin", "correct horse battery")
    damaged(tmp_path / ACCOUNTS, way)
    settings = Settings(store=StoreSettings(path=tmp_path))
    (found,) = [found for found in health_of(settings).findings if "accounts" in found.message]
    assert found.severity == "error" and ACCOUNTS in found.command


def test_an_audit_that_was_set_aside_is_begun_anew_beside_an_open_app(tmp_path):
    audit = AuditStore(tmp_path)
    audit.note("edda", "library.upload")
    (tmp_path / AUDIT).rename(tmp_path / f"{AUDIT}.damaged")
    audit.must_be_ready()
    audit.note("rita", "library.upload")
    audit.close()
    assert [each.who for each in AuditStore(tmp_path).list()] == ["rita"]
