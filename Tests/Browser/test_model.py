"""The page's own patch and number arithmetic, against the golden files that the Swift side is tested with."""

import json

from processes import ROOT

GOLDEN = ROOT / "Tests" / "TapeFormatTests" / "Golden" / "patches.json"

APPLY = """async (text) => {
    const { parse } = await import('/model/json.js');
    const { equal } = await import('/model/value.js');
    const patch = await import('/model/patch.js');
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


def test_numbers_keep_their_text(view):
    numbers = ["0", "-0", "1", "1.0", "1.10", "-1.5", "1e5", "1E-7", "0.0000001", "9007199254740992", "9007199254740993",
               "18446744073709551615", "0.1", "0.30000000000000004", "123456789012.12345", "754272000.123456", "1e400"]
    # Beside strings that look like numbers, and with names that assignment would take for more.
    text = '[' + ",".join(numbers) + r',{"__proto__":1.10,"1.0":["1.0","a-0e\" 1.10",{"x":[1e400]}]}]'
    same = """async (text) => {
        const { parse } = await import('/model/json.js');
        const { indent } = await import('/model/value.js');
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
        const { parse } = await import('/model/json.js');
        return ['[01.0]', '[1.0 2.0]', '[1.]', '1.0x', '[-1.0-]', '["1.0]'].filter((text) => {
            try { parse(text); return true; } catch { return false; }
        });
    }""") == []


def test_changes_between_whole_states(view):
    between = """async ([a, b]) => {
        const { changesBetween } = await import('/model/comparison.js');
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
