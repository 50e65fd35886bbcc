// JSON Pointer, RFC 6901.

/** The tokens of a pointer. @param {string} text @returns {string[]} */
export function tokens(text) {
  if (!isPointer(text)) throw new Error(`“${text}” is not a JSON Pointer`);
  if (text === '') return [];
  return text.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @param {string} text @returns {boolean} a patch may contain any text */
export function isPointer(text) {
  return text === '' || text[0] === '/' && !/~(?![01])/.test(text);
}

/**
 * Appends a token.
 * @param {string} pointer
 * @param {string|number} token
 * @returns {string}
 */
export function below(pointer, token) {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * A readable path: `todos › 3 › done`; other text is unchanged.
 * @param {string} pointer
 * @param {string} [separator]
 * @returns {string}
 */
export function readable(pointer, separator = ' › ') {
  if (!isPointer(pointer)) return pointer;
  return pointer === '' ? 'whole state' : tokens(pointer).join(separator);
}
