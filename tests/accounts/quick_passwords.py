"""Passwords that are checked in no time: what a hash costs is in it, and it is read as any other."""

import json
from pathlib import Path

from argon2 import PasswordHasher

from core.accounts.account_file import FILE

_QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def check_quickly(folder: Path, password: str) -> None:
    """Let all accounts of the folder have this password, and a hash of it that takes no time.

    Tests of what follows a sign-in call it; what a password costs is looked at in test_account_file.py.
    """
    book = json.loads((folder / FILE).read_text("utf-8"))
    for account in book["accounts"].values():
        account["password"] = _QUICK.hash(password)
    (folder / FILE).write_text(json.dumps(book), "utf-8")
