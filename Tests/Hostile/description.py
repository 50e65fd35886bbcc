"""The operations in the server's openapi.json, for tests that try each of them."""

from dataclasses import dataclass

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass
class Operation:
    method: str
    path: str
    # The required role; "any" for a valid token of any role, None for no token.
    role: str | None
    parameters: list
    #: The schema of a JSON body, or None.
    body: dict | None

    def __str__(self):
        return f"{self.method} {self.path}"

    def address(self, names, query=""):
        path = self.path
        for name, value in names.items():
            path = path.replace(f"{{{name}}}", value)
        return path + (f"?{query}" if query else "")


def operations(target):
    """All operations of the server's description."""
    document = target.ask("/openapi.json").json
    found = []
    for path, item in document["paths"].items():
        shared = item.get("parameters", [])
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            role = operation.get("x-role") or (None if operation.get("security") == [] else "any")
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            # A tape's body has its own format.
            body = resolve(document, schema) if schema and "application/x-ndjson" not in content else None
            parameters = [resolve(document, one) for one in [*shared, *operation.get("parameters", [])]]
            found.append(Operation(method.upper(), path, role, parameters, body))
    return found


def resolve(document, part):
    """A part of the description with its references resolved."""
    if isinstance(part, list):
        return [resolve(document, one) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return resolve(document, found)
    return {name: resolve(document, one) for name, one in part.items()}
