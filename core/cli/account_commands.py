"""strata accounts: who may use the library over the network, and which groups may read a collection."""

import sys
import time
from pathlib import Path

import click

from core.accounts.account_file import AccountFile, Book
from core.accounts.person import ROLES, AccountRole
from core.cli.localized_help import LocalizedGroup
from core.cli.output import command, emit
from core.cli.terminal_escaping import echo
from core.errors import AccountError
from core.i18n.messages import Message, mark, plain, say_plain
from core.knowledge.stores.activity.audit import FILE, AuditStore, must_be_whole
from core.knowledge.stores.folder_lock import must_be_a_folder, must_lock_records
from core.settings import Settings


@click.group("accounts", cls=LocalizedGroup)
def accounts() -> None:
    """Add and remove people, and close collections to all but some groups. Holds at once in an open app."""


def _folder() -> Path:
    """Return the library's folder, which may not be there yet. Raises KnowledgeError where none can be."""
    folder = Settings.load().store.path
    must_be_a_folder(folder)
    return folder


def _file() -> AccountFile:
    return AccountFile(_folder())


def _file_to_change() -> AccountFile:
    """Return the accounts, of a folder in which the change can be noted too. Raises KnowledgeError."""
    folder = Settings.load().store.path
    must_lock_records(folder)
    must_be_whole(folder / FILE)
    return _file()


def _password(piped: bool) -> str:
    if piped:
        return sys.stdin.readline().rstrip("\r\n")
    typed: str = click.prompt(plain("Password"), hide_input=True, confirmation_prompt=True, err=True)
    return typed


def _report(as_json: bool, message: Message, value: dict[str, object], **values: object) -> None:
    """Say what was done, and write it, in English, into the audit."""
    audit = AuditStore(Settings.load().store.path)
    audit.note("terminal", "accounts", message.format(**values))
    audit.close()
    if as_json:
        emit(value)
    else:
        echo(say_plain(message, **values))


PIPED = click.option("--password-stdin", "piped", is_flag=True, help="Read the password from standard input.")
GROUPS = click.option(
    "--group", "groups", multiple=True, metavar="GROUP", help="A group, as often as needed."
)


@command("add")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="reader", show_default=True)
@GROUPS
@PIPED
@click.option("--openid", is_flag=True, help="No password: signs in at the OpenID Connect provider.")
def add(
    name: str, *, role: AccountRole, groups: tuple[str, ...], piped: bool, openid: bool, as_json: bool
) -> None:
    """Add an account. The first one is an admin's: from then on people sign in."""
    file = _file_to_change()
    if not file.book().accounts and role != "admin":
        raise AccountError(
            "The first account is an admin's.", hint=f"strata accounts add {name} --role admin"
        )
    added = file.add(name, role, None if openid else _password(piped), groups)
    _report(as_json, mark("Added {name}, {role}."), {"added": added, "role": role}, name=added, role=role)


@command("remove")
@click.argument("name")
def remove(name: str, *, as_json: bool) -> None:
    """Take an account away; its sessions end at once. What the person asked stays in the library."""
    _file_to_change().remove(name)
    _report(as_json, mark("Removed {name}."), {"removed": name}, name=name)


@command("password")
@click.argument("name")
@PIPED
def password(name: str, *, piped: bool, as_json: bool) -> None:
    """Set a new password; sessions from before end at once."""
    _file_to_change().set_password(name, _password(piped))
    _report(as_json, mark("The password of {name} is changed."), {"changed": name}, name=name)


@command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
def role(name: str, *, role: AccountRole, as_json: bool) -> None:
    """Make somebody reader, editor or admin."""
    _file_to_change().set_role(name, role)
    _report(as_json, mark("{name} is {role}."), {"changed": name, "role": role}, name=name, role=role)


@command("group")
@click.argument("name")
@click.argument("groups", nargs=-1)
def group(name: str, *, groups: tuple[str, ...], as_json: bool) -> None:
    """Say which groups somebody is in; none are named: in no group."""
    _file_to_change().set_groups(name, groups)
    _report(
        as_json,
        mark("{name} is in {groups}.") if groups else mark("{name} is in no group."),
        {"changed": name, "groups": list(groups)},
        name=name,
        groups=", ".join(groups),
    )


@command("list")
def listed(*, as_json: bool) -> None:
    """List the accounts, and the collections that are closed."""
    book = _file().book()
    if as_json:
        emit(book.model_dump(mode="json", exclude={"accounts": {"__all__": {"password", "changed"}}}))
    else:
        echo("\n".join(_lines(book)) or plain("There are no accounts: only this machine is served."))


def _lines(book: Book) -> list[str]:
    lines = [
        f"{name:24} {account.role:8} {', '.join(account.groups)}".rstrip()
        for name, account in sorted(book.accounts.items())
    ]
    return lines + [
        plain("closed: {name}, read by {groups}", name=name, groups=", ".join(groups))
        for name, groups in sorted(book.closed.items())
    ]


@command("close")
@click.argument("collection")
@click.option("--group", "groups", multiple=True, required=True, metavar="GROUP", help="Who may read it.")
def close(collection: str, *, groups: tuple[str, ...], as_json: bool) -> None:
    """Let only some groups read a collection; to everybody else it is not there."""
    _file_to_change().close_collection(collection, groups)
    _report(
        as_json,
        mark("{name} is read by {groups} alone."),
        {"closed": collection},
        name=collection,
        groups=", ".join(groups),
    )


@command("open")
@click.argument("collection")
def reopen(collection: str, *, as_json: bool) -> None:
    """Let everybody read a collection again."""
    _file_to_change().close_collection(collection, ())
    _report(as_json, mark("{name} is open."), {"opened": collection}, name=collection)


@command("audit")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1))
def audit(*, limit: int, as_json: bool) -> None:
    """List who changed what and when, the latest first."""
    store = AuditStore(_folder())
    noted = store.list(limit)
    store.close()
    if as_json:
        emit([each.model_dump() for each in noted])
    else:
        for each in noted:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(each.at))
            echo(f"{when}  {each.who:16} {each.what:28} {each.about}".rstrip())


for each in (add, remove, password, role, group, listed, close, reopen):
    accounts.add_command(each)
