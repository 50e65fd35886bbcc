// JSON Pointer, RFC 6901.

/**
 * The tokens of a pointer.
 * @param {string} text
 * @returns {string[]}
 */
export function tokens(text) {
  if (text === '') return [];
  if (text[0] !== '/' || /~(?![01])/.test(text)) throw new Error(`“${text}” is not a JSON Pointer`);
  return text.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
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
 * A pointer as people read it: `todos › 3 › done`.
 * @param {string} pointer
 * @param {string} [separator]
 * @returns {string}
 */
export function readable(pointer, separator = ' › ') {
  return pointer === '' ? 'whole state' : tokens(pointer).join(separator);
}
