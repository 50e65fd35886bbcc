// Changes as a JSON Patch, which any RFC 6902 library can apply.
import { Application, at, step } from '../json/patch.js';

/**
 * The patch between two states. The tape's own `splice` becomes a `replace`.
 * @param {import('../views/inspector.js').Comparison} comparison
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

/** The last elements of an array are removed first, so that the indexes of the others stay valid. */
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
