"""A Redux export that the page reads gets the patches that the server makes of it, operation by operation."""

import json
import random

import pytest

from test_file_answers import Both

NUMBERS = ["0", "-0", "1", "1.0", "1e0", "0.10", "12345678901234567890", "1E+2", "100"]
NAMES = ["a", "name", "é", "😀", "x/y", "t~z", "", "__proto__"]


class Number(str):
    """A number as it is written."""


class States:
    """States that follow each other, by a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        return "".join(self.random.choices("abc é😀漢\n\"\\", k=self.random.choice([0, 3, 30, 90])))

    def scalar(self):
        return self.random.choice([None, True, Number(self.random.choice(NUMBERS)), self.text()])

    def value(self, depth=0):
        kind = self.random.random()
        if depth > 4 or kind < 0.4:
            return self.scalar()
        if kind < 0.6:
            return {name: self.value(depth + 1) for name in self.random.sample(NAMES, self.random.randrange(6))}
        if kind < 0.8:
            return [self.value(depth + 1) for _ in range(self.random.randrange(7))]
        return self.items()

    def items(self):
        count = self.random.choice([2, 5, 40, 150])
        return [{"id": Number(id), "v": self.scalar()} for id in self.random.sample(range(1000), count)]

    def changed(self, value):
        pick = self.random
        if isinstance(value, dict):
            value = {name: self.changed(one) if pick.random() < 0.5 else one for name, one in value.items() if pick.random() > 0.1}
            if pick.random() < 0.3:
                value[pick.choice(NAMES)] = self.value(3)
            return dict(pick.sample(list(value.items()), len(value))) if pick.random() < 0.2 else value
        if isinstance(value, list):
            value = list(value)
            for _ in range(pick.randrange(4)):
                if value and pick.random() < 0.7:
                    one = value.pop(pick.randrange(len(value)))
                    if pick.random() < 0.7:
                        value.insert(pick.randrange(len(value) + 1), one if pick.random() < 0.6 else self.changed(one))
                else:
                    value.insert(pick.randrange(len(value) + 1), {"id": Number(pick.randrange(1000, 9999)), "v": self.scalar()})
            return pick.sample(value, len(value)) if pick.random() < 0.1 else value[::-1] if pick.random() < 0.1 else value
        if isinstance(value, str) and not isinstance(value, Number) and value:
            place = pick.randrange(len(value))
            return value[:place] + pick.choice(["", "é", "X", "😀"]) + value[place + pick.randrange(3):]
        return Number("1.0") if value == "1" else self.scalar()

    def nested(self, value, depth):
        for level in range(depth):
            value = [value] if level % 2 else {"n": value}
        return value


def written(value):
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{written(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)


def export(states):
    # What doesn't change is longer than any patch: states are written as patches.
    texts = ['{"state":{"padding":"' + "p" * 40_000 + '","value":' + written(state) + "}}" for state in states]
    actions = ",".join(f'"{id}":{{"action":{{"type":"t"}},"timestamp":{id + 1}}}' for id in range(len(states)))
    return f'{{"actionsById":{{{actions}}},"stagedActionIds":{list(range(len(states)))},"computedStates":[{",".join(texts)}]}}'


def patches(view, server, states):
    both = Both(view(), server, export(states))
    session, = [one["session"] for one in json.loads(both.ask("/api/v1/sessions")[0][1])["sessions"]]
    file, server = both.ask(f"/api/v1/sessions/{session}/events?limit=1000")
    exact = lambda answer: [json.loads(text, parse_float=str, parse_int=str).get("patch") for text in answer[1].splitlines()]
    assert exact(file) == exact(server)
    return exact(server)


def test_a_reordered_array_is_moved(view, server):
    items = [{"id": Number(id), "v": Number(id)} for id in range(6)]
    first, second = patches(view, server, [items, items[1:] + items[:1], items[::-1]])[1:]
    assert first == [{"op": "move", "from": "/value/0", "path": "/value/5"}]
    assert {operation["op"] for operation in second} == {"move"}


def test_a_shuffle_of_many_goes_by_position(view, server):
    items = [{"id": Number(id), "v": Number(id)} for id in range(200)]
    (patch,) = patches(view, server, [items, items[::-1]])[1:]
    assert {operation["op"] for operation in patch} == {"replace"}


@pytest.mark.parametrize("seed", range(2))
def test_random_states_get_the_same_patches(view, server, seed):
    made = States(seed)
    states = [made.value()]
    for _ in range(150):
        kind = made.random.random()
        if kind < 0.1:
            states.append(made.value())
        elif kind < 0.2:
            states.append(made.items())
        elif kind < 0.23:
            states.append(made.nested(made.value(4), made.random.randrange(61, 67)))
        else:
            states.append(made.changed(states[-1]))
    made = patches(view, server, states)
    operations = {operation["op"] for patch in made[1:] for operation in patch}
    assert operations == {"add", "remove", "replace", "move", "splice"}
