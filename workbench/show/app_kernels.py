"""An app's kernels: each is the visitor's whose page started it, and no code goes in and no source or traceback out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager

SENT: Final = frozenset(
    "status comm_open comm_msg comm_close display_data update_display_data clear_output "
    "kernel_info_reply comm_info_reply shutdown_reply".split()
)
"""The kinds of messages that leave a kernel; not among them: execute_input (source), stream and error (tracebacks)."""

TAKEN: Final = frozenset({"comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"})
"""The kinds of messages that a kernel takes from a browser."""

TARGETS: Final = frozenset({"jupyter.widget.control"})
"""The channels that a browser may open; "jupyter.widget" itself would make widgets of its choice in the kernel."""


class Kernels(AsyncMappingKernelManager):
    """Kernels that know whose they are: the visitor's whose page started them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self.owners: dict[str, str] = {}

    async def start_for(self, visitor: str, **options: Any) -> str:
        """Start a kernel for this visitor."""
        name = str(await self.start_kernel(**options))
        self.owners[name] = visitor
        return name

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel, and whose it was."""
        self.owners.pop(kernel_id, None)
        return super().remove_kernel(kernel_id)


class Started:
    """The kernels as one page's handler sees them: what it starts is its visitor's."""

    def __init__(self, kernels: Any, visitor: str) -> None:
        self._kernels, self._visitor = kernels, visitor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernels, name)

    def __len__(self) -> int:
        return len(self._kernels)

    async def start_kernel(self, **options: Any) -> str:
        """Start a kernel for the visitor of this page."""
        return str(await self._kernels.start_for(self._visitor, **options))


class Narrow(ZMQChannelsWebsocketConnection):
    """The way between a browser and a kernel: comm messages, and what the page needs to know that it is there."""

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Pass on a comm message; nothing else."""
        kind, content = self._of_browser(incoming_msg)
        if kind in TAKEN and (kind != "comm_open" or content.get("target_name") in TARGETS):
            super().handle_incoming_message(incoming_msg)

    def handle_outgoing_message(self, stream: Any, outgoing_msg: list[Any]) -> None:
        """Pass on a message that carries neither source nor streams nor tracebacks."""
        _, parts = self.session.feed_identities(outgoing_msg)
        if self.session.unpack(parts[1])["msg_type"] in SENT:
            super().handle_outgoing_message(stream, outgoing_msg)

    def _of_browser(self, message: Any) -> tuple[object, Mapping[str, object]]:
        """Kind and content of a message; only the protocol that Voilà's page speaks is read."""
        if self.subprotocol != "v1.kernel.websocket.jupyter.org" or not isinstance(message, bytes):
            return None, {}
        try:
            offsets = [int.from_bytes(message[8 * n : 8 * n + 8], "little") for n in range(1, message[0] + 1)]
            header, content = (json.loads(message[offsets[n] : offsets[n + 1]]) for n in (1, 4))
            return header["msg_type"], dict(content)
        except (ValueError, IndexError, KeyError, TypeError):
            return None, {}
