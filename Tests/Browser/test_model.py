"""The page's own patch and number arithmetic, against the golden files that the Swift side is tested with."""

import json
import random
import urllib.error
import urllib.request

from processes import ROOT

GOLDEN = ROOT / "Tests" / "TapeFormatTests" / "Golden" / "patches.json"

APPLY = """async (text) => {
    const { parse } = await import('/json/parse.js');
    const { equal } = await import('/json/value.js');
    const patch = await import('/json/patch.js');
    return parse(text).map(({ name, before, patch: operations, after, fails }) => {
        const old = JSON.stringify(before);
        let result;
        try {
            result = patch.apply(before, operations);
        } catch (error) {
            if (!(error instanceof patch.PatchFailure)) return `${name}: ${error}`;
            return fails === undefined ? `${name}: failed at ${error.path}` : '';
        }
        if (JSON.stringify(before) !== old) return `${name}: the old state was changed`;
        if (fails !== undefined) return `${name}: should fail, gave ${JSON.stringify(result)}`;
        return equal(result, after) ? '' : `${name}: gave ${JSON.stringify(result)}`;
    }).filter(Boolean);
}"""


def test_golden_patches(view):
    golden = GOLDEN.read_text()
    assert len(json.loads(golden)) > 20
    assert view().open().page.evaluate(APPLY, golden) == []


def test_a_patch_has_limits(view):
    """Bombs whose data is too large for the golden files."""
    bombs = """async () => {
        const { apply, PatchFailure } = await import('/json/patch.js');
        const many = (count, operation) => Array.from({ length: count }, () => operation);
        const keys = Object.fromEntries(Array.from({ length: 300000 }, (_, key) => [`k${key}`, key]));
        const cases = {
            front: [Array(1000000).fill(0), many(20000, { op: 'add', path: '/0', value: 0 })],
            ends: [Array(1000000).fill(0), many(20000, { op: 'remove', path: '/0' })],
            text: ['x'.repeat(8 * 2 ** 20), many(20000, { op: 'splice', path: '', at: 0, remove: 0, insert: 'x' })],
        };
        const wrong = Object.entries(cases).filter(([, [state, patch]]) => {
            try { apply(state, patch); return true; } catch (error) { return !(error instanceof PatchFailure); }
        }).map(([name]) => name);
        // Copies don't make each later edit of a large object cost as much as the object.
        const edits = Array.from({ length: 20000 }, (_, key) => key % 2 ? { op: 'remove', path: `/k${key}` } : { op: 'copy', from: '/k299999', path: `/n${key}` });
        const count = Object.keys(apply(keys, edits)).length;
        return [wrong, count, Object.keys(keys).length];
    }"""
    assert view().open().page.evaluate(bombs) == [[], 300_000, 300_000]


def random_state(chance, depth=2):
    kind = chance.randrange(5 if depth else 3)
    if kind == 0:
        return chance.choice(["text", "é👍", "e\u0301", ""])
    if kind < 3:
        return chance.randrange(100)
    if kind == 3:
        return [random_state(chance, depth - 1) for _ in range(chance.randrange(25))]
    return {f"k{key}": random_state(chance, depth - 1) for key in range(chance.randrange(25))}


def random_patch(chance, state):
    def path():
        """A place that is there before the patch, most of the time."""
        tokens, value = [], state
        while isinstance(value, (dict, list)) and chance.randrange(4):
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            if not keys or not chance.randrange(12):
                tokens.append(chance.choice(["k3", "new", "0", "1", "-"]))
                break
            tokens.append(chance.choice(keys))
            value = value[tokens[-1]]
        return "".join(f"/{token}" for token in tokens)

    def operation():
        op = chance.choice(["add", "add", "remove", "replace", "move", "copy", "splice"])
        made = {"op": op, "path": path()}
        if op in ("add", "replace"):
            made["value"] = random_state(chance, 1)
        elif op in ("move", "copy"):
            made["from"] = path()
        elif op == "splice":
            made.update(at=chance.randrange(3), remove=chance.randrange(2), insert="ü")
        return made

    return [operation() for _ in range(chance.choice([1, 1, 1, 2, 3, 6]))]


def test_page_and_server_apply_patches_alike(view, server):
    chance = random.Random(1)
    states = [random_state(chance) for _ in range(400)]
    cases = [(state, random_patch(chance, state)) for state in states]
    lines = [{"tape": 1, "session": "01JPATCHESPATCHESPATCHES01", "app": {"id": "com.example.patches"}, "started": "2026-11-20T10:00:00Z"}]
    for number, (before, patch) in enumerate(cases):
        lines.append({"seq": 2 * number, "at": 0, "event": "replace", "state": before, "cause": {"set": True}})
        lines.append({"seq": 2 * number + 1, "at": 0, "event": "action", "action": {"type": "a"}, "patch": patch})
    tape = "".join(json.dumps(line) + "\n" for line in lines).encode()
    urllib.request.urlopen(urllib.request.Request(f"{server.origin}/api/v1/sessions", tape)).close()

    def state(seq):
        try:
            with urllib.request.urlopen(f"{server.origin}/api/v1/sessions/{lines[0]['session']}/states/{seq}") as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            assert json.load(error)["code"] == "broken"
            return "broken"

    theirs = [state(2 * number + 1) for number in range(len(cases))]
    ours = view().open().page.evaluate("""async (cases) => {
        const { apply } = await import('/json/patch.js');
        return cases.map(([before, patch]) => { try { return apply(before, patch); } catch { return 'broken'; } });
    }""", cases)
    different = [case for case, one, other in zip(cases, ours, theirs) if one != other]
    assert different == []
    # Enough of both kinds.
    assert 60 < theirs.count("broken") < 340


def test_numbers_keep_their_text(view):
    numbers = ["0", "-0", "1", "1.0", "1.10", "-1.5", "1e5", "1E-7", "0.0000001", "9007199254740992", "9007199254740993",
               "18446744073709551615", "0.1", "0.30000000000000004", "123456789012.12345", "754272000.123456", "1e400"]
    # Beside strings that look like numbers, and with keys such as `__proto__`.
    text = '[' + ",".join(numbers) + r',{"__proto__":1.10,"1.0":["1.0","a-0e\" 1.10",{"x":[1e400]}]}]'
    same = """async (text) => {
        const { parse } = await import('/json/parse.js');
        const { indent } = await import('/json/value.js');
        return [JSON.stringify(parse(text)), indent(text).replace(/\\s/g, '')];
    }"""
    page = view().open().page
    squeezed = text.replace(" ", "")
    kept, indented = page.evaluate(same, text)
    assert (kept, indented) == (text, squeezed)
    # A string with the letter that the parser uses for itself.
    text = '["\ue0001.0","\\ue000",1.10]'
    assert page.evaluate(same, text)[0] == text.replace("\\ue000", "\ue000")
    assert page.evaluate("""async () => {
        const { parse } = await import('/json/parse.js');
        return ['[01.0]', '[1.0 2.0]', '[1.]', '1.0x', '[-1.0-]', '["1.0]'].filter((text) => {
            try { parse(text); return true; } catch { return false; }
        });
    }""") == []


def test_changes_between_whole_states(view):
    between = """async ([a, b]) => {
        const { changesBetween } = await import('/model/state-diff.js');
        return changesBetween(a, b).map(({ path, kind }) => `${kind} ${path}`);
    }"""
    states = [{"a": 1, "list": [1, 2, 3, 4], "gone": 0, "same": {"x": [1]}},
              {"a": 2, "list": [1, 9, 3, 4], "same": {"x": [1]}, "new/er": 1}]
    assert view().open().page.evaluate(between, states) == [
        "replace /a", "replace /list/1", "remove /gone", "add /new~1er"]
    assert view().open().page.evaluate(between, [[1, 2, 3], [0, 1, 2, 3]]) == ["add /0"]


def test_a_million_rows_scroll_to_every_place(view):
    """More pixels than browsers can lay out: the list then scrolls in proportion."""
    rows = """async () => {
        const { VirtualList } = await import('/ui/list.js');
        const host = document.getElementById('welcome');
        host.replaceChildren();
        host.style.setProperty('height', '600px');
        host.style.setProperty('padding', '0');
        const list = new VirtualList(host, {
            rowHeight: 26,
            make: () => {
                const row = document.createElement('p');
                row.style.setProperty('position', 'absolute');
                row.style.setProperty('height', '26px');
                return row;
            },
            bind: (row, index) => { row.textContent = index; },
        });
        const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const seen = () => {
            const box = host.getBoundingClientRect();
            return [...host.querySelectorAll('p:not([hidden])')].filter((row) => {
                const { top, bottom } = row.getBoundingClientRect();
                return top >= box.top - 1 && bottom <= box.bottom + 1;
            }).map((row) => Number(row.textContent)).sort((a, b) => a - b);
        };
        list.refresh(1000000);
        await frames();
        const results = [];
        for (const [row, where] of [[0, 'top'], [123456, 'top'], [500000, 'center'], [999999, 'nearest'], [999998, 'nearest'], [0, 'end'], [7, 'center']]) {
            list.reveal(row, where);
            await frames();
            const rows = seen();
            const due = where === 'end' ? 999999 : row;
            if (!rows.includes(due)) results.push(`${row} ${where}: ${rows[0]} … ${rows.at(-1)}`);
            if (rows.at(-1) - rows[0] !== rows.length - 1 || rows.length < 21) results.push(`${row}: holes in ${rows}`);
        }
        return results;
    }"""
    view = view().open()
    view.page.locator("#welcome").wait_for()
    assert view.page.evaluate(rows) == []
