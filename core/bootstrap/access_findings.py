"""What is wrong with the accounts and the audit, for doctor and the Models page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from core.accounts.account_file import FILE as ACCOUNTS
from core.accounts.account_file import AccountFile
from core.errors import StrataError
from core.knowledge.stores.activity.audit import FILE as AUDIT
from core.knowledge.stores.activity.audit import must_be_whole
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
        except StrataError as error:
            aside = f"mv {quote(str(path))} {quote(f'{path}.damaged')}"
            yield HealthFinding(severity="error", message=str(error), command=aside)
