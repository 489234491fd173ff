"""Voilà, narrowed to one app: each request is somebody's, each kernel its visitor's, no code goes in or out.

Voilà's own settings already keep ``execute_request`` from a kernel. Here every handler asks first who the request is
of; handlers that an app does not need (files, logins) are not there; a kernel's messages that would carry source,
output streams or tracebacks to the browser are dropped; and only the visitor whose page started a kernel reaches it.
Sources: Voilà 0.5; Jupyter's messaging protocol 5.4.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import HTTPError
from traitlets.config import Config
from voila.app import Voila
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import AllowListFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from workbench.errors import InputError
from workbench.show.app_gate import Entrance, Gate, Guarded, Identity, Owned, Starting
from workbench.show.app_kernels import Kernels, Narrow
from workbench.show.app_template import write_files
from workbench.show.app_visitors import Declared, Launched
from workbench.show.lab import EXTENSIONS

IDLE_SECONDS: Final = 600
"""A kernel whose page has gone is stopped after so long."""

WARMING_SECONDS: Final = 60
"""So long the first page may take."""


@dataclass(frozen=True, slots=True)
class App:
    """One app: which panel over which data, who may see it, and how many at once."""

    kind: str
    places: Mapping[str, str]
    who: Launched | Declared
    host: str = "127.0.0.1"
    port: int = 0
    most: int = 20


class Server(Voila):  # type: ignore[misc]  # Voilà has no types
    """Voilà for one app; the user's own Voilà configuration is not read."""

    served: App
    gate: Gate
    told: Callable[[str], None]

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """Nothing: a file must not switch tracebacks on or listen elsewhere."""

    def setup_template_dirs(self) -> None:
        """The app's own template first."""
        super().setup_template_dirs()
        found: list[str] = self.template_paths  # type: ignore[has-type]  # Voilà sets it in the line above
        self.template_paths = [str(Path(self.root_dir) / "templates"), *found]

    def init_settings(self) -> dict[str, Any]:
        """Voilà's settings with the gate, and without its leave for any name of this host."""
        behind = isinstance(self.served.who, Declared)
        local = self.served.host in ("127.0.0.1", "::1", "localhost")
        more = {"gate": self.gate, "app": self.served, "allow_remote_access": behind or not local}
        # The one request that changes anything stops a kernel, by a random name that only its own page knows.
        return {**super().init_settings(), **more, "disable_check_xsrf": True}

    def init_handlers(self) -> list[Any]:
        """Voilà's handlers for the page, its static files and the kernels' channels, each behind the gate."""
        found = []
        for pattern, handler, *options in super().init_handlers():
            if handler is AllowListFileHandler:
                continue
            before: tuple[type, ...] = (Guarded,)
            if handler in (KernelHandler, VoilaKernelWebsocketHandler, VoilaShutdownKernelHandler):
                before = (Owned, Guarded)
            elif handler is TornadoVoilaHandler:
                before = (Guarded, Entrance, Starting)
            found.append((pattern, type(handler.__name__, (*before, handler), {}), *options))
        return found

    def listen(self) -> None:
        """Listen on exactly the address that was asked for, say it, and stay."""
        try:
            sockets = bind_sockets(self.served.port, self.served.host)
        except OSError as error:
            place = f"{self.served.host}:{self.served.port}"
            raise InputError(f"cannot listen on {place}: {error.strerror}", remedy="choose another --port") from None
        self.port = sockets[0].getsockname()[1]
        HTTPServer(self.app).add_sockets(sockets)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self._warm)
        try:
            self.ioloop.start()
        finally:
            self.stop()

    async def _warm(self) -> None:
        """Ask for the page once before anybody else does, then say where it is.

        The first page after a start was seen to stall in Voilà; the second was not. It is the slowest one, too.
        """
        who = self.served.who
        request = HTTPRequest(self.base, request_timeout=WARMING_SECONDS, follow_redirects=False)
        if isinstance(who, Launched):
            request.headers.add("Cookie", f"{self.gate.cookie}={who.token}")
        else:
            request.headers.add(who.secret_header, who.secret)
            request.headers.add(who.header, next(iter(who.actors)))
        try:
            await AsyncHTTPClient().fetch(request)
        except (HTTPClientError, OSError) as error:
            self.log.warning("the page could not be made in advance: %s", error)
        await self.kernel_manager.shutdown_all(now=True)
        self.told(self.address)

    @property
    def base(self) -> str:
        """Where the app is, without what lets a visitor in."""
        host = f"[{self.served.host}]" if ":" in self.served.host else self.served.host
        return f"http://{host}:{self.port}/"

    @property
    def address(self) -> str:
        """Where a visitor finds the app."""
        return self.base + (f"?token={self.served.who.token}" if isinstance(self.served.who, Launched) else "")


def serve(app: App, *, told: Callable[[str], None]) -> None:
    """Serve the app until it is stopped; ``told`` gets its address once it listens.

    Raises InputError where it cannot listen there. Contract 4.10.
    """
    gate = Gate(app.who)

    def written(handler: Any, notebook: Any, **_: Any) -> Any:
        visitor = gate.visitor(handler.request)
        if visitor is None:
            raise HTTPError(403)
        actor = {"tenant": visitor.actor.tenant, "groups": sorted(visitor.actor.groups), "active": visitor.actor.active}
        order = json.dumps({"kind": app.kind, "places": dict(app.places), **actor})
        notebook.cells[-1].source = f"from workbench.show.app_page import page\npage({order!r})"
        return notebook

    with TemporaryDirectory(prefix="workbench-app-") as folder:
        notebook = write_files(Path(folder), app.kind)
        settings = Config()
        settings.VoilaConfiguration.update(
            prelaunch_hook=written,
            show_tracebacks=False,
            strip_sources=True,
            allow_template_override="NO",
            allow_theme_override="NO",
            extension_allowlist=[
                "@jupyter-widgets/jupyterlab-manager",
                "@voila-dashboards/widgets-manager8",
                "workbench-names",
            ],
            extra_labextensions_path=[str(EXTENSIONS)],
            multi_kernel_manager_class=Kernels,
        )
        settings.Voila.update(
            notebook_path=str(notebook),
            root_dir=folder,
            connection_dir_root=folder,
            identity_provider_class=Identity,
            kernel_websocket_connection_class=Narrow,
            open_browser=False,
            log_level=logging.WARNING,
        )
        settings.Kernels.update(cull_idle_timeout=IDLE_SECONDS, cull_interval=60, cull_connected=False)
        server = Server(config=settings)
        server.served, server.gate, server.told = app, gate, told
        server.initialize([])
        server.start()
