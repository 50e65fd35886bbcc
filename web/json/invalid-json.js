// Finds the first error in typed JSON text.

/** @typedef {{offset: number, line: number, column: number, message: string}} Place */

const space = /[ \t\n\r]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** The depth limit of a tape's lines. */
const deepest = 512;

/**
 * The first error of a text, or null if a tape may contain it.
 * @param {string} text
 * @returns {Place|null}
 */
export function findInvalid(text) {
  const reader = new Reader(text);
  try {
    reader.value(0);
    reader.end();
    return null;
  } catch (found) {
    if (!(found instanceof Invalid)) throw found;
    const before = text.slice(0, found.offset);
    const line = before.split('\n').length;
    return { offset: found.offset, line, column: found.offset - before.lastIndexOf('\n'), message: found.message };
  }
}

/** @param {Place} found @returns {string} `Line 3, column 5: …` */
export function describe({ line, column, message }) {
  return `Line ${line}, column ${column}: ${message}`;
}

class Invalid extends Error {
  constructor(offset, message) {
    super(message);
    this.offset = offset;
  }
}

class Reader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  value(depth) {
    this.#take(space);
    if (depth > deepest) this.#fail(`more than ${deepest} levels deep`);
    const letter = this.#text[this.#at];
    if (letter === '{') this.#object(depth);
    else if (letter === '[') this.#array(depth);
    else if (letter === '"') this.#string();
    else if (!this.#take(scalar)) this.#fail(this.#unexpected('a value'));
  }

  end() {
    this.#take(space);
    if (this.#at < this.#text.length) this.#fail(this.#unexpected('the end'));
  }

  #object(depth) {
    const keys = new Set();
    this.#at += 1;
    if (this.#closes('}')) return;
    for (;;) {
      this.#take(space);
      const start = this.#at;
      if (this.#text[start] !== '"') this.#fail(this.#unexpected('a key in double quotes'));
      this.#string();
      const key = JSON.parse(this.#text.slice(start, this.#at));
      if (keys.has(key)) this.#fail(`duplicate key ${JSON.stringify(key)}`, start);
      keys.add(key);
      this.#take(space);
      if (this.#text[this.#at] !== ':') this.#fail(this.#unexpected('a colon after the key'));
      this.#at += 1;
      this.value(depth + 1);
      if (this.#closes('}')) return;
      this.#comma('}');
    }
  }

  #array(depth) {
    this.#at += 1;
    if (this.#closes(']')) return;
    for (;;) {
      this.value(depth + 1);
      if (this.#closes(']')) return;
      this.#comma(']');
    }
  }

  #closes(letter) {
    this.#take(space);
    if (this.#text[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #comma(close) {
    const comma = this.#at;
    if (this.#text[comma] !== ',') this.#fail(this.#unexpected(`a comma or “${close}”`));
    this.#at += 1;
    this.#take(space);
    if (this.#text[this.#at] === close) this.#fail('a comma after the last element', comma);
  }

  #string() {
    if (this.#take(string)) return;
    const rest = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/.exec(this.#text.slice(this.#at))[0];
    const start = this.#at;
    const end = start + rest.length;
    if (end >= this.#text.length) this.#fail('this string has no closing double quote', start);
    this.#fail(this.#text[end] === '\\' ? 'an unknown escape' : 'a line break or control character in a string: write it as \\n or \\u…', end);
  }

  #take(expression) {
    expression.lastIndex = this.#at;
    if (!expression.test(this.#text)) return false;
    this.#at = expression.lastIndex;
    return true;
  }

  #unexpected(wanted) {
    if (this.#at >= this.#text.length) return `expected ${wanted}, but the text ends here`;
    const there = /^[\w.+-]+|^[^]/u.exec(this.#text.slice(this.#at, this.#at + 24))[0];
    return `expected ${wanted}, found ${there === "'" ? 'a single quote' : `“${there}”`}`;
  }

  #fail(message, offset = this.#at) {
    throw new Invalid(offset, message);
  }
}
