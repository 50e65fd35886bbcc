"""Repeats of one type are grouped in a row, the events of one dispatch share a row, and every event is found in its row."""

from playwright.sync_api import expect

# Compares the rows of random sessions, whose pages are loaded in any order, with rows made simply from one list.
FUZZ = """async () => {
    const { Timeline } = await import('/model/timeline.js');
    const { head } = await import('/model/head.js');
    let seed = 7;
    const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
    const wrong = [];

    function lines() {
        const all = [];
        let seq = 0;
        const push = (line) => all.push({ at: seq, store: 'main', seq: seq++, ...line });
        while (seq < 1500) {
            const kind = random(12);
            if (kind === 0) push({ event: 'note', text: 'a note' });
            else if (kind === 1) { seq += 40 + random(500); all.push({ seq: seq - 1, at: seq, event: 'gap', count: 40 }); all.at(-1).count = all.at(-1).seq - (all.at(-2)?.seq ?? -1); }
            else if (kind < 5) {
                for (let times = 1 + random(5), dispatch = random(1e6); times > 0; times -= 1, dispatch += 1) {
                    for (const store of ['a', 'b', 'c'].slice(0, 2 + random(2))) push({ event: 'action', type: 'both', store, dispatch });
                }
            } else {
                const type = 'type' + random(3);
                for (let times = random(15) ? random(5) : random(700); times > 0; times -= 1) {
                    push({ event: 'action', type, ...(random(200) ? {} : { cause: { push: 'p' } }) });
                }
            }
        }
        return all;
    }

    function plainly(heads, { passes, dims, folds, open }) {
        const shown = passes && !dims ? heads.filter(passes) : heads;
        const items = [];
        for (const one of shown) {
            const last = items.at(-1)?.at(-1);
            if (last && one.dispatch !== null && last.dispatch === one.dispatch && last.seq + 1 === one.seq) items.at(-1).push(one);
            else items.push([one]);
        }
        const name = (item) => item.every((one) => one.hasAction && (one.mark === '' || one.mark === 'skipped'))
            ? item.map((one) => one.label + ' ' + one.store + ' ' + (dims && passes ? passes(one) : '')).join() : null;
        const runs = [];
        for (const item of items) {
            const last = runs.at(-1)?.at(-1);
            if (last && name(last) !== null && name(last) === name(item) && last.at(-1).seq + 1 === item[0].seq) runs.at(-1).push(item);
            else runs.push([item]);
        }
        return runs.flatMap((run) => folds && run.length > 2 && !run.flat().some((one) => open.includes(one.seq))
            ? [[run.flat(), run.length]] : run.map((item) => [item, 1]));
    }

    for (let round = 0; round < 60 && wrong.length < 5; round += 1) {
        const timeline = new Timeline();
        const heads = lines().map(head);
        const end = heads.at(-1).seq + 1;
        // Some of it is live.
        const live = end - random(800);
        const [text, passes] = [
            ['', null], ['', null], ['type1', ({ label }) => label === 'type1'], ['-both', ({ label }) => label !== 'both'],
            ['store:main -type2', ({ store, label }) => store === 'main' && label !== 'type2'], ['rare', ({ seq }) => seq % 97 === 0],
        ][random(6)];
        // The server tells what matches, a slice at a time.
        const search = (most) => {
            const query = timeline.filtered?.query;
            if (!query || timeline.searched >= timeline.end) return;
            const until = Math.min(timeline.end, timeline.searched + most);
            const next = heads.find(({ seq }) => seq >= until - 1).seq + 1;
            const seqs = heads.filter((one) => one.seq >= timeline.searched && one.seq < Math.min(next, timeline.end) && passes(one)).map(({ seq }) => seq);
            timeline.matched(query, seqs, Math.min(next, timeline.end));
        };
        // Before all is here, too, what was found has its rows.
        const look = () => {
            const [found, { count }] = [timeline.found, timeline];
            if (found === null || dims) return;
            if (count > found.size) wrong.push(`${round}: ${count} rows for ${found.size} matches`);
            const rows = Array.from({ length: count }, (_, row) => timeline.at(row));
            if (rows.some((row, place) => row === null || place > 0 && row.from <= rows[place - 1].seq)) wrong.push(`${round}: rows out of order`);
            const at = random(found.size || 1);
            const seq = found.at(at);
            const row = rows[timeline.rowOf(seq ?? timeline.end)];
            if (seq !== null && row && row.from > seq) wrong.push(`${round}: ${seq} lies before its row ${row.from}`);
        };
        const dims = random(2) === 1;
        const folds = random(5) > 0;
        timeline.dims = dims;
        timeline.groups = folds;
        if (round % 2) timeline.filter(text);
        timeline.committed(heads.findLast(({ seq }) => seq < live).seq + 1);
        const rest = heads.filter(({ seq }) => seq >= live);
        for (let left = 1; left > 0 || rest.length > 0;) {
            if (random(2) && rest.length > 0) for (const one of rest.splice(0, random(300))) timeline.append(one);
            timeline.view(random(timeline.count + 1), random(timeline.count + 1));
            const pages = timeline.nextToLoad();
            left = pages.length;
            for (const page of pages) {
                timeline.loaded(page, heads.filter(({ seq }) => seq >= page.start && seq < page.needed), page.needed);
                if (random(3) === 0) void timeline.count;
                if (random(3) === 0) search(random(400) + 1);
                look();
            }
        }
        if (round % 2 === 0) timeline.filter(text);
        for (; !timeline.complete; look()) {
            search(random(2000) + 1);
            await new Promise((done) => setTimeout(done));
        }
        const open = [];
        for (let time = 0; time < 3; time += 1) {
            const due = plainly(heads, { passes, dims, folds, open });
            const found = Array.from({ length: timeline.count }, (_, row) => timeline.at(row));
            const show = (rows) => rows.map((row) => `${row[0].at(-1).seq}x${row[1]}`).join(' ');
            const here = found.map((row) => `${row.seq}x${row.n}`).join(' ');
            if (here !== show(due)) { wrong.push(`${round} ${text} ${dims} ${folds} open ${open}: ${firstDifference(here, show(due))}`); break; }
            due.forEach(([events], row) => {
                const { from, seq } = found[row];
                if (from !== events[0].seq - events[0].count + 1) wrong.push(`${round}: row ${row} begins at ${from}`);
                for (const one of [events[0], events.at(-1)]) {
                    if (timeline.rowOf(one.seq) !== row) wrong.push(`${round}: ${one.seq} of row ${row} is in ${timeline.rowOf(one.seq)}`);
                }
            });
            const matching = passes ? heads.filter(passes).length : 0;
            if (timeline.matching !== matching) wrong.push(`${round}: ${timeline.matching} of ${matching} match`);
            const grouped = due.filter(([, n]) => n > 1);
            if (grouped.length > 0) {
                const [events] = grouped[random(grouped.length)];
                const seq = events[random(events.length)].seq;
                timeline.expand(seq, true);
                open.push(seq);
            }
        }
        for (const seq of open) timeline.expand(seq, false);
        const due = plainly(heads, { passes, dims, folds, open: [] });
        if (timeline.count !== due.length) wrong.push(`${round}: grouped again ${timeline.count}, not ${due.length}`);
    }
    return wrong;

    function firstDifference(one, other) {
        const [a, b] = [one.split(' '), other.split(' ')];
        const at = a.findIndex((part, index) => part !== b[index]);
        return `${a.slice(at - 1, at + 4)} instead of ${b.slice(at - 1, at + 4)}`;
    }
}"""


def test_rows_of_random_sessions(view):
    assert view().open().page.evaluate(FUZZ) == []


def test_going_into_a_group_expands_it(view, app):
    app = app(state={"count": 0})
    for number in range(1, 40):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    view = view(groups=True).open(app.session, event=20)
    expect(view.selected).to_have_id("event-20")
    view.page.keyboard.press("ArrowDown")
    expect(view.selected).to_have_id("event-21")


def test_stepping_before_the_events_are_loaded_keeps_the_position(view, app):
    app = app(state={"count": 0})
    for number in range(1, 40):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    view = view(groups=True, height=840)
    view.page.route("**/events?*", lambda route: None)
    view.open(app.session, event=20)
    expect(view.selected).to_have_id("event-20")
    view.page.keyboard.press("ArrowDown")
    expect(view.selected).to_have_id("event-21")
    # The held request continues then.
    view.page.unroute("**/events?*")
    expect(view.row(21)).to_contain_text("count/up")
    expect(view.row(1)).to_contain_text("▾ 39")
    expect(view.selected).to_have_id("event-21")


def test_the_addresss_event_stays_out_of_groups(view, app):
    app = app(state={"count": 0})
    for number in range(1, 21):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    view = view(groups=True).open(app.session, event=20)
    expect(view.row(20)).to_contain_text("×20")
    for number in range(21, 40):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    expect(view.page.get_by_text("#20 / 39")).to_be_visible()
    expect(view.selected).to_have_id("event-20")
    view.page.keyboard.press("ArrowDown")
    expect(view.selected).to_have_id("event-21")
    view.page.keyboard.press("ArrowLeft")
    expect(view.selected).to_contain_text("×39")
