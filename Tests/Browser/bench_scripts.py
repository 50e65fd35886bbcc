"""What `bench.py` runs inside the page."""

# Runs in every page before its own scripts: the first row with a label, and tasks that take too long.
WATCH = """
window.firstRows = new Promise((done) => {
    new MutationObserver((_, observer) => {
        if (!document.querySelector('#events .canvas .label')?.textContent) return;
        observer.disconnect();
        window.rowsAt = performance.now();
        // The frame after the one that paints them.
        requestAnimationFrame(() => done(performance.now()));
    }).observe(document, { childList: true, subtree: true });
});
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))))
    .observe({ type: 'longtask' });
"""

# The bytes of each request before the first row, as they were sent.
ASKED = """async () => {
    await firstRows;
    return performance.getEntries().filter(({ entryType, startTime }) => /navigation|resource/.test(entryType) && startTime < rowsAt)
        .map(({ transferSize }) => transferSize);
}"""

# Keydown until the panel shows the change, and that has been painted.
STEPS = """async ({ count, first }) => {
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    for (let step = 0; step < count; step += 1) {
        const due = `${first + step + 1}`;
        await frame();
        const start = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
        const panel = document.getElementById('panel');
        const there = () => panel.textContent.includes(`step-${due};`);
        while (!there() && performance.now() < start + 10000) await frame();
        await frame();
        times.push(performance.now() - start);
    }
    return times;
}"""

JUMPS = """async (seqs) => {
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    for (const seq of seqs) {
        await frame();
        const address = new URL(location);
        address.searchParams.set('event', seq);
        const start = performance.now();
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
        while (!document.getElementById('panel').textContent.includes(`step-${seq};`) && performance.now() < start + 10000) await frame();
        await frame();
        times.push(performance.now() - start);
    }
    return times;
}"""

# A floor for any page: one text changes and is painted.
BARE_STEP = """async (count) => {
    const frame = () => new Promise(requestAnimationFrame);
    const text = document.body.appendChild(document.createElement('p'));
    const times = [];
    for (let step = 0; step < count; step += 1) {
        await frame();
        const start = performance.now();
        text.textContent = step;
        await frame();
        await frame();
        times.push(performance.now() - start);
    }
    return times;
}"""

# In every frame: do the drawn rows fit the scroll position?
SCROLL = """async (frames) => {
    const events = document.getElementById('events');
    const drawn = () => new Promise((done) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(0);
    }));
    let [wrong, waiting, compared] = [0, 0, 0];
    for (let number = 0; number < frames; number += 1) {
        const way = Math.floor(number / 60) % 3;
        const height = events.scrollHeight - events.clientHeight;
        if (way === 0) events.scrollTop -= 340;
        else if (way === 1) events.scrollTop = height * ((number * 0.618) % 1);
        else events.scrollTop += 90;
        await drawn();
        const box = events.getBoundingClientRect();
        const rows = [...events.querySelectorAll('.row:not([hidden])')].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return top >= box.top && bottom <= box.bottom;
        });
        const all = Number(rows[0]?.getAttribute('aria-setsize'));
        const { offsetHeight } = rows[0] ?? {};
        const tall = all * offsetHeight;
        const ratio = (tall - events.clientHeight) / (events.scrollHeight - events.clientHeight);
        compared += 1;
        const right = rows.length >= Math.floor(box.height / offsetHeight) - 1 && rows.every((row) => {
            const due = (events.scrollTop * ratio + row.getBoundingClientRect().top - box.top) / offsetHeight;
            return Math.abs(Number(row.getAttribute('aria-posinset')) - 1 - due) <= 0.51;
        });
        if (!right) wrong += 1;
        if (rows.some((row) => row.querySelector('.label').textContent === '')) waiting += 1;
    }
    return { wrong, waiting, compared };
}"""

# Types a filter; measures the first matching rows, and the count of all matches.
SEARCH = """async ({ text, type, matching, shown }) => {
    const frame = () => new Promise(requestAnimationFrame);
    const field = document.getElementById('filter');
    await frame();
    const start = performance.now();
    let first = null;
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
    for (;;) {
        await frame();
        const names = [...document.querySelectorAll('#events .row:not([hidden]) .name')].map(({ textContent }) => textContent).filter(Boolean);
        if (names.length > 0 && names.length <= matching && names.every((name) => name === type)) first ??= performance.now() - start;
        const isDone = document.getElementById('shown').textContent === shown && !document.getElementById('searched').textContent;
        if (first !== null && isDone || performance.now() > start + 60_000) return [first, performance.now() - start];
    }
}"""

# A floor for any page that shows such rows, served as a text file.
BARE = """window.firstRows = new Promise((done) => addEventListener('DOMContentLoaded', async () => {
    const text = await (await fetch('%s')).text();
    document.body.replaceChildren();
    for (const line of text.split('\\n').slice(-41)) document.body.append(Object.assign(document.createElement('p'), { textContent: line }));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
}));"""
