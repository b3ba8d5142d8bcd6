"""Whether accounts are demanded, and who somebody is."""

from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address

from core.accounts.account_file import AccountFile, Book
from core.accounts.person import OWNER, Person
from core.errors import NotAllowed, SettingsError
from core.settings import LOOPBACK, Settings

HELP = "Add the first one with `strata accounts add NAME --role admin`; from then on people sign in."


def loopback(address: str) -> bool:
    """Say whether an address to listen on is reached from this machine alone."""
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address in LOOPBACK


@dataclass(frozen=True)
class SignInPolicy:
    """Lets people in: by their accounts, or, on this machine alone, without."""

    settings: Settings

    @cached_property
    def file(self) -> AccountFile:
        return AccountFile(self.settings.store.path)

    def book(self) -> Book:
        """Return the accounts and the collections that are closed. Raises AccountError."""
        return self.file.book()

    def demanded(self) -> bool:
        """Say whether people have to sign in. Raises AccountError."""
        mode = self.settings.accounts.mode
        return mode == "on" or (mode == "auto" and bool(self.book().accounts))

    def check_address(self, address: str) -> None:
        """Raise SettingsError for an address that others reach while nobody has to sign in."""
        if not loopback(address) and not (self.demanded() and self.book().accounts):
            raise SettingsError(
                f"{address} can be reached by others, and this library has no accounts.", hint=HELP
            )

    def person(self, name: str | None) -> Person:
        """Return who is signed in under a name. Raises NotAllowed, AccountError."""
        if not self.demanded():
            return OWNER
        found = self.book().person(name) if name else None
        if found is None:
            raise NotAllowed("You are not signed in.", hint="Reload the page to sign in.")
        return found
