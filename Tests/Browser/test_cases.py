"""The page's readers of JSON and its patches, with the tables over RFC 8259, 6901 and 6902 that the Swift side is tested with."""

from processes import ROOT

GOLDEN = ROOT / "Tests" / "TapeFormatTests" / "Golden"

JSON = """async (table) => {
    const { parse } = await import('/json/parse.js');
    const { check } = await import('/file/scan.js');
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const bytesOf = ({ text, hex, repeat }) =>
        hex !== undefined ? Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16))
        : new TextEncoder().encode(text ?? repeat.map(([part, count]) => part.repeat(count)).join(''));
    const takes = (read) => { try { read(); return true; } catch { return false; } };
    return JSON.parse(table).flatMap((entry) => {
        const bytes = bytesOf(entry);
        const name = `${entry.section}: ${JSON.stringify(entry).slice(0, 100)}`;
        const isRead = takes(() => parse(decoder.decode(bytes)));
        const isTaken = takes(() => check(bytes, 0, bytes.length));
        const wrong = [];
        // The format's own limits are kept where a tape is read from a file; what a server sends has passed them.
        if (entry.verdict !== 'limit' && isRead !== (entry.verdict === 'accept')) wrong.push(`parse: ${name}`);
        if (isTaken !== (entry.verdict === 'accept')) wrong.push(`check: ${name}`);
        return wrong;
    });
}"""

PATCHES = """async (table) => {
    const { parse } = await import('/json/parse.js');
    const { equal } = await import('/json/value.js');
    const patch = await import('/json/patch.js');
    return parse(table).map(({ section, name, before, patch: operations, after, fails, invalid }) => {
        const old = JSON.stringify(before);
        const place = `${section}: ${name}`;
        let result;
        try {
            result = patch.apply(before, operations);
        } catch (error) {
            if (JSON.stringify(before) !== old) return `${place}: the old state was changed`;
            if (!(error instanceof patch.PatchFailure)) return `${place}: ${error}`;
            return invalid || fails === error.path ? '' : `${place}: failed at ${error.path}`;
        }
        if (JSON.stringify(before) !== old) return `${place}: the old state was changed`;
        if (invalid || fails !== undefined) return `${place}: should fail, gave ${JSON.stringify(result)}`;
        return equal(result, after) ? '' : `${place}: gave ${JSON.stringify(result)}`;
    }).filter(Boolean);
}"""


def test_json_is_parsed_by_the_rfc(view):
    table = (GOLDEN / "json-cases.json").read_text()
    assert view().open().page.evaluate(JSON, table) == []


def test_pointers_and_patches_follow_the_rfcs(view):
    table = (GOLDEN / "patch-cases.json").read_text()
    assert view().open().page.evaluate(PATCHES, table) == []
