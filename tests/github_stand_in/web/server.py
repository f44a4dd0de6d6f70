"""The HTTP server: HTTP/1.1 with keep-alive, buffered writes, no Nagle, bounded bodies."""

import contextlib
import re
import socket
import sys
import traceback
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.github_stand_in.web.messages import Request, Response

MAX_BODY = 4 * 1024 * 1024
_LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
Application = Callable[[Request], Response]


class StandInServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], hosts: set[str]) -> None:
        super().__init__(address, Handler)
        self.hosts = _LOOPBACK | {address[0]} | hosts
        self.application: Application | None = None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are no news."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "github.com"
    sys_version = ""
    wbufsize = -1
    disable_nagle_algorithm = True
    timeout = 120
    server: StandInServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _serve(self) -> None:
        body = self._read_body()
        if body is None:
            return
        parts = urllib.parse.urlsplit(self.path)
        request = Request(
            "GET" if self.command == "HEAD" else self.command,
            urllib.parse.unquote(parts.path),
            dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            body,
        )
        if re.sub(r":\d+$", "", request.header("host")) not in self.server.hosts:
            self._write(Response(421, b"This stand-in answers on its own address only."))
        elif self.server.application is not None:
            self._write(self._answer(self.server.application, request))

    def _answer(self, application: Application, request: Request) -> Response:
        """What went wrong in here is told on stderr, and the client sees a 500."""
        try:
            return application(request)
        except Exception:
            traceback.print_exc()
            return Response(500, b'{"message":"Server Error"}', {"Content-Type": "application/json"})

    do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815 - the base class calls them so

    def _read_body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if self.headers.get("Transfer-Encoding") or not length.isdecimal() or len(length) > 12:
            self._refuse(411, b"Length Required")
            return None
        if int(length) > MAX_BODY:
            self._refuse(413, b"Payload Too Large")
            return None
        return self.rfile.read(int(length))

    def _refuse(self, status: int, text: bytes) -> None:
        self.close_connection = True
        self._write(Response(status, text, {"Connection": "close"}))

    def _write(self, response: Response) -> None:
        if response.drop_connection:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status not in (204, 304):
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD" and response.status not in (204, 304):
            self.wfile.write(response.body)
