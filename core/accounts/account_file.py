"""The accounts of a library: one file in its folder that its owner alone can read, changed as a whole.

It is read anew whenever it changes, so that what `strata accounts` changes holds at once in an open app.
"""

import json
import os
import re
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pydantic import Field, ValidationError

from core.accounts.person import AccountRole, Person
from core.accounts.private_file import locked, write
from core.domain import Value, identify
from core.errors import AccountError, NotFound

FILE = "accounts.json"
MIN_PASSWORD_CHARACTERS, MAX_PASSWORD_CHARACTERS = 12, 1024  # characters of a password
NAME = re.compile(r"[\w.@+-]{1,64}")
_HASHER = PasswordHasher()  # argon2id, the parameters of RFC 9106 for little memory


class Account(Value):
    """A person's entry. `password` is an argon2id hash, "" for who signs in elsewhere (OpenID Connect)."""

    role: AccountRole = "reader"
    groups: tuple[str, ...] = ()
    password: str = ""
    changed: float = 0.0  # when the password was set, in seconds since the epoch
    subject: str = ""  # issuer and subject at the provider, bound at the first time of signing in there

    @property
    def version(self) -> str:
        """What an account with another password, or a later one of the same name, differs in. Which of two
        came later is not asked: clocks are set back."""
        return identify(self.password, repr(self.changed))


class Book(Value):
    """What the file holds. `closed` names the groups that may read a collection; others are open."""

    accounts: dict[str, Account] = Field(default_factory=dict)
    closed: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def person(self, name: str) -> Person | None:
        """Return the person of an account, None where there is none."""
        account = self.accounts.get(name)
        return None if account is None else Person(name=name, role=account.role, groups=account.groups)

    def hidden(self, person: Person) -> frozenset[str]:
        """Return the collections that are closed to the person; to the machine's owner none is."""
        if not person.name:
            return frozenset()
        return frozenset(name for name, groups in self.closed.items() if not {*groups} & {*person.groups})


class AccountFile:
    """The accounts in a library's folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._read: tuple[tuple[int, int, int], Book] | None = None
        self._decoy = ""

    def book(self) -> Book:
        """Return the accounts as they stand. Raises AccountError for a file that cannot be read, or that is
        gone though there was one: nobody becomes the owner by that."""
        try:
            about = self._path.stat()
            stamp = (about.st_mtime_ns, about.st_size, about.st_ino)
            with self._lock:
                if self._read is None or self._read[0] != stamp:
                    self._read = (stamp, Book.model_validate_json(self._path.read_text("utf-8")))
                return self._read[1]
        except FileNotFoundError as error:
            if self._read is None:
                return Book()
            raise AccountError(
                f"The accounts in {self._path} are gone, so nobody is let in.",
                hint="Put the file back, or start Strata again to go on without accounts.",
            ) from error
        except PermissionError as error:
            raise AccountError(
                f"{self._path} cannot be read: {error.strerror}. Nobody is let in.",
                hint="Give yourself the right to read it.",
            ) from error
        except (OSError, ValueError, ValidationError) as error:
            raise AccountError(
                f"The accounts in {self._path} cannot be read, so nobody is let in.",
                hint="Mend it, or delete it and add the accounts anew with `strata accounts add`.",
            ) from error

    def verify(self, name: str, password: str) -> Person | None:
        """Return the person if the password is theirs. An unknown name takes as long as a wrong password."""
        account = self.book().accounts.get(plain_name(name))
        password_hash = account.password if account is not None and account.password else self._decoy_hash()
        try:
            _HASHER.verify(password_hash, password[:MAX_PASSWORD_CHARACTERS])
        except (VerificationError, InvalidHashError):
            return None
        now = self.book().accounts.get(plain_name(name))  # it may have changed meanwhile
        valid = (
            account is not None and account.password and now is not None and now.version == account.version
        )
        return self.book().person(plain_name(name)) if valid else None

    def sign_in_elsewhere(
        self, name: str, subject: str, *, groups: Sequence[str] | None, role: AccountRole | None
    ) -> Person:
        """Return the person whom a provider has verified under a name.

        The account is bound to the provider's subject, so that a name given to somebody else there opens
        nothing here. `groups` are taken over unless None; with a `role`, who has no account gets one.
        Names that would be folded into another one, which the provider tells apart from them, open none.
        Raises AccountError.
        """
        if unicodedata.normalize("NFKC", name) != name or plain_name(name) != name.lower():
            raise _no_name(name)
        name = plain_name(name)
        account = self.book().accounts.get(name)
        if account is None and role is not None:
            self.add(name, role, None, groups or ())
            account = self.book().accounts[name]
        if account is None:
            raise AccountError(
                f"{name} has no account here.", hint="An admin adds it: `strata accounts add`."
            )
        if account.password:
            raise AccountError(f"The account {name} signs in with its password.")
        if account.subject not in ("", subject):
            raise AccountError(f"The account {name} belongs to somebody else at the provider.")
        new_groups = account.groups if groups is None else _sorted(groups)
        if (account.subject, account.groups) != (subject, new_groups):
            self._update(name, {"subject": subject, "groups": new_groups})
        person = self.book().person(name)
        if person is None:
            raise AccountError(f"{name} has no account here.")
        return person

    def _decoy_hash(self) -> str:
        if not self._decoy:
            self._decoy = _HASHER.hash(os.urandom(16).hex())
        return self._decoy

    # -- changing --------------------------------------------------------------------------

    def add(self, name: str, role: AccountRole, password: str | None, groups: Sequence[str] = ()) -> str:
        """Add an account, without a password for who signs in elsewhere; return the name as it is kept.

        Raises AccountError.
        """
        name = plain_name(name)
        if not NAME.fullmatch(name):
            raise _no_name(name)
        password_hash = _hashed(password) if password is not None else ""

        def added(book: Book) -> Book:
            if name in book.accounts:
                raise AccountError(
                    f"There is an account {name} already.",
                    hint=f"`strata accounts password {name}` changes it.",
                )
            made = Account(role=role, groups=_sorted(groups), password=password_hash, changed=time.time())
            return book.model_copy(update={"accounts": {**book.accounts, name: made}})

        self._change(added)
        return name

    def remove(self, name: str) -> None:
        """Take an account away; its sessions end. Raises NotFound, AccountError for the last admin."""

        def removed(book: Book) -> Book:
            _account(book, name)
            rest = {each: account for each, account in book.accounts.items() if each != plain_name(name)}
            return _with_admin(book.model_copy(update={"accounts": rest}))

        self._change(removed)

    def set_password(self, name: str, password: str) -> None:
        """Set a password; sessions from before end. Raises NotFound, AccountError."""
        password_hash = _hashed(password)
        self._update(name, {"password": password_hash, "changed": time.time()})

    def set_role(self, name: str, role: AccountRole) -> None:
        """Give an account another role. Raises NotFound, AccountError for the last admin."""
        self._update(name, {"role": role})

    def set_groups(self, name: str, groups: Sequence[str]) -> None:
        """Say which groups a person is in. Raises NotFound."""
        self._update(name, {"groups": _sorted(groups)})

    def close_collection(self, collection: str, groups: Sequence[str]) -> None:
        """Let only these groups read a collection; without groups it is open again."""

        def closed(book: Book) -> Book:
            rest = {name: readers for name, readers in book.closed.items() if name != collection}
            return book.model_copy(
                update={"closed": {**rest, collection: _sorted(groups)} if groups else rest}
            )

        self._change(closed)

    def _update(self, name: str, changes: dict[str, object]) -> None:
        def updated(book: Book) -> Book:
            account = _account(book, name).model_copy(update=changes)
            return _with_admin(
                book.model_copy(update={"accounts": {**book.accounts, plain_name(name): account}})
            )

        self._change(updated)

    def _change(self, change: Callable[[Book], Book]) -> None:
        folder = self._path.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(folder / f"{FILE}.lock"):
            body = change(self.book()).model_dump(mode="json")
            write(self._path, json.dumps(body, ensure_ascii=False, indent=2))


def plain_name(name: str) -> str:
    """Return a name as accounts are kept under."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _no_name(name: str) -> AccountError:
    return AccountError(f"{name!r} is no name for an account: letters, digits and . @ + - _, up to 64.")


def _hashed(password: str) -> str:
    if not MIN_PASSWORD_CHARACTERS <= len(password) <= MAX_PASSWORD_CHARACTERS:
        raise AccountError(
            f"A password has {MIN_PASSWORD_CHARACTERS} to {MAX_PASSWORD_CHARACTERS} characters.",
            hint="A few words in a row are a good one.",
        )
    return _HASHER.hash(password)


def _sorted(groups: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({plain_name(group) for group in groups} - {""}))


def _account(book: Book, name: str) -> Account:
    if (account := book.accounts.get(plain_name(name))) is None:
        raise NotFound(
            f"There is no account {plain_name(name)}.", hint="`strata accounts list` lists those there are."
        )
    return account


def _with_admin(book: Book) -> Book:
    if book.accounts and not any(account.role == "admin" for account in book.accounts.values()):
        raise AccountError(
            "The last admin stays.", hint="Make another one first: `strata accounts role NAME admin`."
        )
    return book
