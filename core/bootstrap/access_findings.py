"""What is wrong with the accounts, the audit and the folder itself, for doctor and the Models page."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from core.accounts.account_file import FILE as ACCOUNTS
from core.accounts.account_file import AccountFile
from core.errors import KnowledgeError, StrataError, Unlockable, Unwritable
from core.knowledge.stores.activity.audit import FILE as AUDIT
from core.knowledge.stores.activity.audit import must_be_whole
from core.knowledge.stores.folder_lock import must_be_usable
from core.work.checks.health import HealthFinding


def access_findings(folder: Path) -> Iterator[HealthFinding]:
    """Yield what is wrong with the accounts and the audit, which nothing can rebuild."""
    checks: dict[Path, Callable[[], object]] = {
        folder / ACCOUNTS: AccountFile(folder).book,
        folder / AUDIT: lambda: must_be_whole(folder / AUDIT),
    }
    for path, examine in checks.items():
        try:
            examine()
        except Unlockable as error:
            yield HealthFinding(severity="error", message=f"{error} {error.hint}")
        except StrataError as error:
            if path.exists() and not os.access(path, os.R_OK):  # it may be whole
                yield HealthFinding(severity="error", message=f"{error} {error.hint}")
                continue
            aside = f"mv {quote(str(path))} {quote(f'{path}.damaged')}"
            yield HealthFinding(severity="error", message=str(error), command=aside)


def folder_findings(folder: Path) -> Iterator[HealthFinding]:
    """Yield why the library in a folder cannot be opened there, however whole it is."""
    try:
        must_be_usable(folder)
    except Unwritable as error:
        yield HealthFinding(severity="warning", message=f"{error} {error.hint}")
    except KnowledgeError as error:
        yield HealthFinding(severity="error", message=f"{error} {error.hint}")
