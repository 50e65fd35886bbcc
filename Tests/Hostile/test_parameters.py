"""Replaces every parameter and every body member in the description."""

import json
from urllib.parse import quote

import pytest

from description import operations
from values import NUMBERS, TYPES, of_other_types
from wire import ask_all

TEXTS = ["", " ", "-1", "-0", "+1", "00", "1.5", "1e3", "0x10", "2147483648", "9007199254740991", "9007199254740992",
         "9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999999", "1e400", "NaN", "Infinity",
         "null", "true", "[]", "{}", "é", "\x00", "\n", "\u202e", "%", "%00", "../..", "'; DROP TABLE session; --", "*", "?", "a" * 5000,
         "(" * 300, "/" * 400, "/a/~2", "~", "&x=1", "a=b", "٣", "१"]


@pytest.fixture(scope="module")
def api(shared):
    return operations(shared())


def whole(schema):
    return schema.get("type") in ("integer", ["integer", "null"])


def fits(schema, text):
    """Whether a text is a whole number within the described bounds; a sign or leading zeros are allowed."""
    if not text.isascii() or not text.removeprefix("+").removeprefix("-").isdigit():
        return False
    return schema.get("minimum", 0) <= int(text) <= schema.get("maximum", 2**53 - 1)


def names(target, **others):
    return {"id": target.witness.session, "other": target.witness.session, "seq": "0", "n": "1", "device": "device-Test bench", **others}


def queries(target, api):
    """Every query parameter of every GET with every text."""
    for operation in (one for one in api if one.method == "GET"):
        quoted = {name: quote(value) for name, value in names(target).items()}
        for parameter in operation.parameters:
            if parameter["in"] == "query":
                for text in TEXTS:
                    yield operation, parameter, text, operation.address(quoted, f"{parameter['name']}={quote(text)}")


def test_any_value_of_a_query_parameter(target, api):
    asked = list(queries(target, api))
    assert len(asked) > 1_000
    for (operation, parameter, text, _), (address, answer) in zip(asked, ask_all(target, [one[3] for one in asked])):
        assert answer.status < 500, f"{address}: {answer}"
        # `v` only distinguishes cached versions.
        if parameter["name"] != "v" and whole(parameter["schema"]) and not fits(parameter["schema"], text):
            assert answer.status in (400, 404, 422), f"{address} violates the description of {operation}, but got {answer}"


def test_any_value_in_a_path(target, api):
    for operation in (one for one in api if one.method == "GET"):
        for parameter in (one for one in operation.parameters if one["in"] == "path"):
            addresses = [operation.address({**{k: quote(v) for k, v in names(target).items()}, parameter["name"]: quote(text, safe="")})
                         for text in TEXTS if text]
            for address, answer in ask_all(target, addresses):
                assert answer.status < 500, f"{address}: {answer}"


def test_a_repeated_parameter_is_not_merged(target, api):
    path = f"/api/v1/sessions/{target.witness.session}"
    numbers = ["9007199254740991", "9223372036854775807"]
    pairs = [(one, other) for one in ("from", "to", "offset", "limit", "buckets", "before") for other in ("from", "to", "offset", "limit")]
    addresses = [f"{path}/{place}?{one}={x}&{other}={y}" for place in ("events", "matches", "tape", "histogram") for one, other in pairs
                 for x in numbers for y in ("0", *numbers)]
    for address, answer in ask_all(target, addresses):
        assert answer.status < 500, f"{address}: {answer}"


def allowed(schema):
    """The types that a schema allows; every type if it has no restriction."""
    if "enum" in schema:
        return {"string"}
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return set().union(*(allowed(one) for one in schema[key]))
    given = schema.get("type", list(TYPES))
    return {given} if isinstance(given, str) else set(given)


def bodies(api):
    return [one for one in api if one.body and one.method != "GET"]


def state_of(target):
    """The data that a refused request must not change."""
    places = ["/api/v1/sessions", "/api/v1/start-states", f"/api/v1/sessions/{target.witness.session}/bookmarks"]
    return [target.ask(place).json for place in places]


def without_clocks(state):
    return json.loads(json.dumps(state), object_hook=lambda members: {k: v for k, v in members.items() if k not in ("lastSeen", "live")})


def test_a_member_of_another_type_changes_nothing(target, api):
    before = without_clocks(state_of(target))
    for operation in bodies(api):
        members = operation.body.get("properties", {})
        needed = {name: example(members.get(name, {})) for name in operation.body.get("required", [])}
        for name, schema in members.items():
            for text in of_other_types(*allowed(schema)):
                if text == "null" and name not in needed:
                    continue
                body = json.dumps({**complement(operation, name), **needed, name: "@"}).replace('"@"', text)
                answer = target.ask(operation.address(names(target)).replace(" ", "%20"), operation.method, body.encode())
                assert answer.status in (400, 401, 422), f"{operation} {body}: {answer}"
                assert target.ask("/healthz").status == 200
    assert without_clocks(state_of(target)) == before


def test_a_number_out_of_bounds_changes_nothing(target, api):
    before = without_clocks(state_of(target))
    for operation in bodies(api):
        members = operation.body.get("properties", {})
        needed = {name: example(members.get(name, {})) for name in operation.body.get("required", [])}
        for name, schema in members.items():
            if not whole(schema):
                continue
            for text in NUMBERS:
                least, most = schema.get("minimum", 0), schema.get("maximum", 2**53 - 1)
                if text in ("null", "1e3") or text.lstrip("-").isdigit() and text != "-0" and least <= int(text) <= most:
                    continue
                body = json.dumps({**complement(operation, name), **needed, name: "@"}).replace('"@"', text)
                answer = target.ask(operation.address(names(target)).replace(" ", "%20"), operation.method, body.encode())
                assert answer.status in (400, 404, 422), f"{operation} {body}: {answer}"
    assert without_clocks(state_of(target)) == before


def example(schema):
    if "enum" in schema:
        return schema["enum"][0]
    kind = sorted(allowed(schema) - {"null"})[-1]
    return {"string": "x", "integer": 1, "boolean": True, "object": {}, "array": []}.get(kind, 1)


def complement(operation, name):
    """The other members of a valid body, so that the wrong member is its only fault."""
    if operation.path.endswith("/prune"):
        return {"keepDays": 1, "maxSize": 0, "dryRun": True} if name != "dryRun" else {"keepDays": 1, "maxSize": 0}
    return {}


@pytest.mark.parametrize("body", [
    b"", b"null", b"[]", b"[1]", b"1", b'"x"', b"true", b"{", b'{"a":1,}', b'{"a":1,"a":2}', b"\xff", b"\xef\xbb\xbf{}", b"{}{}",
    b"[" * 600, b'{"a":' * 600, b'{"title":"\\ud800"}', b"NaN", b"{'a':1}", b'{"seq":1e99999999999}', b"[" + b"1" * 2000 + b"]"])
def test_a_body_that_is_not_an_object_changes_nothing(target, api, body):
    before = without_clocks(state_of(target))
    for operation in bodies(api):
        answer = target.ask(operation.address(names(target)).replace(" ", "%20"), operation.method, body)
        assert answer.status in (204, 400, 401, 413, 422) and (answer.status != 204 or operation.path.endswith("/login")), (
            f"{operation} {body[:40]}: {answer}")
    assert without_clocks(state_of(target)) == before


@pytest.mark.parametrize("path, method, body", [
    ("/api/v1/sessions/{id}", "PATCH", {"title": "x" * 1_000_000}),
    ("/api/v1/sessions/{id}", "PATCH", {"labels": {f"key-{n}": "x" * 100 for n in range(30_000)}}),
    ("/api/v1/sessions/{id}", "PATCH", {"labels": {"k" * 100_000: "v"}}),
    ("/api/v1/sessions/{id}/bookmarks", "POST", {"seq": 0, "text": "x" * 1_000_000}),
    ("/api/v1/sessions/{id}/bookmarks", "POST", {"seq": 0, "text": "x", "author": "x" * 1_000_000}),
    ("/api/v1/devices/device-Test%20bench", "PATCH", {"nickname": "x" * 1_000_000}),
    ("/api/v1/start-states", "PUT", {"app": "x" * 1_000_000, "mode": "latest"}),
    ("/api/v1/start-states", "PUT", {"app": "a", "mode": "latest", "labels": {f"key-{n}": "x" * 100 for n in range(30_000)}}),
])
def test_a_far_too_long_request_is_refused(target, path, method, body):
    before = without_clocks(state_of(target))
    answer = target.ask(path.replace("{id}", target.witness.session), method, body)
    assert answer.status in (400, 413, 422), answer
    assert without_clocks(state_of(target)) == before


def test_a_limit_above_the_highest_is_refused_or_lowered(target):
    for place in ("/api/v1/sessions?limit=1001", f"/api/v1/sessions/{target.witness.session}/events?limit=10001"):
        assert target.ask(place).status in (400, 422), place
