"""The accounts of a library: who is let in, by which password, for how long, and how often one may guess."""

import shutil
import stat
import time

import pytest

from core.accounts.account_file import FILE, AccountFile
from core.accounts.person import OWNER, RIGHTS, ROLES, rights_of
from core.accounts.sessions import Guesses, Sessions
from core.accounts.sign_in_policy import SignInPolicy
from core.errors import AccountError, NotAllowed, SettingsError
from core.settings import AccountSettings, Settings, StoreSettings

GOOD, OTHER = "correct horse battery", "staple horse battery"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with two accounts, to be copied: hashing a password takes long."""
    folder = tmp_path_factory.mktemp("accounts")
    file = AccountFile(folder)
    file.add("Anna", "admin", GOOD, ["HR"])
    file.add("Bert", "reader", OTHER)
    return folder


@pytest.fixture
def held(made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return AccountFile(tmp_path)


def test_a_password_opens_its_own_account_alone(held):
    person = held.verify(" ANNA ", GOOD)
    assert person is not None and (person.name, person.role, person.groups) == ("anna", "admin", ("hr",))
    assert held.verify("anna", OTHER) is None
    assert held.verify("nobody", GOOD) is None
    assert held.verify("anna", "") is None


def test_an_unknown_name_takes_as_long_as_a_wrong_password(held):
    def seconds(name):
        began = time.perf_counter()
        held.verify(name, "wrong password here")
        return time.perf_counter() - began

    seconds("nobody")  # makes the decoy
    known, unknown = (min(seconds(name) for _ in range(3)) for name in ("anna", "nobody"))
    assert unknown > known / 3


def test_only_the_owner_reads_the_file_and_no_password_stands_in_it(held, tmp_path):
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert GOOD not in path.read_text() and "$argon2id$" in path.read_text()
    held.set_password("bert", "another good password")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_short_password_a_taken_name_and_the_last_admin_are_refused(held):
    for change in (
        lambda: held.add("carl", "reader", "short"),
        lambda: held.add("ANNA", "reader", GOOD),
        lambda: held.add("../x", "reader", GOOD),
        lambda: held.remove("anna"),
        lambda: held.set_role("anna", "editor"),
    ):
        with pytest.raises(AccountError):
            change()
    assert sorted(held.book().accounts) == ["anna", "bert"]


def test_a_damaged_file_lets_nobody_in(held, tmp_path):
    (tmp_path / FILE).write_text("{")
    gate = SignInPolicy(Settings(store=StoreSettings(path=tmp_path)))
    for ask in (gate.demanded, lambda: gate.person("anna"), lambda: gate.check_address("0.0.0.0")):
        with pytest.raises(AccountError):
            ask()


def test_other_addresses_demand_accounts(tmp_path):
    gate = SignInPolicy(Settings(store=StoreSettings(path=tmp_path)))
    for own in ("127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"):
        gate.check_address(own)
    for other in ("0.0.0.0", "::", "192.168.0.7", "strata.example", ""):
        with pytest.raises(SettingsError) as refused:
            gate.check_address(other)
        assert "strata accounts add" in refused.value.hint
    assert gate.person(None) == OWNER
    gate.file.add("anna", "admin", GOOD)
    gate.check_address("0.0.0.0")
    with pytest.raises(NotAllowed):
        gate.person(None)
    off = SignInPolicy(Settings(store=StoreSettings(path=tmp_path), accounts=AccountSettings(mode="off")))
    with pytest.raises(SettingsError):
        off.check_address("0.0.0.0")


def test_a_session_ends_when_it_is_idle_when_it_is_old_and_when_it_is_closed():
    now = 0.0  # seen by the clock
    sessions = Sessions(idle=10, longest=25, clock=lambda: now)
    token = sessions.open("anna")
    now = 9.0
    assert sessions.find(token) is not None
    now = 18.0
    assert sessions.find(token) is not None
    now = 24.0
    assert sessions.find(token, used=False) is not None
    now = 26.0
    assert sessions.find(token) is None, "older than the longest"
    token = sessions.open("anna")
    now = 40.0
    assert sessions.find(token) is None, "idle"
    token = sessions.open("anna")
    sessions.close(token)
    assert sessions.find(token) is None and sessions.find("") is None


def test_guessing_gets_slower():
    now = 0.0
    guesses = Guesses(free=3, longest=60, clock=lambda: now)
    looked = 0
    while now < 3600:
        now += 1
        if not guesses.wait("anna"):
            looked += 1
            guesses.wrong("anna")
    assert 3 < looked < 70
    assert guesses.wait("anna") > 0 and not guesses.wait("bert")
    guesses.right("anna")
    assert not guesses.wait("anna")


def test_each_role_may_what_the_one_before_may():
    reader, editor, admin = (rights_of(role) for role in ROLES)
    assert reader < editor < admin == set(RIGHTS)


def test_nobody_is_the_owner_by_a_file_that_went_beside_an_open_app(held, tmp_path):
    policy = SignInPolicy(Settings(store=StoreSettings(path=tmp_path)))
    assert policy.demanded()
    (tmp_path / FILE).rename(tmp_path / f"{FILE}.damaged")
    for ask in (policy.demanded, lambda: policy.person(None), lambda: policy.check_address("0.0.0.0")):
        with pytest.raises(AccountError, match="gone"):
            ask()
    AccountFile(tmp_path).add("Cleo", "admin", GOOD)
    assert policy.demanded() and policy.person("cleo").role == "admin"
    (tmp_path / FILE).unlink()
    assert not SignInPolicy(policy.settings).demanded(), "a start without the file is one without accounts"


@pytest.mark.parametrize(
    "other",
    [
        "\uff41nna@plant.example",
        "a\u017f@plant.example",
        "stra\u00dfe@x.example",
        "\u212airk@x.example",
        "anna@plant.example\u2028",
        " anna@plant.example",
    ],
)
def test_another_address_that_only_looks_the_same_opens_no_account(tmp_path, other):
    """A provider tells them apart, and gives each to somebody else."""
    file = AccountFile(tmp_path)
    for name in ("anna@plant.example", "as@plant.example", "strasse@x.example", "kirk@x.example"):
        file.add(name, "admin", None)
    for role in (None, "reader"):
        with pytest.raises(AccountError, match="no name for an account"):
            file.sign_in_elsewhere(other, "issuer eve", groups=None, role=role)
    assert not any(held.subject for held in file.book().accounts.values())
    assert file.sign_in_elsewhere("Anna@Plant.example", "issuer anna", groups=None, role=None).role == "admin"
