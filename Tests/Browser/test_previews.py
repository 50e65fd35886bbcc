"""The rows of the timeline hold values: the payload's, and what changed to what."""

import json

import pytest
from playwright.sync_api import expect

from test_file_answers import Both, PATH, lines


def put(path, value):
    return {"op": "replace", "path": path, "value": value}


def todos(app):
    app = app(state={"todos": [{"title": "Oats", "done": False}], "history": []})
    app.action("todos/add", {"_0": "Milk"}, [
        {"op": "add", "path": "/history/0", "value": {"todos": []}}, {"op": "add", "path": "/todos/1", "value": {"title": "Milk", "done": False}}])
    app.action("todos/toggle", {"id": "t8"}, [put("/todos/1/done", True)])
    app.action("todos/remove", {"at": 0}, [{"op": "remove", "path": "/todos/0"}])
    app.action("session/logIn", {"password": {"$redacted": True}}, [put("/token", {"$redacted": True})])
    app.send({"event": "note", "text": "error 422 “no stock”", "level": "error"})
    return app


def test_rows_hold_values(view, app):
    app = todos(app)
    view = view().open(app.session)
    for seq, payload, changes in [
            (1, '"Milk"', 'todos›1 + {title: "Milk", …}, history›0 + {todos: []}'), (2, '"t8"', "todos›1›done = true"),
            (3, "at: 0", "todos›0 −"), (4, "password: secret", "token = secret")]:
        expect(view.row(seq).locator(".payload")).to_have_text(payload)
        expect(view.row(seq).locator(".summary")).to_have_text(changes)
    expect(view.row(5)).to_contain_text("error 422 “no stock”")
    view.shot("previews-1280-light")
