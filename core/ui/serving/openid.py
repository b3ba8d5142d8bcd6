"""Signing in at an OpenID Connect provider: authorization code flow with PKCE, by Authlib.

It is the same library that Streamlit's `st.login` uses. It stands here, before Streamlit, because
`st.login` needs the app's page and WebSocket to be served to people who have not signed in yet.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.accounts.account_file import AccountFile
from core.accounts.person import Person
from core.accounts.sessions import MAX_SESSIONS
from core.errors import AccountError
from core.settings import AccountSettings

BEGIN, CALLBACK = "/login/openid", "/login/openid/callback"
COOKIE = "strata_openid"
SIGN_IN_SECONDS = 600.0  # seconds somebody may take at the provider
CLIENT = "provider"


class OpenId:
    """The client of one provider. What a sign-in that has begun needs stays on the server."""

    def __init__(self, settings: AccountSettings, file: AccountFile) -> None:
        self._settings, self._file = settings, file
        self._begun: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()
        self._lock = threading.Lock()
        secret = settings.openid_client_secret
        self._client = OAuth().register(
            CLIENT,
            client_id=settings.openid_client_id,
            client_secret=secret.get_secret_value() if secret else None,
            server_metadata_url=settings.openid_metadata,
            client_kwargs={
                "scope": settings.openid_scope,
                "code_challenge_method": "S256",
                "timeout": 10.0,
                "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
            },
        )

    async def begin(self, request: Request, to: str) -> Response:
        """Return the redirect to the provider. Raises AccountError if it cannot be reached."""
        token, state = secrets.token_urlsafe(32), {"to": to}
        request.scope["session"] = state
        here = (self._settings.openid_address or str(request.base_url)).rstrip("/")
        try:
            reply: Response = await self._client.authorize_redirect(request, f"{here}{CALLBACK}")
        except Exception as error:  # whatever a foreign server may answer
            raise _unreachable(error) from error
        with self._lock:
            self._begun[token] = (time.monotonic() + SIGN_IN_SECONDS, state)
            while len(self._begun) > MAX_SESSIONS:
                self._begun.popitem(last=False)
        reply.set_cookie(
            COOKIE,
            token,
            max_age=int(SIGN_IN_SECONDS),
            path=BEGIN,
            httponly=True,
            samesite="lax",  # the provider sends people back from another site
            secure=here.startswith("https:"),
        )
        return reply

    async def finish(self, request: Request) -> tuple[Person, str]:
        """Return who came back from the provider, and the address they wanted. Raises AccountError."""
        with self._lock:
            ends, state = self._begun.pop(request.cookies.get(COOKIE, ""), (0.0, {}))
        if ends < time.monotonic():
            raise AccountError("Signing in took too long, or began in another browser. Begin again.")
        request.scope["session"] = state
        try:
            token = await self._client.authorize_access_token(request)
            claims = token.get("userinfo") or {}
            if self._settings.openid_claim not in claims and claims.get("sub"):
                more = await self._client.userinfo(token=token)
                claims = {**more, **claims} if more.get("sub") == claims["sub"] else claims
        except (OAuthError, JoseError) as error:
            raise AccountError(f"The provider did not sign you in: {str(error)[:200]}") from error
        except Exception as error:  # whatever a foreign server may answer
            raise _unreachable(error) from error
        return self._person(claims), str(state.get("to", "/"))

    def _person(self, claims: Mapping[str, Any]) -> Person:
        """Return the person of verified claims. Raises AccountError for somebody who has no account."""
        settings, wanted = self._settings, self._settings.openid_claim
        name, subject = claims.get(wanted), claims.get("sub")
        if not isinstance(name, str) or not name or not isinstance(subject, str) or not subject:
            raise AccountError(f"The provider does not say who you are (claim {wanted}).")
        if wanted == "email" and claims.get("email_verified") is not True:
            raise AccountError("The provider has not verified your e-mail address.")
        groups = claims.get(settings.openid_groups) if settings.openid_groups else None
        return self._file.sign_in_elsewhere(
            name,
            f"{claims.get('iss', '')} {subject}",
            groups=[str(each) for each in groups] if isinstance(groups, list) else None,
            role=settings.openid_role,
        )


def begun_over(reply: RedirectResponse) -> RedirectResponse:
    """Take the cookie of a sign-in that has ended off the browser."""
    reply.delete_cookie(COOKIE, path=BEGIN, httponly=True, samesite="lax")
    return reply


def _unreachable(error: Exception) -> AccountError:
    return AccountError(
        f"The sign-in provider does not answer as it should ({type(error).__name__}).",
        hint="Try again; if it stays, whoever runs Strata looks at STRATA_ACCOUNTS__OPENID_METADATA.",
    )
