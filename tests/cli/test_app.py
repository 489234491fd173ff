"""`workbench app` as it is started and asked: who gets a page, whose kernel a page has, and what a kernel takes."""

import asyncio
import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.servers import REPO, started
from workbench.cli import main
from workbench.contract import Actor
from workbench.errors import InputError
from workbench.show.app_kernels import SENT, TAKEN, Narrow
from workbench.show.app_visitors import Declared, Launched, read_actors, read_secret

PUMPS, SEAL = str(REPO / "data" / "pumps"), str(REPO / "data" / "pump-seal")
ACTOR = ("--tenant", "werk-nord", "--groups", "wartung")
SECRET = "only-the-proxy-knows-this"
ACTORS = """
[anna]
tenant = "werk-nord"
groups = ["wartung"]
[otto]
tenant = "werk-sued"
groups = ["besuch"]
"""
PROTOCOL = "v1.kernel.websocket.jupyter.org"
PATIENCE = 90


# --- what is refused before anything is served ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "without knowing who asks"),
        (("--tenant", "werk-nord"), "without knowing who asks"),
        (("--groups", "wartung"), "without knowing who asks"),
        (("--tenant", "werk-nord", "--groups", ","), "names no group"),
        (("--actor-header", "X-Actor"), "without knowing who asks"),
        (("--actor-header", "X-Actor", "--actors", "actors.toml"), "without knowing who asks"),
        (("--actors", "actors.toml", "--secret-file", "secret"), "without knowing who asks"),
        ((*ACTOR, "--actor-header", "X-Actor"), "without knowing who asks"),
        ((*ACTOR, "--actors", "actors.toml", "--secret-file", "secret"), "without knowing who asks"),
        ((*ACTOR, "--port", "70000"), "--port"),
        ((*ACTOR, "--most", "0"), "--most"),
    ],
)
def test_it_refuses_to_start(options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", "search", PUMPS, *options]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_it_reads_the_data_before_it_serves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", "search", str(tmp_path), *ACTOR]) == 2
    assert "documents" in capsys.readouterr().err


@pytest.mark.parametrize(
    "told",
    [
        "",
        "anna = 3",
        "[anna]\ntenant = 'n'",
        "[anna]\ngroups = ['w']",
        "[anna]\ntenant = 'n'\ngroups = 'w'",
        "[anna]\ntenant = 'n'\ngroups = [3]",
        "[anna]\ntenant = 3\ngroups = ['w']",
        "[anna]\ntenant = 'n'\ngroups = ['w']\nacitve = false",
        "[anna]\ntenant = 'n'\ngroups = ['w']\nactive = 'no'",
        "['ännä']\ntenant = 'n'\ngroups = ['w']",
        "[' ']\ntenant = 'n'\ngroups = ['w']",
        "[anna\n",
        "[anna]\ntenant = 'n'\ngroups = ['w']\n[anna]\ntenant = 's'\ngroups = ['w']",
    ],
)
def test_a_file_of_actors_is_exact_or_none(told: str, tmp_path: Path) -> None:
    file = tmp_path / "actors.toml"
    file.write_text(told, encoding="utf-8")
    with pytest.raises(InputError, match=r"actors\.toml"):
        read_actors(file)


def test_a_file_of_actors_is_read(tmp_path: Path) -> None:
    file = tmp_path / "actors.toml"
    file.write_text(ACTORS + "[gone]\ntenant = 'n'\ngroups = ['w']\nactive = false\n", encoding="utf-8")
    assert read_actors(file) == {
        "anna": Actor("werk-nord", {"wartung"}),
        "otto": Actor("werk-sued", {"besuch"}),
        "gone": Actor("n", {"w"}, active=False),
    }


@pytest.mark.parametrize(
    "told", [b"", b"short", b"x" * 15, b"x" * 15 + b"\n", "ü".encode() * 20, b"a\nb" * 20, b"\xff" * 20]
)
def test_a_weak_or_broken_secret_is_refused(told: bytes, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(told)
    with pytest.raises(InputError):
        read_secret(tmp_path / "secret")


def test_a_secret_is_read_without_the_line_s_end(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    assert read_secret(tmp_path / "secret") == SECRET


def asked(**headers: list[str]) -> object:
    app = Declared("actor", "secret", SECRET, {"anna": Actor("werk-nord", {"wartung"}), "": Actor("n", {"w"})})
    found = app.visitor(lambda name: headers.get(name, []))
    return None if found is None else found.name


def test_a_request_is_somebody_s_with_one_secret_and_one_known_name_only() -> None:
    assert asked(secret=[SECRET], actor=["anna"]) == "anna"
    assert asked(secret=[SECRET]) is None
    assert asked(actor=["anna"]) is None
    assert asked(secret=[""], actor=["anna"]) is None
    assert asked(secret=[SECRET + "x"], actor=["anna"]) is None
    assert asked(secret=[SECRET[:-1] + "ü"], actor=["anna"]) is None
    assert asked(secret=[SECRET, SECRET], actor=["anna"]) is None
    assert asked(secret=[SECRET], actor=["anna", "anna"]) is None
    assert asked(secret=[SECRET], actor=["anna,anna"]) is None
    assert asked(secret=[SECRET], actor=["Anna"]) is None


def test_secrets_do_not_stand_in_a_log() -> None:
    assert SECRET not in repr(Declared("a", "s", SECRET, {}))
    assert "token" not in repr(Launched(Actor("n", {"w"}), "a-token"))


def test_no_message_with_code_is_on_either_list() -> None:
    coded = {"execute_request", "execute_input", "execute_reply", "stream", "error", "history_request", "input_reply"}
    assert not coded & (SENT | TAKEN)


def test_only_what_a_page_needs_leaves_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel prints or fails, no word of it reaches the browser."""
    passed: list[str] = []

    def pass_on(connection: Narrow, stream: str, parts: list[bytes]) -> None:
        passed.append(connection.session.deserialize(connection.session.feed_identities(parts)[1])["msg_type"])

    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "handle_outgoing_message", pass_on)
    connection = Narrow.__new__(Narrow)
    connection.session = Session(key=b"")
    kinds = [
        "comm_msg",
        "stream",
        "error",
        "execute_input",
        "execute_result",
        "execute_reply",
        "status",
        "input_request",
    ]
    for kind in kinds:
        connection.handle_outgoing_message("iopub", connection.session.serialize(connection.session.msg(kind, {})))
    assert passed == ["comm_msg", "status"]


# --- what is served -------------------------------------------------------------------------------------------------


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def get(url: str, *, method: str = "GET", **headers: str) -> tuple[int, str, Mapping[str, str]]:
    request = urllib.request.Request(url, headers={k.replace("_", "-"): v for k, v in headers.items()}, method=method)
    try:
        with HTTP.open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode(), refused.headers


def kernel_of(page: str) -> str:
    (found,) = re.findall(r'"kernelId": "([0-9a-f-]{36})"', page)
    return found


@pytest.fixture(scope="module")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app for one actor: its address with the token."""
    place = tmp_path_factory.mktemp("launched")
    with started(place, "app", "search", PUMPS, SEAL, *ACTOR, "--port=0", package=REPO) as address:
        yield address


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app behind a proxy, which this test plays."""
    place = tmp_path_factory.mktemp("proxied")
    (place / "actors.toml").write_text(ACTORS, encoding="utf-8")
    (place / "secret").write_text(SECRET)
    options = ("--actor-header=X-Actor", "--actors=actors.toml", "--secret-file=secret", "--port=0", "--most=3")
    with started(place, "app", "search", PUMPS, SEAL, *options, package=REPO) as address:
        yield address


def test_a_page_is_for_whoever_has_the_token(launched: str) -> None:
    base, token = launched.split("?token=")
    assert base.startswith("http://127.0.0.1:")
    for url in (base, f"{base}?token=", f"{base}?token={token[:-1]}", f"{base}voila/static/voila.js", f"{base}api"):
        status, page, _ = get(url)
        assert (status, "This app does not know you" in page) == (403, True), url
        assert "kernelId" not in page

    status, _, headers = get(launched)
    cookie = headers["Set-Cookie"]
    assert (status, headers["Location"]) == (302, "/")
    assert {"HttpOnly", "SameSite=Lax"} <= set(cookie.replace(" ", "").split(";"))
    kept = cookie.split(";")[0]

    status, page, headers = get(base, Cookie=kept)
    assert status == 200
    assert "connect-src 'self'" in headers["Content-Security-Policy"]
    assert "app_page" not in page  # the code
    assert "Traceback" not in page
    assert not re.search(r"(?:src|href)=\"https?:", page)

    assert get(f"{base}app.ipynb", Cookie=kept)[0] == 404
    assert get(f"{base}voila/files/app.ipynb", Cookie=kept)[0] == 404
    assert get(f"{base}voila/tree", Cookie=kept)[0] == 404
    assert get(f"{base}login", Cookie=kept)[0] == 404
    # A name of somebody else's that leads here (DNS rebinding) does not open the app.
    assert get(base, Cookie=kept, Host="evil.example")[0] == 403


def test_a_page_is_for_whom_the_proxy_vouches_for(proxied: str) -> None:
    assert "token" not in proxied
    for headers in (
        {},
        {"X_Actor": "anna"},
        {"X_Actor": "anna", "X_Workbench_Secret": "guessed"},
        {"X_Actor": "anna", "X_Workbench_Secret": ""},
        {"X_Workbench_Secret": SECRET},
        {"X_Actor": "nobody", "X_Workbench_Secret": SECRET},
        {"X_Actor": "werk-nord", "X_Workbench_Secret": SECRET},
        {"Cookie": f"X-Actor=anna; X-Workbench-Secret={SECRET}"},
    ):
        status, page, _ = get(proxied, **headers)
        assert (status, "kernelId" in page) == (403, False), headers
    assert get(f"{proxied}?X-Actor=anna&X-Workbench-Secret={SECRET}&token={SECRET}")[0] == 403


def sent_as(name: str) -> dict[str, str]:
    return {"X-Actor": name, "X-Workbench-Secret": SECRET}


def message(kind: str, content: object, channel: str = "shell") -> tuple[str, bytes]:
    """A message as a browser's page sends it; gives its id too."""
    name = uuid4().hex
    now = datetime.now(UTC).isoformat()
    header = {"msg_id": name, "msg_type": kind, "username": "", "session": "s", "date": now, "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, {}, {}, content)]
    return name, serialize_msg_to_ws_v1(parts, channel)


async def channels(base: str, kernel: str, headers: Mapping[str, str], **more: str) -> WebSocketClientConnection:
    url = f"{base.replace('http', 'ws', 1)}api/kernels/{kernel}/channels?session_id=s"
    return await websocket_connect(HTTPRequest(url, headers={**headers, **more}), subprotocols=[PROTOCOL])


async def until_reply(socket: WebSocketClientConnection, to: str) -> list[str]:
    """The kinds of the messages that come until the reply to one."""
    kinds = []
    while True:
        got = await asyncio.wait_for(socket.read_message(), PATIENCE)
        assert isinstance(got, bytes)
        _, parts = deserialize_msg_from_ws_v1(got)
        kinds.append(json.loads(parts[0])["msg_type"])
        if json.loads(parts[1]).get("msg_id") == to and kinds[-1].endswith("_reply"):
            return kinds


async def attack(base: str, kernel: str, headers: Mapping[str, str], mark: Path) -> list[str]:
    """Tries to run code in a kernel, in each way that has a message; gives the kinds of all that comes back."""
    socket = await channels(base, kernel, headers)
    code = f"open({str(mark)!r}, 'w')"
    run = {"code": code, "silent": False, "store_history": True, "user_expressions": {"x": code}, "allow_stdin": False}
    for channel in ("shell", "control"):
        await socket.write_message(message("execute_request", run, channel)[1], binary=True)
        await socket.write_message(message("debug_request", {"command": "evaluate"}, channel)[1], binary=True)
        await socket.write_message(
            message("history_request", {"hist_access_type": "tail", "n": 9}, channel)[1], binary=True
        )
    opened = {"comm_id": "c", "target_name": "jupyter.widget", "data": {"state": {}}}
    await socket.write_message(message("comm_open", opened)[1], binary=True)
    await socket.write_message(json.dumps({"header": {"msg_type": "execute_request"}, "channel": "shell"}))
    await socket.write_message(b"\xff" * 40, binary=True)
    name, asked_for = message("comm_info_request", {"target_name": "jupyter.widget"})
    await socket.write_message(asked_for, binary=True)
    kinds = await until_reply(socket, name)
    socket.close()
    while await socket.read_message() is not None:
        pass
    return kinds


async def refused(base: str, kernel: str, headers: Mapping[str, str], **more: str) -> int:
    with pytest.raises(HTTPClientError) as found:
        await channels(base, kernel, headers, **more)
    return found.value.code


def test_a_kernel_takes_no_code_and_only_its_visitor_s_messages(proxied: str, tmp_path: Path) -> None:
    _, page, _ = get(proxied, **sent_as("anna"))
    anna = kernel_of(page)
    status, other, _ = get(proxied, **sent_as("otto"))
    assert status == 200
    otto = kernel_of(other)
    assert anna != otto

    mark = tmp_path / "executed"
    kinds = asyncio.run(attack(proxied, anna, sent_as("anna"), mark))
    assert set(kinds) <= {"status", "comm_info_reply"}
    assert not mark.exists()

    for kernel, who in ((anna, sent_as("otto")), (otto, sent_as("anna")), (anna, {}), (anna, {"X-Actor": "anna"})):
        assert asyncio.run(refused(proxied, kernel, who)) == 403
        assert get(f"{proxied}api/kernels/{kernel}", **who)[0] == 403
        assert get(f"{proxied}voila/api/shutdown/{kernel}", method="POST", **who)[0] == 403
        assert get(f"{proxied}api/kernels/{kernel}", method="DELETE", **who)[0] == 403
    assert asyncio.run(refused(proxied, str(uuid4()), sent_as("anna"))) == 403
    assert asyncio.run(refused(proxied, anna, sent_as("anna"), Origin="https://evil.example")) == 403
    assert get(f"{proxied}api/kernels/{anna}", **sent_as("anna"))[0] == 200

    assert get(proxied, **sent_as("anna"))[0] == 200
    status, page, _ = get(proxied, **sent_as("anna"))
    assert (status, "All places are taken" in page) == (503, True)  # --most=3
