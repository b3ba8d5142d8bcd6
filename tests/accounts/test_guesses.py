"""How often passwords may be guessed: one after the other or at once, from an address or a network."""

import asyncio
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from core.accounts.account_file import AccountFile
from core.accounts.sessions import Guesses, sender
from core.settings import Settings, StoreSettings
from core.ui.serving.login import SignIn
from tests.accounts.quick_passwords import check_quickly

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("accounts")
    AccountFile(folder).add("anna", "admin", PASSWORD)
    check_quickly(folder, PASSWORD)
    return folder


@pytest.fixture
def app(made: Path, tmp_path: Path) -> SignIn:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return SignIn(Starlette(), Settings(store=StoreSettings(path=tmp_path)))


async def guessed(app: SignIn, names: list[str], addresses: list[str], last: str = "") -> list[int]:
    """Send a wrong guess for each name at once, the right password for `last` after them; return statuses."""

    async def one(name: str, address: str, password: str) -> int:
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8501") as client:
            reply = await client.post("/login", data={"name": name, "password": password})
            return reply.status_code

    found = await asyncio.gather(
        *(
            one(name, address, f"wrong {n}")
            for n, (name, address) in enumerate(zip(names, addresses, strict=True))
        )
    )
    return [*found, await one(last, "192.0.2.99", PASSWORD)] if last else list(found)


def statuses(app: SignIn, names: list[str], addresses: list[str], last: str = "") -> list[int]:
    """Run `guessed` in its own thread: a browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(guessed(app, names, addresses, last))).result()


def test_guesses_sent_at_once_are_slowed_down_as_those_sent_one_after_the_other(app: SignIn) -> None:
    result = Counter(statuses(app, ["anna"] * 60, [f"192.0.2.{n}" for n in range(60)]))
    assert result[403] < 9 and result[403] + result[429] == 60, result


def test_addresses_of_one_network_count_as_one(app: SignIn) -> None:
    names = [f"name{n}" for n in range(40)]
    near = [f"2001:db8:1:2::{n:x}" for n in range(1, 41)]
    result = Counter(statuses(app, names, near, last="anna"))
    assert result[403] < 14 and result[303] == 1, result  # somebody else signs in meanwhile


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("a socket", "a socket"),
    ],
)
def test_who_guesses_is_an_address_or_what_one_household_has(address: str, counted: str) -> None:
    assert sender(address) == counted


def test_wrong_guesses_of_long_ago_are_forgotten_one_by_one() -> None:
    now = 0.0
    guesses = Guesses(free=10, longest=900.0, clock=lambda: now)
    for _ in range(200):  # an office behind one address: a slip each half hour
        guesses.wrong("office")
        assert not guesses.wait("office")
        now += 1800.0
    for _ in range(30):
        guesses.wrong("office")
    assert guesses.wait("office") == 900.0
