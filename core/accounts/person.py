"""Who asks, and what a person may do."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from core.domain import Value
from core.errors import NotAllowed

Right = Literal["ask", "add", "delete", "enrich", "correct", "measure", "models", "accounts", "repair"]
AccountRole = Literal["reader", "editor", "admin"]
RIGHTS: tuple[Right, ...] = get_args(Right)
ROLES: tuple[AccountRole, ...] = get_args(AccountRole)
DOING: dict[Right, str] = {
    "ask": "ask questions",
    "add": "add documents",
    "delete": "delete documents",
    "enrich": "let a model enrich documents",
    "correct": "correct what the library learnt",
    "measure": "run evaluations and self-tests",
    "models": "manage models",
    "accounts": "manage accounts",
    "repair": "repair the library",
}


@cache
def rights_of(role: AccountRole) -> frozenset[Right]:
    """Return the rights of a role, from `roles.toml`."""
    table = tomllib.loads(files("core.accounts").joinpath("roles.toml").read_text("utf-8"))
    named = set(table[role]["may"])
    return frozenset(right for right in RIGHTS if right in named)


class Person(Value):
    """Somebody who uses the library. Without a name: whoever sits at the machine, where accounts are off."""

    name: str = ""
    role: AccountRole = "reader"
    groups: tuple[str, ...] = ()

    def may(self, right: Right) -> bool:
        """Say whether the person's role allows it."""
        return right in rights_of(self.role)

    def must(self, right: Right) -> None:
        """Raise NotAllowed unless the person's role allows it."""
        if not self.may(right):
            raise NotAllowed(f"As {self.role} you may not {DOING[right]}.")


OWNER = Person(role="admin")
