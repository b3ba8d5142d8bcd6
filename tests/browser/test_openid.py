"""Signing in at a provider: a real OpenID Connect provider over HTTP, a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, expect

from core.accounts.account_file import AccountFile
from tests.browser.conftest import serving

# The provider runs in this process and uses a module of Authlib that is deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PASSWORD = "correct horse battery"


def person(subject: str, email: str, *, verified: bool = True, groups: tuple[str, ...] = ()) -> User:
    return User(sub=subject, claims={"email": email, "email_verified": verified, "groups": list(groups)})


@contextmanager
def provided(place: Path, *users: User, **settings: str) -> Iterator[str]:
    """The app beside a provider with these people."""
    with run_server_in_thread(user_claims=users, require_nonce=True) as provider:
        metadata = f"http://localhost:{provider.server_port}/.well-known/openid-configuration"
        named = {f"STRATA_ACCOUNTS__OPENID_{name.upper()}": value for name, value in settings.items()}
        with serving(
            place,
            STRATA_ACCOUNTS__OPENID_METADATA=metadata,
            STRATA_ACCOUNTS__OPENID_CLIENT_ID="strata",
            STRATA_ACCOUNTS__OPENID_CLIENT_SECRET="secret",
            STRATA_ACCOUNTS__OPENID_LABEL="Plant",
            **named,
        ) as address:
            yield address


@pytest.fixture
def people(tmp_path: Path) -> AccountFile:
    file = AccountFile(tmp_path / "library")
    file.add("anna@plant.example", "admin", None)
    file.add("boss", "admin", PASSWORD)
    return file


def back_from_provider(client: httpx.Client, address: str, subject: str) -> httpx.Response:
    """Sign in without a browser and return the app's reply to the provider's redirect."""
    there = client.get(f"{address}/login/openid?to=/corpus").headers["Location"]
    back = client.post(there, data={"sub": subject}).headers["Location"]
    return client.get(back)


def test_somebody_signs_in_at_the_provider_in_a_browser(chromium: Browser, people, tmp_path):
    with provided(tmp_path, person("1", "Anna@plant.example", groups=("Etch",)), groups="groups") as address:
        page = chromium.new_page()
        page.goto(f"{address}/corpus")
        page.get_by_role("link", name="Sign in with Plant").click()
        page.get_by_placeholder("sub").fill("1")
        page.get_by_role("button", name="Authorize").click()
        expect(page.locator("[data-testid=stMainBlockContainer]")).to_be_visible(timeout=90_000)
        assert page.url.startswith(f"{address}/corpus")
        page.goto(f"{address}/account")
        expect(page.get_by_text("You are admin, in etch.")).to_be_visible()
        expect(page.get_by_text("Change the password")).to_have_count(0)
        page.close()


def test_the_provider_opens_only_what_is_ones_own(people, tmp_path):
    users = (
        person("1", "anna@plant.example"),
        person("2", "anna@plant.example"),  # the address, given to somebody else there
        person("3", "eve@plant.example"),
        person("4", "mail@plant.example", verified=False),
        person("5", "boss"),
    )
    expected = {
        "1": (303, ""),
        "2": (403, "belongs to somebody else"),
        "3": (403, "has no account here"),
        "4": (403, "not verified"),
        "5": (403, "signs in with its password"),
    }
    with provided(tmp_path, *users) as address:
        for subject, (status, text) in expected.items():
            with httpx.Client() as client:
                reply = back_from_provider(client, address, subject)
                assert (reply.status_code, text in reply.text) == (status, True), (
                    subject,
                    reply.text[reply.text.find('role="alert') :][:300],
                )
                assert client.get(f"{address}/").status_code == (200 if status == 303 else 401), subject


def test_a_sign_in_belongs_to_the_browser_it_began_in_and_works_once(people, tmp_path):
    with (
        provided(tmp_path, person("1", "anna@plant.example")) as address,
        httpx.Client() as anna,
        httpx.Client() as eve,
    ):
        there = anna.get(f"{address}/login/openid?to=//evil.test/").headers["Location"]
        assert "code_challenge_method=S256" in there and "nonce=" in there
        back = anna.post(there, data={"sub": "1"}).headers["Location"]
        assert eve.get(back).status_code == 403  # sent to another browser it signs nobody in there
        assert anna.get(f"{back}x").status_code == 403  # a state that is not the one sent out
        again = anna.get(f"{address}/login/openid?to=//evil.test/").headers["Location"]
        back = anna.post(again, data={"sub": "1"}).headers["Location"]
        reply = anna.get(back)
        assert (reply.status_code, reply.headers["Location"]) == (303, "/")
        assert anna.get(back).status_code == 403


def test_a_provider_that_is_away_is_said_and_passwords_go_on(people, tmp_path):
    away = "http://127.0.0.1:9/.well-known/openid-configuration"
    with (
        serving(
            tmp_path, STRATA_ACCOUNTS__OPENID_METADATA=away, STRATA_ACCOUNTS__OPENID_CLIENT_ID="x"
        ) as address,
        httpx.Client() as client,
    ):
        reply = client.get(f"{address}/login/openid")
        assert reply.status_code == 502 and "does not answer" in reply.text
        signed = client.post(
            f"{address}/login", data={"name": "boss", "password": PASSWORD}, headers={"Origin": address}
        )
        assert signed.status_code == 303


def test_who_has_no_account_gets_one_where_a_role_is_set(people, tmp_path):
    with (
        provided(tmp_path, person("3", "new@plant.example"), role="reader") as address,
        httpx.Client() as client,
    ):
        assert back_from_provider(client, address, "3").status_code == 303
    assert people.book().accounts["new@plant.example"].role == "reader"
