"""Put before Voilà's handlers: who a request is of, and that nobody gets a page or a kernel that is not theirs."""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie
from inspect import isawaitable
from typing import Any, Final

from jupyter_server.auth.identity import IdentityProvider, User
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError

from workbench.show.app_kernels import Started
from workbench.show.app_template import refusal
from workbench.show.app_visitors import Declared, Launched, Visitor

POLICY: Final = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the browser may load: nothing from elsewhere, whatever stands on the page."""


class Gate:
    """Who a request is of."""

    def __init__(self, who: Launched | Declared) -> None:
        self.who = who
        self.cookie = f"workbench-app-{secrets.token_hex(4)}"

    def visitor(self, request: HTTPServerRequest) -> Visitor | None:
        """The visitor, by what the proxy vouches for or by the token in the address or the cookie."""
        if isinstance(self.who, Declared):
            return self.who.visitor(request.headers.get_list)
        kept = SimpleCookie(request.headers.get("Cookie", "")).get(self.cookie)
        tokens = [*self.said(request), *([kept.value] if kept else [])]
        return next((found for token in tokens if (found := self.who.visitor(token))), None)

    def said(self, request: HTTPServerRequest) -> list[str]:
        """The tokens in the request's address."""
        return [token.decode("utf-8", "replace") for token in request.query_arguments.get("token", [])]


class Guarded:
    """Put before every handler: without a visitor there is no answer, and a refusal says nothing of the server."""

    settings: dict[str, Any]
    request: HTTPServerRequest

    async def prepare(self) -> None:
        """Raises HTTPError 403 for a request that is nobody's."""
        if self.settings["gate"].visitor(self.request) is None:
            raise HTTPError(403)
        done = super().prepare()  # type: ignore[misc]  # of the handler behind
        if isawaitable(done):
            await done

    def write_error(self, status_code: int, **_: Any) -> None:
        """The page of a refusal."""
        self.set_header("Content-Type", "text/html; charset=utf-8")  # type: ignore[attr-defined]
        self.set_header("Content-Security-Policy", POLICY)  # type: ignore[attr-defined]
        self.finish(refusal(status_code))  # type: ignore[attr-defined]

    @property
    def content_security_policy(self) -> str:
        """The policy that Jupyter's handlers send."""
        return POLICY


class Entrance:
    """Put before the page: keeps the token of the address in a cookie and leads to the address without it."""

    async def get(self, path: str = "") -> None:
        """The page; 404 for any other path, and 503 when all places are taken."""
        here: Any = self
        gate, app = here.settings["gate"], here.settings["app"]
        if path:
            raise HTTPError(404)
        if gate.said(here.request) and isinstance(gate.who, Launched):
            here.set_cookie(gate.cookie, gate.who.token, httponly=True, samesite="Lax", path="/")
            here.redirect("/")
            return
        if len(here.kernel_manager) >= app.most:
            raise HTTPError(503)
        await super().get(None)  # type: ignore[misc]  # Voilà's page


class Identity(IdentityProvider):
    """Tells Jupyter's handlers who the visitor is; there is no login."""

    def get_user(self, handler: Any) -> User | None:
        """The visitor's name as Jupyter's user."""
        found = handler.settings["gate"].visitor(handler.request)
        return None if found is None else User(username=found.name)

    def get_handlers(self) -> list[Any]:
        """No pages for a login or logout."""
        return []

    @property
    def auth_enabled(self) -> bool:
        """Always."""
        return True


class Owned:
    """Put before handlers that name a kernel in their path: only its visitor's requests get through."""

    async def prepare(self) -> None:
        """Raises HTTPError 403 for somebody else's kernel, and for one that is not there."""
        here: Any = self
        await super().prepare()  # type: ignore[misc]
        named: list[str] = [*here.path_args, *here.path_kwargs.values()]
        owner = here.settings["kernel_manager"].owners.get(named[0])
        if owner is None or here.current_user is None or here.current_user.username != owner:
            raise HTTPError(403)


class Starting:
    """Put before the page's handler: it starts kernels that are its visitor's."""

    @property
    def kernel_manager(self) -> Started:
        """The kernels, seen by this request."""
        here: Any = self
        return Started(here.settings["kernel_manager"], here.current_user.username)
