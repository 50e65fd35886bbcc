// A set of seqs, a bit each.

const perPage = 256;

export class Seqs {
  #pages = new Map();
  size = 0;

  /** @param {number} seq */
  add(seq) {
    const index = Math.floor(seq / perPage);
    let bits = this.#pages.get(index);
    if (bits === undefined) this.#pages.set(index, bits = new Uint8Array(perPage / 8));
    const place = seq % perPage;
    if (bits[place >> 3] & (1 << (place & 7))) return;
    bits[place >> 3] |= 1 << (place & 7);
    this.size += 1;
  }

  /** @param {number} seq @returns {boolean} */
  has(seq) {
    const place = seq % perPage;
    return ((this.#pages.get(Math.floor(seq / perPage))?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Whether any of the seqs of a timeline's page is here. @param {number} index */
  hasPage(index) {
    return this.#pages.has(index);
  }
}
