// The name of a Swift type as a tape has it, such as `Shop.Box<Swift.Int>.Item`.

/** Stands for a file or a function that hides a type. */
const hiddenPlace = '(private).';
const word = /^[\p{L}\p{N}_]+/u;

/** Whether a text can name a module. @param {any} text @returns {boolean} */
export const isModule = (text) => typeof text === 'string' && /^[\p{L}\p{N}_]+$/u.test(text);

export class SwiftName {
  isProtocol;
  /** The type that its file or function hides, or null. @type {string|null} */
  hidden = null;
  /** The types that it mentions, its own first. @type {{module: string, top: string}[]} */
  mentions = [];
  /** @type {(string|{module: string, top: string})[]} */
  #pieces = [];

  /** Null for a text that is not such a name: the tape may be anybody's. @param {any} text @returns {SwiftName|null} */
  static parse(text) {
    return typeof text === 'string' && /^[\p{L}\p{N}_.<>,& ]+$/u.test(text.replaceAll(hiddenPlace, '')) ? new SwiftName(text) : null;
  }

  /** @param {string} text */
  constructor(text) {
    this.isProtocol = text.startsWith('any ');
    const place = text.lastIndexOf(hiddenPlace);
    if (place >= 0) this.hidden = word.exec(text.slice(place + hiddenPlace.length))?.[0] ?? null;
    let rest = text.replaceAll(hiddenPlace, '');
    // A name begins with its module, unless it goes on after a dot.
    let begins = true;
    while (rest !== '') {
      const found = word.exec(rest)?.[0] ?? '';
      const piece = found || [...rest][0];
      rest = rest.slice(piece.length);
      if (begins && found !== '' && rest.startsWith('.')) {
        rest = rest.slice(1);
        const mention = { module: found, top: word.exec(rest)?.[0] ?? '' };
        this.mentions.push(mention);
        this.#pieces.push(mention);
        begins = false;
      } else {
        this.#pieces.push(piece);
        begins = found === 'any' || found === '' && piece !== '.';
      }
    }
  }

  /**
   * The name in source code.
   * @param {(mention: {module: string, top: string}) => boolean} isQualified whether a type needs its module
   * @returns {string}
   */
  source(isQualified) {
    return this.#pieces.map((piece) => typeof piece === 'string' ? piece : isQualified(piece) ? `${piece.module}.` : '').join('');
  }
}
