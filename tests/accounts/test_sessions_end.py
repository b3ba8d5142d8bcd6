"""A session ends with the account it was begun with, whatever the clock says: a new password, a removal, a
later account of the same name, a log-out; an old cookie opens nothing again."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.accounts.account_file import AccountFile
from core.settings import Settings, StoreSettings
from core.ui.serving.login import SignIn
from tests.accounts.quick_passwords import check_quickly

OLD, NEW = "correct horse battery", "staple horse battery"
HOUR = 3600.0


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two accounts, to be copied."""
    folder = tmp_path_factory.mktemp("accounts")
    file = AccountFile(folder)
    file.add("boss", "admin", OLD)
    file.add("rita", "reader", OLD)
    check_quickly(folder, OLD)
    return folder


@pytest.fixture
def people(made: Path, tmp_path: Path) -> AccountFile:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return AccountFile(tmp_path)


@pytest.fixture
def app(people: AccountFile, tmp_path: Path) -> SignIn:
    inner = Starlette(routes=[Route("/", lambda request: PlainTextResponse("in"))])
    return SignIn(inner, Settings(store=StoreSettings(path=tmp_path)))


def browser(app: SignIn, cookie: str = "") -> TestClient:
    headers = {"Cookie": cookie} if cookie else {}
    return TestClient(app, "http://127.0.0.1:8501", headers=headers, follow_redirects=False)


def signed_in(app: SignIn, password: str = OLD) -> str:
    """Sign Rita in; return her cookie."""
    reply = browser(app).post("/login", data={"name": "rita", "password": password})
    assert reply.status_code == 303, reply.text
    return reply.headers["Set-Cookie"].split(";")[0]


def opens(app: SignIn, cookie: str) -> bool:
    return browser(app, cookie).get("/").status_code == 200


def anew(people: AccountFile) -> None:
    people.remove("rita")
    people.add("rita", "editor", NEW)


CHANGES: dict[str, Callable[[AccountFile], None]] = {
    "password": lambda people: people.set_password("rita", NEW),
    "same password": lambda people: people.set_password("rita", OLD),
    "removed": lambda people: people.remove("rita"),
    "another of the name": anew,
}


@pytest.mark.parametrize("set_back", [0.0, HOUR, 365 * 24 * HOUR])
@pytest.mark.parametrize("how", CHANGES)
def test_a_session_ends_with_its_account_and_no_old_cookie_opens_it_again(
    app: SignIn, people: AccountFile, monkeypatch: pytest.MonkeyPatch, how: str, set_back: float
) -> None:
    cookies = [signed_in(app), signed_in(app)]
    assert all(opens(app, cookie) for cookie in cookies)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - set_back)
    CHANGES[how](people)
    assert not any(opens(app, cookie) for cookie in cookies)
    if how != "removed":
        cookie = signed_in(app, OLD if how == "same password" else NEW)
        assert opens(app, cookie) and not any(opens(app, old) for old in cookies)


def test_who_sets_a_new_password_goes_on_and_their_other_sessions_end(app: SignIn) -> None:
    here, elsewhere = signed_in(app), signed_in(app)
    reply = browser(app, here).post("/account", data={"password": OLD, "new": NEW})
    assert reply.status_code == 303
    assert opens(app, reply.headers["Set-Cookie"].split(";")[0])
    assert not opens(app, here) and not opens(app, elsewhere)


def test_a_cookie_from_before_the_log_out_opens_nothing(app: SignIn) -> None:
    cookie = signed_in(app)
    assert browser(app, cookie).post("/logout").status_code == 303
    assert not opens(app, cookie)
    assert opens(app, signed_in(app)) and not opens(app, cookie)
