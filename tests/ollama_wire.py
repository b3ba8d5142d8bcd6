"""How bytes leave the double: whole, streamed, cut anywhere, broken off."""

import select
import socket
import struct
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, cast

from tests.ollama_protocol import Fault, go_json

if TYPE_CHECKING:
    from tests.ollama_double import OllamaDouble, Server

Body = dict[str, Any]


class Gone(Exception):
    """The client hung up, or the double shuts down."""


class Wire(BaseHTTPRequestHandler):
    """Writes what the routes decide."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.double: OllamaDouble = cast("Server", self.server).double

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _json(self, status: int, value: object) -> None:
        self._whole(status, "application/json; charset=utf-8", go_json(value))

    def _text(self, status: int, text: str) -> None:
        self._whole(status, "text/plain; charset=utf-8", text.encode())

    def _whole(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, parts: Iterator[Body], fault: Fault | None, gap: float = 0.0) -> None:
        self._watch()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for count, part in enumerate(parts):
            last = bool(part.get("done"))
            if fault and (last or count == fault.after) and self._breaks(fault, last):
                break
            self._line(go_json(part))
            self._pause(gap)
        self.wfile.write(b"0\r\n\r\n")

    def _breaks(self, fault: Fault, last: bool) -> bool:
        """Let the fault happen here; say whether the stream ends with it."""
        match fault.kind:
            case "error_mid_stream":
                statement = "an error was encountered while running the model: unexpected EOF"
                self._line(go_json({"error": statement}))
                return True
            case "no_done":
                return True
            case "garbage":
                self._line(b"<html><body>502 Bad Gateway</body></html>")
                return True
            case "stall":
                self._pause(fault.seconds)
            case "reset":
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                raise Gone
        return False

    def _line(self, data: bytes) -> None:
        for piece in self.double.cut(data + b"\n"):
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    def _pause(self, seconds: float) -> None:
        """Wait, but not for a client that is gone. Raises Gone."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._watch()
            time.sleep(min(0.02, left))

    def _watch(self) -> None:
        if self.double.closing.is_set():
            raise Gone
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise Gone
