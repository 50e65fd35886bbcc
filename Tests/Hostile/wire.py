"""Bytes that no client library sends."""

import base64
import http.client
import json
import os
import re
import socket
import struct
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlsplit

from processes import TIMEOUT


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def json(self):
        return json.loads(self.content)

    def __str__(self):
        return f"{self.status} {self.content[:600].decode(errors='replace')}"


def ask(server, path, method="GET", body=None, token=None, **headers):
    """A valid request."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=TIMEOUT)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())


def ask_all(server, paths):
    """The answers to many GETs on one connection."""
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=TIMEOUT)) as connection:
        for path in paths:
            connection.request("GET", path)
            answer = connection.getresponse()
            yield path, Answer(answer.status, answer.headers, answer.read())


def connect(server):
    place = urlsplit(server.url)
    return socket.create_connection((place.hostname, place.port), TIMEOUT)


def read_all(peer, stop=None):
    """The bytes until the peer closes, or until `stop` arrives."""
    received = b""
    try:
        while stop is None or stop not in received:
            piece = peer.recv(65536)
            if not piece:
                break
            received += piece
    except ConnectionError:
        pass
    return received


def exchange(server, *pieces, answers=1):
    """Sends pieces on one connection. Returns once this many responses are complete, or the server closes."""
    with connect(server) as peer:
        try:
            for piece in pieces:
                peer.sendall(piece)
        except ConnectionError:
            pass
        received = b""
        while complete(received) < answers:
            try:
                piece = peer.recv(65536)
            except ConnectionError:
                break
            if not piece:
                break
            received += piece
        return received


def complete(received):
    """The number of complete responses."""
    count = 0
    while b"\r\n\r\n" in received:
        head, _, rest = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        size = int(length.group(1)) if length else 0
        if len(rest) < size:
            break
        count += 1
        received = rest[size:]
    return count


def statuses(answer):
    """The statuses of all responses in the server's bytes."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})", answer)]


def head(server, line="GET /healthz HTTP/1.1", *headers, host=None):
    """The head of a request."""
    host = host or urlsplit(server.url).netloc
    return "\r\n".join([line, f"Host: {host}", *headers, "", ""]).encode()


def shake(server, path="/v1/app", protocol="statetape.v1", *headers):
    """An open WebSocket without a library."""
    peer = connect(server)
    key = base64.b64encode(os.urandom(16)).decode()
    peer.sendall(head(
        server, f"GET {path} HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {protocol}", *headers))
    answer = read_all(peer, b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return peer


def frame(content=b"", opcode=2, fin=True, masked=True, rsv=0, length=None):
    """A frame; `length` is the length that it announces."""
    if isinstance(content, str):
        content = content.encode()
    length = len(content) if length is None else length
    mask = b"\x0f\xa5\x3c\x71" if masked else b""
    sign = 0x80 if masked else 0
    size = (bytes([sign | length]) if length < 126 else bytes([sign | 126]) + struct.pack(">H", length)
            if length < 65536 else bytes([sign | 127]) + struct.pack(">Q", length))
    if masked:
        content = bytes(byte ^ mask[index & 3] for index, byte in enumerate(content)) if len(content) < 4096 else (
            int.from_bytes(content, "big") ^ int.from_bytes((mask * (len(content) // 4 + 1))[:len(content)], "big")
        ).to_bytes(len(content), "big")
    return bytes([(0x80 if fin else 0) | rsv << 4 | opcode]) + size + mask + content


def close_frame(code=None, reason=b""):
    return frame(b"" if code is None else struct.pack(">H", code) + reason, opcode=8)


def frames(received):
    """The complete frames in the server's bytes: opcode and content."""
    found = []
    while len(received) >= 2:
        length, start = received[1] & 127, 2
        if length == 126:
            length, start = struct.unpack(">H", received[2:4])[0], 4
        elif length == 127:
            length, start = struct.unpack(">Q", received[2:10])[0], 10
        if len(received) < start + length:
            break
        found.append((received[0] & 15, received[start:start + length]))
        received = received[start + length:]
    return found


def close_code(peer):
    """Reads until a close frame arrives, and returns its code: 1005 without one; None if the connection just ends."""
    received = b""
    while True:
        for opcode, content in frames(received):
            if opcode == 8:
                return struct.unpack(">H", content[:2])[0] if len(content) >= 2 else 1005
        try:
            piece = peer.recv(65536)
        except ConnectionError:
            return None
        if not piece:
            return None
        received += piece
