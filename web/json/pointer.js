// JSON Pointer, RFC 6901.

/**
 * The tokens of a pointer.
 * @param {string} text
 * @returns {string[]}
 */
export function tokens(text) {
  if (!isPointer(text)) throw new Error(`“${text}” is not a JSON Pointer`);
  if (text === '') return [];
  return text.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @param {string} text @returns {boolean} Whether it is a pointer: a patch may name anything. */
export function isPointer(text) {
  return text === '' || text[0] === '/' && !/~(?![01])/.test(text);
}

/**
 * The pointer one token below another.
 * @param {string} pointer
 * @param {string|number} token
 * @returns {string}
 */
export function below(pointer, token) {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * A pointer as people read it: `todos › 3 › done`; what is none as it stands.
 * @param {string} pointer
 * @param {string} [separator]
 * @returns {string}
 */
export function readable(pointer, separator = ' › ') {
  if (!isPointer(pointer)) return pointer;
  return pointer === '' ? 'whole state' : tokens(pointer).join(separator);
}
