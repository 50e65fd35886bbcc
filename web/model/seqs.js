// Sorted seqs, with how many of them are before each page.
import { pageSize } from './pages.js';

export class Seqs {
  size = 0;
  #list = new Float64Array(1024);
  #before = [0];

  /** Appends greater seqs. @param {number[]} seqs */
  add(seqs) {
    const size = this.size + seqs.length;
    if (size > this.#list.length) {
      const list = new Float64Array(2 * size);
      list.set(this.#list);
      this.#list = list;
    }
    this.#list.set(seqs, this.size);
    for (let place = this.size; place < size; place += 1) {
      const page = Math.floor(this.#list[place] / pageSize);
      while (this.#before.length <= page) this.#before.push(place);
    }
    this.size = size;
  }

  /** @param {number} place @returns {number|null} the seq there, null outside */
  at(place) {
    return place >= 0 && place < this.size ? this.#list[place] : null;
  }

  /** How many are before a page. @param {number} page its index */
  before(page) {
    return this.#before[page] ?? this.size;
  }

  /** The index of the first seq that is at least `seq`. @param {number} seq */
  place(seq) {
    const page = Math.floor(Math.max(0, seq) / pageSize);
    let low = this.before(page);
    let high = this.before(page + 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#list[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} seq @returns {boolean} */
  has(seq) {
    return this.at(this.place(seq)) === seq;
  }
}
