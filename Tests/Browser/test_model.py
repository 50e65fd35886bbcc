"""The page's own patch and number arithmetic, against the golden files that the Swift side is tested with."""

import json

from processes import ROOT

GOLDEN = ROOT / "Tests" / "TapeFormatTests" / "Golden" / "patches.json"

APPLY = """async (text) => {
    const json = await import('/model/json.js');
    const patch = await import('/model/patch.js');
    return json.parse(text).map(({ name, before, patch: operations, after, fails }) => {
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
        return json.equal(result, after) ? '' : `${name}: gave ${JSON.stringify(result)}`;
    }).filter(Boolean);
}"""


def test_golden_patches(view):
    golden = GOLDEN.read_text()
    assert len(json.loads(golden)) > 20
    assert view().open().page.evaluate(APPLY, golden) == []


def test_numbers_keep_their_text(view):
    numbers = ["0", "-0", "1", "1.0", "1.10", "-1.5", "1e5", "1E-7", "0.0000001", "9007199254740992", "9007199254740993",
               "18446744073709551615", "0.1", "0.30000000000000004", "123456789012.12345", "754272000.123456", "1e400"]
    text = "[" + ",".join(numbers) + "]"
    same = """async (text) => {
        const { parse, indent } = await import('/model/json.js');
        return [JSON.stringify(parse(text)), indent(text).replace(/\\s/g, '')];
    }"""
    assert view().open().page.evaluate(same, text) == [text, text]


def test_changes_between_whole_states(view):
    between = """async ([a, b]) => {
        const { changesBetween } = await import('/model/diff.js');
        return changesBetween(a, b).map(({ path, kind }) => `${kind} ${path}`);
    }"""
    states = [{"a": 1, "list": [1, 2, 3, 4], "gone": 0, "same": {"x": [1]}},
              {"a": 2, "list": [1, 9, 3, 4], "same": {"x": [1]}, "new/er": 1}]
    assert view().open().page.evaluate(between, states) == [
        "replace /a", "replace /list/1", "remove /gone", "add /new~1er"]
    assert view().open().page.evaluate(between, [[1, 2, 3], [0, 1, 2, 3]]) == ["add /0"]
