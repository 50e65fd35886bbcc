"""The page reads a file as the engine does: every question of the corpus, and the engine's answer."""

import json
from pathlib import Path

import pytest
from test_file_answers import as_floats

CORPUS = Path(__file__).parent.parent / "Fixtures" / "Corpus"
QUESTIONS = [json.loads(line, parse_float=str, parse_int=str) for line in (CORPUS / "answers.jsonl").read_text().splitlines()]

# A list may end before its limit: it is continued where it ended, as a page does.
ASK = r"""async ({ tapes, questions }) => {
    const { OpenedFiles } = await import('/file/opened.js');
    const { request } = await import('/link/http.js');
    const files = new OpenedFiles();
    for (const [name, text] of tapes) {
        const done = new Promise((resolve) => files.addEventListener('progress', () => {
            if ([...files.files.values()].every(({ done }) => done)) resolve();
        }));
        await files.add(new Blob([text]), name);
        await done;
    }
    const get = async (url) => {
        try {
            const response = await request(url.pathname + url.search);
            return [response.status, await response.text(), response.headers.get('StateTape-Next')];
        } catch (error) {
            return [error.status, JSON.stringify(error.document), null];
        }
    };
    const answers = [];
    for (const [tape, path, last] of questions) {
        const url = new URL(`/api/v1/sessions/${tape}${path}`, location.href);
        const list = /\/(events|matches)$/.exec(url.pathname)?.[1];
        let limit = Number(url.searchParams.get('limit') ?? Infinity);
        const parts = [];
        for (;;) {
            const [status, text, next] = await get(url);
            if (!list || status !== 200) {
                answers.push([status, text]);
                break;
            }
            const found = list === 'matches' ? JSON.parse(text).seqs : text.split('\n').filter(Boolean);
            const on = list === 'matches' ? JSON.parse(text).next : Number(next) <= last ? Number(next) : null;
            parts.push(...found);
            limit -= found.length;
            if (on === null || limit <= 0) {
                answers.push([status, list === 'matches' ? JSON.stringify(parts) : parts.join('\n')]);
                break;
            }
            url.searchParams.set('from', on);
            if (limit < Infinity) url.searchParams.set('limit', limit);
        }
    }
    return answers;
}"""


def read(text):
    return json.loads(text, parse_float=str, parse_int=str)


def body(path, status, text):
    """An answer as the corpus has it."""
    if status == 404:
        return None
    if status == 409:
        return {name: read(text).get(name) for name in ("before", "after")}
    if path.endswith("/causes"):
        return {name: value for name, value in read(text).items() if name != "committed"}
    if path.startswith(("/events", "/tape")):
        return [read(line) for line in text.splitlines()]
    if path.startswith(("/histogram", "/activity")):
        return {name: value for name, value in read(text).items() if name not in ("next", "committed")}
    return read(text)


@pytest.mark.parametrize("number", range(1, 7))
def test_the_page_answers_as_the_engine_does(view, number):
    view = view()
    view.open()
    name = f"CORPUS-TAPE-{number}"
    tapes = [(file.stem, file.read_text()) for file in sorted(CORPUS.glob(f"{name}*.tape"))]
    last = {tape: json.loads(text.splitlines()[-1])["seq"] for tape, text in tapes}
    questions = [one for one in QUESTIONS if one["tape"] in last]
    assert len(questions) > 100
    answers = view.page.evaluate(ASK, {"tapes": tapes, "questions": [(one["tape"], one["path"], last[one["tape"]]) for one in questions]})
    wrong = []
    for question, (status, text) in zip(questions, answers, strict=True):
        path = question["path"]
        change = as_floats if path.startswith(("/overview", "/histogram", "/activity")) else lambda answer: answer
        if int(question["status"]) != status or change(question["body"]) != change(body(path, status, text)):
            wrong.append(f"{question['tape']} {path}\n  engine: {question['status']} {json.dumps(question['body'])[:700]}\n  page:   {status} {text[:700]}")
    assert not wrong, f"{len(wrong)} answers differ:\n" + "\n".join(wrong[:8])
