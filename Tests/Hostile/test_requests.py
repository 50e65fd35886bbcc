"""Invalid requests: smuggled, pipelined, truncated, endless, or not HTTP at all."""

import socket
from urllib.parse import urlsplit

import pytest

from wire import connect, exchange, head, statuses

GOOD = "GET /healthz HTTP/1.1"
POST = "POST /api/v1/login HTTP/1.1"
HELLO = b'{"token":"x"}'


def lines(*parts):
    return "\r\n".join(parts).encode("latin-1")


def answered(target, request, *allowed):
    """One of these answers, and then the end of the connection or nothing more. With `None`, no answer at all."""
    answer = exchange(target, request)
    found = statuses(answer)[:1]
    assert (found[0] if found else None) in allowed, answer[:400]
    if found and found[0] >= 400:
        assert b"<html" not in answer.lower(), answer[:400]


# A request at which the server must stop, since two readers may disagree about the end of its body.
SMUGGLED = {
    "both lengths": lines(POST, "Host: {}", "Content-Length: 13", "Transfer-Encoding: chunked", "", '0\r\n\r\nGET /x'),
    "two lengths": lines(POST, "Host: {}", "Content-Length: 13", "Content-Length: 0", "", '{"token":"x"}'),
    "lengths in a list": lines(POST, "Host: {}", "Content-Length: 13, 13", "", '{"token":"x"}'),
    "negative length": lines(POST, "Host: {}", "Content-Length: -1", "", '{"token":"x"}'),
    "signed length": lines(POST, "Host: {}", "Content-Length: +13", "", '{"token":"x"}'),
    "hexadecimal length": lines(POST, "Host: {}", "Content-Length: 0xd", "", '{"token":"x"}'),
    "huge length": lines(POST, "Host: {}", "Content-Length: 18446744073709551617", "", '{"token":"x"}'),
    "length past 63 bits": lines(POST, "Host: {}", "Content-Length: 9223372036854775808", "", '{"token":"x"}'),
    "length with a space": lines(POST, "Host: {}", "Content-Length : 13", "", '{"token":"x"}'),
    "chunked twice": lines(POST, "Host: {}", "Transfer-Encoding: chunked, chunked", "", "0\r\n\r\n"),
    "chunked and identity": lines(POST, "Host: {}", "Transfer-Encoding: chunked, identity", "", "0\r\n\r\n"),
    "chunked with a tab": lines(POST, "Host: {}", "Transfer-Encoding:\tchunked", "", "0\r\n\r\n"),
    "unknown coding": lines(POST, "Host: {}", "Transfer-Encoding: xchunked", "", "0\r\n\r\n"),
    "chunk of negative size": lines(POST, "Host: {}", "Transfer-Encoding: chunked", "", "-1\r\nx\r\n0\r\n\r\n"),
    "chunk of huge size": lines(POST, "Host: {}", "Transfer-Encoding: chunked", "", "ffffffffffffffff1\r\nx\r\n0\r\n\r\n"),
    "chunk without an end": lines(POST, "Host: {}", "Transfer-Encoding: chunked", "", "2\r\n{}0\r\n\r\n"),
    "folded header": lines(GOOD, "Host: {}", "X-A: b", " c: d", "", ""),
    "bare line feeds": b"GET /healthz HTTP/1.1\nHost: {}\n\n",
    "bare carriage return": lines(GOOD, "Host: {}", "X-A: b\rX-C: d", "", ""),
    "a NUL in a header": lines(GOOD, "Host: {}", "X-A: b\x00c", "", ""),
    "no colon": lines(GOOD, "Host: {}", "X-A", "", ""),
    "empty header name": lines(GOOD, "Host: {}", ": x", "", ""),
}

# Requests without a body for every reader.
UNAMBIGUOUS = {"folded header", "bare line feeds", "bare carriage return", "a NUL in a header", "no colon", "empty header name"}

# Invalid request lines and hosts, and the allowed answers.
REFUSED = {
    "no host": (lines(GOOD, "", ""), 400, 403),
    "two hosts": (lines(GOOD, "Host: {}", "Host: evil.example", "", ""), 400),
    "the same host twice": (lines(GOOD, "Host: {}", "Host: {}", "", ""), 400),
    "HTTP/0.9": (b"GET /healthz\r\n\r\n", 400, 505),
    "HTTP/1.0 without a host": (b"GET /healthz HTTP/1.0\r\n\r\n", 400, 403, 505),
    "HTTP/1.2": (lines("GET /healthz HTTP/1.2", "Host: {}", "", ""), 200, 400, 505),
    "HTTP/2.0": (lines("GET /healthz HTTP/2.0", "Host: {}", "", ""), 400, 505),
    "HTTP/9.9": (lines("GET /healthz HTTP/9.9", "Host: {}", "", ""), 400, 505),
    "http/1.1": (lines("GET /healthz http/1.1", "Host: {}", "", ""), 400, 505),
    "no such protocol": (lines("GET /healthz FTP/1.1", "Host: {}", "", ""), 400, 505),
    "the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, 505, None),
    "no method": (lines("/healthz HTTP/1.1", "Host: {}", "", ""), 400, 405),
    "unknown method": (lines("BREW /healthz HTTP/1.1", "Host: {}", "", ""), 400, 405, 501),
    "lower-case method": (lines("get /healthz HTTP/1.1", "Host: {}", "", ""), 400, 405, 501),
    "TRACE": (lines("TRACE /healthz HTTP/1.1", "Host: {}", "", ""), 400, 404, 405, 501),
    "CONNECT": (lines("CONNECT evil.example:443 HTTP/1.1", "Host: {}", "", ""), 400, 403, 404, 405, 501),
    "a space too many": (lines("GET  /healthz HTTP/1.1", "Host: {}", "", ""), 200, 400, 404),
    "a target of words": (lines("GET /a b c HTTP/1.1", "Host: {}", "", ""), 400, 404, 505),
    "no slash": (lines("GET healthz HTTP/1.1", "Host: {}", "", ""), 400, 404),
    "another server's address": (lines("GET http://evil.example/healthz HTTP/1.1", "Host: {}", "", ""), 200, 400, 403, 404),
    "a TLS hello": (bytes.fromhex("16030100c8010000c40303") + bytes(200) + b"\r\n\r\n", 400, None),
    "zeros": (bytes(64) + b"\r\n\r\n", 400, None),
    "line feeds": (b"\r\n" * 200 + lines(GOOD, "Host: {}", "", ""), 200, 400, None),
    "bytes above 127": (b"GET /\xff\xfe\x80 HTTP/1.1\r\nHost: {}\r\n\r\n", 400, 404),
    "a percent sign alone": (lines("GET /% HTTP/1.1", "Host: {}", "", ""), 400, 404),
    "an encoded NUL": (lines("GET /index.html%00.js HTTP/1.1", "Host: {}", "", ""), 400, 404),
    "a long path": (lines(f"GET /{'x' * 20_000} HTTP/1.1", "Host: {}", "", ""), 400, 414, 431),
    "a long query": (lines(f"GET /healthz?{'x' * 20_000} HTTP/1.1", "Host: {}", "", ""), 400, 414, 431),
    "a long header": (lines(GOOD, "Host: {}", f"X-A: {'x' * 40_000}", "", ""), 400, 431),
    "a long header name": (lines(GOOD, "Host: {}", f"{'X' * 40_000}: x", "", ""), 400, 431),
    "thousands of headers": (lines(GOOD, "Host: {}", *(f"X-{n}: {n}" for n in range(4_000)), "", ""), 400, 431),
    "a body that is too long": (lines(POST, "Host: {}", "Content-Length: 99999999999", "", ""), 400, 413),
}

TRAVERSALS = ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/.%2e/.%2e/etc/passwd",
              "//etc/passwd", "/./././../../etc/passwd", "/views/..;/..;/etc/passwd", "/..\\..\\etc\\passwd",
              "/%252e%252e/etc/passwd", "/..%c0%af..%c0%afetc/passwd", "/main.js/../../../etc/passwd", "/.git/config",
              "/%00/etc/passwd", "/file:///etc/passwd", "/../data/archive.sqlite", "/../server.log", "/~root/"]


def local(target, request):
    return request.replace(b"{}", urlsplit(target.url).netloc.encode(), 2)


@pytest.mark.parametrize("name", SMUGGLED)
def test_two_readers_of_a_request_agree(target, name):
    # The rest would be a second request for a reader that sees the first one end early.
    hidden = head(target, "GET /api/v1/sessions?hidden HTTP/1.1", "Connection: close")
    answer = exchange(target, local(target, SMUGGLED[name]) + hidden, answers=2)
    found = statuses(answer)
    if name in UNAMBIGUOUS:
        assert found.count(200) <= 2, answer[:600]
    else:
        # Answered or not, the connection ends, and the hidden request is never read.
        assert 200 not in found, answer[:600]


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_request_is_refused_with_a_problem_document(target, name):
    request, *allowed = REFUSED[name]
    answered(target, local(target, request), *allowed)


@pytest.mark.parametrize("path", TRAVERSALS)
def test_only_the_page_is_served(target, path):
    answer = exchange(target, head(target, f"GET {path} HTTP/1.1", "Connection: close"))
    assert statuses(answer)[:1] in ([400], [403], [404], [301], []), answer[:300]
    assert b"root:" not in answer and b"SQLite format" not in answer


@pytest.mark.parametrize("first", ["GET /healthz HTTP/1.1", "GET /main.js HTTP/1.1", "GET /absent HTTP/1.1",
                                   "GET /api/v1/sessions HTTP/1.1", "HEAD /healthz HTTP/1.1"])
@pytest.mark.parametrize("host", ["", "evil.example"])
@pytest.mark.parametrize("second", [
    ("POST / HTTP/1.1", b"{}"), ("POST /api/v1/login HTTP/1.1", HELLO), ("POST /api/v1/sessions HTTP/1.1", b"x" * 5000),
    ("GET /healthz HTTP/1.1", b"body of a GET")])
def test_a_body_pipelined_after_a_request_blocks_nothing(target, first, host, second):
    line, body = second
    request = head(target, first, host=host or None) + head(target, line, f"Content-Length: {len(body)}", host=host or None) + body
    answer = exchange(target, request + head(target, GOOD, "Connection: close"), answers=1)
    assert answer, "no answer"
    # The same in pieces: the server works wherever the network splits it.
    for cut in (len(head(target, first, host=host or None)), len(request) - len(body), len(request) - 1):
        exchange(target, request[:cut], request[cut:], answers=1)


def test_many_pipelined_requests_are_answered_in_order(target):
    paths = ["/healthz", "/absent", "/api/v1/login", "/api/v1/sessions/ABSENT-SESSION"] * 25
    answer = exchange(target, b"".join(head(target, f"GET {path} HTTP/1.1") for path in paths), answers=len(paths))
    found = statuses(answer)
    # A server may close after any of them, but not mix them up.
    assert found and found == ([200, 404] * 50)[:len(found)]


def test_silent_and_stalled_connections_block_nobody(target):
    beginnings = [b"", b"G", b"GET /healthz HT", head(target, GOOD)[:-2],
                  head(target, POST, "Content-Length: 100") + b"{", head(target, POST, "Content-Length: 100"),
                  head(target, "POST /api/v1/sessions HTTP/1.1", "Content-Length: 100000") + b'{"tape":1',
                  head(target, "GET /v1/app HTTP/1.1", "Upgrade: websocket")[:-4]]
    open_ones = []
    try:
        for number in range(240):
            peer = connect(target)
            open_ones.append(peer)
            peer.sendall(beginnings[number % len(beginnings)])
        target.check()
    finally:
        for peer in open_ones:
            peer.close()


def test_reset_connections_block_nobody(target):
    for number in range(200):
        peer = connect(target)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        peer.sendall(head(target, ["GET /api/v1/sessions HTTP/1.1", "GET /main.js HTTP/1.1", POST][number % 3], "Content-Length: 5"))
        peer.close()


def test_clients_that_never_read_block_nobody(target):
    path = f"/api/v1/sessions/{target.witness.session}/events"
    deaf = []
    try:
        for _ in range(40):
            peer = connect(target)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.append(peer)
            peer.sendall(b"".join(head(target, f"GET {one} HTTP/1.1") for one in ["/app.css", path, "/openapi.json"] * 8))
        target.check()
    finally:
        for peer in deaf:
            peer.close()
