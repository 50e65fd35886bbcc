// Changes as a JSON Patch that any library of RFC 6902 can apply.
import { Application, at, step } from '../json/patch.js';

/**
 * The patch that makes the one state out of the other. The tape's own `splice` becomes a `replace`.
 * @param {import('../views/inspector.js').Comparison} told
 * @returns {object[]}
 */
export function patchOf({ changes, patch, before, after }) {
  if (patch === undefined) return fromChanges(changes, after);
  const application = new Application();
  let state = before;
  return patch.map((operation) => {
    if (state !== undefined) state = step(state, operation, application);
    return operation.op === 'splice' && state !== undefined ? { op: 'replace', path: operation.path, value: at(state, operation.path) } : operation;
  });
}

/** Elements of an array go from the last on, so that the indexes of those before them stay. */
function fromChanges(changes, after) {
  const operations = [];
  let removed = [];
  const flush = () => {
    operations.push(...removed.reverse());
    removed = [];
  };
  for (const change of changes) {
    if (change.kind === 'remove') {
      removed.push({ op: 'remove', path: change.path });
      continue;
    }
    flush();
    const value = change.text ? at(after, change.path) : change.new;
    operations.push({ op: change.kind, path: change.path, value });
  }
  flush();
  return operations;
}
