// A bug report in Markdown. All foreign text is quoted, so that it can't change the report around it.

/** The most causes, steps, changes and errors. */
export const most = { causes: 10, steps: 20, changes: 20, errors: 5 };
/** The most characters of a text. */
const longest = 500;

// Invisible characters, and those that reorder others.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const cut = (text) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
const clean = (text) => cut(String(text).replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(hidden, ''));

/**
 * A code span: nothing in it is markup, a mention or a link to an issue.
 * @param {string} text
 * @returns {string}
 */
export function code(text) {
  const line = clean(text).replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return fence + space + line + space + fence;
}

/**
 * A line of prose. A zero-width space after `@` and `#` keeps trackers from notifying people and linking issues.
 * @param {string} text
 * @returns {string}
 */
export function prose(text) {
  return clean(text).trim().replace(/[\\`*_[\]<>|~&$]/g, '\\$&').replace(/[@#](?=\S)/g, '$&\u200b')
    .replace(/^(\s*)([#+=-]|\d+(?=[.)]))/, (_, space, mark) => (/\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`));
}

/** Lines of prose as a quotation. @param {string} text */
const quoted = (text) => clean(text).trim().split('\n').map((line) => `> ${prose(line)}`.trimEnd()).join('\n');

/**
 * `start` is where the steps begin; a step's `change` is its first one, `times` counts repeats; `isHere` marks the selected event.
 * @typedef {{seq: number, type: string, payload?: string, change?: string, times: number, isHere: boolean}} Step
 * `causes` are the events that led to it, from the first on, or the last ones if `isCut`.
 * @typedef {{seq: number, label: string, moment: string, bookmarks: {text: string, author?: string}[],
 *   causes: {seq: number, label: string}[], isCut: boolean,
 *   start: {seq: number, label: string}|null, steps: Step[], changes: {path: string, text: string}[], moreChanges: number,
 *   note: string, errors: {seq: number, text: string}[], facts: [string, string][], link: string}} Report
 */

/**
 * The text of a report.
 * @param {Report} report
 * @returns {string}
 */
export function markdown({ seq, label, moment, bookmarks, start, steps, causes, isCut, changes, moreChanges, note, errors, facts, link }) {
  const at = code(`#${seq}`);
  const [first] = bookmarks;
  const title = first ? prose(first.text.trim().split('\n')[0]) : `${code(label) || 'Event'} at ${at}`;
  return [
    `## ${title}`,
    '',
    ...bookmarks.flatMap((one, index) => bookmark(one, index === 0)),
    '### Steps',
    '',
    ...start ? [`From ${code(`#${start.seq}`)} ${code(start.label)}:`, ''] : steps.length > 0 ? ['The last actions:', ''] : [],
    ...steps.length > 0 ? steps.map(step) : ['No actions before this event.'],
    '',
    ...causes.length > 0 ? [`Started by: ${isCut ? '… → ' : ''}${causes.map((one) => [code(`#${one.seq}`), code(one.label)].filter(Boolean).join(' ')).join(' → ')} → ${at}`, ''] : [],
    `### Changed at ${at} (${moment})`,
    '',
    ...changes.map(({ path, text }) => `- ${code(path)}: ${text}`),
    ...moreChanges > 0 ? [`- ${moreChanges} more`] : [],
    ...changes.length === 0 ? [note || 'Nothing.'] : [],
    '',
    ...errors.length > 0 ? ['### Errors', '', ...errors.map((one) => `- ${code(`#${one.seq}`)} ${code(one.text)}`), ''] : [],
    '### Where',
    '',
    ...facts.map(([name, value]) => `- ${name}: ${code(value)}`),
    `- Link: <${link}>`,
    '',
  ].join('\n');
}

/** The first line of the first bookmark is the title. */
function bookmark({ text, author }, isFirst) {
  const [title, ...rest] = text.trim().split('\n');
  const body = (isFirst ? rest : [title, ...rest]).join('\n').trim();
  const by = author ? [`> — ${prose(author)}`] : [];
  const lines = [...body === '' ? [] : [quoted(body), ...by.length > 0 ? ['>'] : []], ...by];
  return lines.length > 0 ? [...lines, ''] : [];
}

function step({ type, payload, change, times, isHere }, index) {
  const told = [code(type), payload && code(payload), change && `→ ${code(change)}`, times > 1 && `×${times}`, isHere && '← here'].filter(Boolean).join(' ');
  return `${index + 1}. ${told}`;
}
