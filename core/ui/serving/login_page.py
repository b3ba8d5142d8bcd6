"""The pages that stand before the app: signing in, and one's own account. Plain HTML without a script."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from html import escape
from pathlib import Path
from urllib.parse import quote

from core.accounts.account_file import MIN_PASSWORD_CHARACTERS
from core.accounts.person import Person
from core.i18n.messages import choose, language, plain, speaking
from core.ui.serving.openid import BEGIN
from core.ui.shared import display_text

_MARK = (Path(__file__).parent.parent / "assets" / "wordmark.svg").read_text("utf-8")
_STYLE = """
:root { color-scheme: light dark; --paper: #fcfcfa; --sheet: #f4f4ef; --ink: #1e2526; --line: #dcdcd4;
  --own: #1a6472; --quiet: #5d6462; --wrong: #8f2f28; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #14191a; --sheet: #1d2425; --ink: #e4e6e2;
  --line: #333c3d; --own: #3f97a6; --quiet: #a9b0ae; --wrong: #f0aaa3; --on: #0d1112; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 "Source Sans", "Source Sans 3", system-ui, sans-serif; }
main { width: 100%; max-width: 23rem; }
svg { height: 2.25rem; display: block; margin: 0 0 2rem; }
h1 { font: 600 1.5rem/1.3 "Source Serif", "Source Serif 4", Georgia, serif; margin: 0 0 1.25rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; }
label { display: block; font-size: .875rem; margin: 0 0 1rem; }
input { display: block; width: 100%; margin-top: .3rem; padding: .6rem .75rem; font: inherit; color: inherit;
  background: var(--sheet); border: 1px solid var(--line); border-radius: .375rem; }
:focus-visible { outline: 2px solid var(--own); outline-offset: 1px; }
button { width: 100%; padding: .6rem .75rem; font: inherit; font-weight: 600; border-radius: .375rem;
  cursor: pointer; color: var(--on); background: var(--own); border: 1px solid var(--own); }
button.quiet { color: var(--ink); background: none; border-color: var(--line); }
p { margin: 0 0 1rem; } .other { margin: 1rem 0 0; text-align: center; }
.said { color: var(--wrong); } .quiet { color: var(--quiet); }
a { color: var(--own); }
"""


# Texts are looked up outside of the f-strings they are in: what collects them does not look into those.
def _new_password() -> str:
    title, present = escape(plain("Change the password")), escape(plain("Present password"))
    new, change = escape(plain("New password")), escape(plain("Change it"))
    return (
        f'<h2>{title}</h2><form method="post" action="/account">'
        f'<label>{present}<input name="password" type="password" '
        'autocomplete="current-password" required></label>'
        f'<label>{new}<input name="new" type="password" '
        f'autocomplete="new-password" minlength="{MIN_PASSWORD_CHARACTERS}" required></label>'
        f'<button class="quiet">{change}</button></form>'
    )


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="{escape(language())}"><head><meta charset="utf-8">'
        f"<title>{escape(title)} · Strata</title>"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}'
        f"<style>{_STYLE}</style></head><body><main>{_MARK}<h1>{escape(title)}</h1>{body}</main></body></html>"
    )


def speaking_to(headers: Mapping[str, str]) -> AbstractContextManager[None]:
    """Use the language that a browser asks for in the headers of its request."""
    preferred = headers.get("accept-language", "").split(",")
    return speaking(choose(each.split(";")[0].strip() for each in preferred))


def _notice(text: str) -> str:
    return f'<p class="said" role="alert">{escape(text)}</p>' if text else ""


def login_page(to: str, text: str = "", name: str = "", provider: str = "") -> str:
    """Return the page to sign in on, which leads on to an address of the app; `provider` names another
    place to sign in at."""
    focus = ("", " autofocus") if name else (" autofocus", "")
    sign_in, label, password = plain("Sign in"), escape(plain("Name")), escape(plain("Password"))
    return _page(
        sign_in,
        f'{_notice(text)}<form method="post" action="/login">'
        f'<input type="hidden" name="to" value="{escape(to)}">'
        f'<label>{label}<input name="name" autocomplete="username" autocapitalize="none" '
        f'required value="{escape(name)}"{focus[0]}></label>'
        f"<label>{password}"
        '<input name="password" type="password" autocomplete="current-password" '
        f"required{focus[1]}></label><button>{escape(sign_in)}</button></form>" + _elsewhere(to, provider),
    )


def _elsewhere(to: str, provider: str) -> str:
    if not provider:
        return ""
    address = f"{BEGIN}?to={quote(to, safe='')}"
    label = plain("Sign in with {provider}", provider=provider)
    return f'<p class="other"><a href="{escape(address)}">{escape(label)}</a></p>'


def account_page(person: Person, text: str = "", *, password: bool = True) -> str:
    """Return the page of one's own account: log out, and change the password where there is one."""
    account = (
        plain(
            "You are {role}, in {groups}.",
            role=display_text.role(person.role),
            groups=", ".join(person.groups),
        )
        if person.groups
        else plain("You are {role}.", role=display_text.role(person.role))
    )
    out, back = escape(plain("Log out")), escape(plain("Back to Strata"))
    return _page(
        person.name,
        f'<p class="quiet">{escape(account)}</p>{_notice(text)}'
        f'<form method="post" action="/logout"><button>{out}</button></form>'
        f"{_new_password() if password else ''}"
        f'<p style="margin-top:2rem"><a href="/">{back}</a></p>',
    )


def once_more(to: str) -> str:
    """Return a page that opens the address again from here: a visit that began on another site brings no
    cookie along."""
    again = f'<meta http-equiv="refresh" content="0;url={escape(to)}">'
    on = escape(plain("Go on"))
    return _page("Strata", f'<p><a href="{escape(to)}">{on}</a></p>', again)
