"""Lets nobody to the app who has not signed in, where the library has accounts: no page, no WebSocket, no
upload, no file. Without accounts only this machine itself is served.

The app learns who asks from a header that is set here and taken off every request that brings it along.
"""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.accounts.account_file import plain_name
from core.accounts.person import Person
from core.accounts.sessions import Guesses, Session, Sessions, sender
from core.accounts.sign_in_policy import SignInPolicy
from core.errors import AccountError, SettingsError, StrataError
from core.i18n.messages import plain
from core.i18n.recorded_messages import translated_plain
from core.settings import Settings
from core.ui.serving.login_page import account_page, login_page, once_more, speaking_to
from core.ui.serving.openid import BEGIN, CALLBACK, OpenId, begun_over
from core.ui.serving.upload_limits import PERSON
from core.ui.serving.watched_socket import Watched

HEADER = "x-strata-person"
COOKIE = "strata_session"
HEALTH_PATH = "/_stcore/health"  # says "ok" and nothing else
LONGEST_FORM = 8192  # bytes
AT_ONCE = 2  # passwords checked at the same time: each takes 64 MB
Answer = Callable[["SignIn", Request], Awaitable[Response]]


class SignIn:
    """Asks everybody who they are."""

    def __init__(self, app: ASGIApp, settings: Settings | None = None) -> None:
        self._app = app
        self._settings = settings
        self._checking = asyncio.Semaphore(AT_ONCE)
        self._by_name = Guesses(longest=30)  # no more: a stranger's guesses must not lock anybody out
        self._by_address = Guesses(free=10)

    @functools.cached_property
    def _policy(self) -> SignInPolicy:
        return SignInPolicy(self._settings or Settings.load())

    @functools.cached_property
    def _openid(self) -> OpenId | None:
        settings = self._policy.settings.accounts
        return OpenId(settings, self._policy.file) if settings.openid_metadata else None

    @functools.cached_property
    def _sessions(self) -> Sessions:
        limits = self._policy.settings.accounts
        return Sessions(limits.idle_minutes * 60, limits.longest_hours * 3600)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        del MutableHeaders(scope=scope)[HEADER]
        try:
            if self._policy.demanded():
                await self._guarded(scope, receive, send)
            else:
                self._policy.check_address(str((scope.get("server") or ("an unknown address",))[0]))
                await self._app(scope, receive, send)
        except (AccountError, SettingsError) as error:
            await refuse(_explained(error), 403, scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (reply := await self._own(Request(scope, receive))) is not None:
            await reply(scope, receive, send)
            return
        person = self._signed_in(scope)
        if person is None and scope["path"] != HEALTH_PATH:
            await self._turned_away(scope, receive, send)
            return
        if person is not None:
            MutableHeaders(scope=scope)[HEADER] = quote(person.name, safe="")
            scope[PERSON] = person
        if scope["type"] == "websocket":
            await Watched(lambda used: self._signed_in(scope, used=used) is not None).serve(
                self._app, scope, receive, send
            )
        else:
            await self._app(scope, receive, send)

    async def _turned_away(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            await refuse("Sign in first.", 401, scope, receive, send)
            return
        headers, to = Headers(scope=scope), _address(scope)
        if headers.get("sec-fetch-dest", "document") != "document" or "text/html" not in headers.get(
            "accept", ""
        ):
            await refuse("Sign in first.", 401, scope, receive, send)
        elif headers.get("sec-fetch-site") == "cross-site":
            with speaking_to(headers):
                page = once_more(to)
            await _private(HTMLResponse(page))(scope, receive, send)
        else:
            await _private(RedirectResponse(f"/login?to={quote(to, safe='')}", 303))(scope, receive, send)

    # -- who it is -------------------------------------------------------------------------

    def _signed_in(self, scope: Scope, *, used: bool = True) -> Person | None:
        """Return whose session the request belongs to, None where it is none that is still valid."""
        session = self._session(Request(scope) if scope["type"] == "http" else _as_http(scope), used=used)
        if session is None:
            return None
        account = self._policy.book().accounts.get(session.name)
        if account is None or account.version != session.account:
            return None
        return self._policy.book().person(session.name)

    def _session(self, request: Request, *, used: bool) -> Session | None:
        return self._sessions.find(request.cookies.get(cookie_name(request.scope), ""), used=used)

    # -- the pages of signing in -------------------------------------------------------------

    async def _own(self, request: Request) -> Response | None:
        """Answer the addresses that are not the app's."""
        answer = LOGIN_ROUTES.get((request.method, request.url.path))
        if answer is None:
            return None
        with speaking_to(request.headers):
            return _private(await answer(self, request))

    async def _login_form(self, request: Request) -> Response:
        to = _inside(request.query_params.get("to", "/"))
        if self._signed_in(request.scope) is not None:
            return RedirectResponse(to, 303)
        return self._form_page(to)

    def _form_page(self, to: str, text: str = "", name: str = "", status: int = 200) -> Response:
        settings = self._policy.settings.accounts
        elsewhere = (settings.openid_label or "OpenID") if settings.openid_metadata else ""
        return HTMLResponse(login_page(to, text, name, elsewhere), status)

    async def _login(self, request: Request) -> Response:
        form = await _form(request)
        to, name = _inside(form.get("to", "/")), plain_name(form.get("name", ""))
        person, message, status = await self._checked(request, name, form.get("password", ""))
        if person is None:
            return self._form_page(to, message, form.get("name", "")[:64], status)
        return self._let_in(request, person, to)

    def _let_in(self, request: Request, person: Person, to: str) -> RedirectResponse:
        self._sessions.close(request.cookies.get(cookie_name(request.scope), ""))
        account = self._policy.book().accounts.get(person.name)
        token = self._sessions.open(person.name, account.version if account else "")
        reply = RedirectResponse(to, 303)
        self._set_cookie(reply, request.scope, token)
        return reply

    async def _to_provider(self, request: Request) -> Response:
        to = _inside(request.query_params.get("to", "/"))
        if self._openid is None:
            return RedirectResponse("/login", 303)
        try:
            return await self._openid.begin(request, to)
        except AccountError as error:
            return self._form_page(to, _explained(error), status=502)

    async def _from_provider(self, request: Request) -> Response:
        if self._openid is None:
            return RedirectResponse("/login", 303)
        try:
            person, to = await self._openid.finish(request)
        except AccountError as error:
            return self._form_page("/", _explained(error), status=403)
        return begun_over(self._let_in(request, person, to))

    async def _logout(self, request: Request) -> Response:
        self._sessions.close(request.cookies.get(cookie_name(request.scope), ""))
        reply = RedirectResponse("/login", 303)
        reply.delete_cookie(cookie_name(request.scope), path="/", httponly=True, samesite="strict")
        return reply

    async def _account(self, request: Request) -> Response:
        person = self._signed_in(request.scope)
        return (
            RedirectResponse("/login?to=/account", 303)
            if person is None
            else HTMLResponse(account_page(person, password=self._has_password(person)))
        )

    def _has_password(self, person: Person) -> bool:
        return bool(self._policy.book().accounts[person.name].password)

    async def _new_password(self, request: Request) -> Response:
        person = self._signed_in(request.scope)
        if person is None:
            return RedirectResponse("/login?to=/account", 303)
        form = await _form(request)
        known, message, _ = await self._checked(request, person.name, form.get("password", ""))
        if known is None:
            return HTMLResponse(account_page(person, message), 403)
        try:
            await run_in_threadpool(self._policy.file.set_password, person.name, form.get("new", ""))
        except StrataError as error:
            return HTMLResponse(account_page(person, _explained(error)), 400)
        self._sessions.close_all(person.name)
        return self._let_in(request, person, "/")

    async def _checked(self, request: Request, name: str, password: str) -> tuple[Person | None, str, int]:
        """Return whose name and password these are, or what to say, with the status of the reply."""
        address = sender(request.client.host if request.client else "")
        async with self._checking:  # guesses sent at once wait their turn, and then count each other
            if wait := max(self._by_name.wait(name), self._by_address.wait(address)):
                message = plain("Too many wrong guesses. Wait {seconds} seconds.", seconds=f"{wait + 1:.0f}")
                return None, message, 429
            person = await run_in_threadpool(self._policy.file.verify, name, password)
            if person is None:
                self._by_name.wrong(name)
                self._by_address.wrong(address)
                return None, plain("Name and password do not belong together."), 403
            self._by_name.right(name)
        return person, "", 200

    def _set_cookie(self, reply: Response, scope: Scope, token: str) -> None:
        reply.set_cookie(
            cookie_name(scope),
            token,
            max_age=int(self._policy.settings.accounts.longest_hours * 3600),
            path="/",
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] in ("https", "wss"),
        )


LOGIN_ROUTES: dict[tuple[str, str], Answer] = {
    ("GET", "/login"): SignIn._login_form,
    ("POST", "/login"): SignIn._login,
    ("GET", BEGIN): SignIn._to_provider,
    ("GET", CALLBACK): SignIn._from_provider,
    ("GET", "/account"): SignIn._account,
    ("POST", "/account"): SignIn._new_password,
    ("POST", "/logout"): SignIn._logout,
}


def cookie_name(scope: Scope) -> str:
    """Return the name of the session's cookie. Cookies know no ports, so it names it."""
    host = Headers(scope=scope).get("host", "")
    port = host.rpartition(":")[2] if host.rpartition(":")[2].isdigit() else ""
    return f"{COOKIE}_{port}" if port else COOKIE


async def refuse(reason: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a sentence; a WebSocket is closed before it opens, which is HTTP 403."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason[:120]})
    else:
        await _private(PlainTextResponse(f"{reason}\n", status))(scope, receive, send)


def _private(reply: Response) -> Response:
    reply.headers["Cache-Control"] = "no-store"
    return reply


def _address(scope: Scope) -> str:
    query = scope.get("query_string", b"").decode("latin-1")
    return _inside(quote(scope["path"]) + (f"?{query}" if query else ""))


def _explained(error: StrataError) -> str:
    return f"{translated_plain(str(error))} {translated_plain(error.hint)}".strip()


def _inside(address: str) -> str:
    """Return an address of this app; whatever leads elsewhere becomes the first page."""
    ours = address.isprintable() and "\\" not in address and address.startswith("/")
    return address if ours and not address.startswith("//") else "/"


def _as_http(scope: Scope) -> Request:
    return Request({**scope, "type": "http", "method": "GET"})


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form; of one that is too long, none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_FORM:
            return {}
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=10)
    return {name: values[-1] for name, values in fields.items()}
