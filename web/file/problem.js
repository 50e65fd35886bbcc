// Problem documents, like the server's.

const titles = {
  400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed', 409: 'Conflict', 413: 'Content Too Large', 422: 'Unprocessable Content', 500: 'Error', 502: 'Bad Gateway',
};

export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} detail @param {object} [members] */
  constructor(status, code, detail, members = {}) {
    super(detail);
    this.status = status;
    this.document = { type: 'about:blank', title: titles[status] ?? 'Error', status, code, detail, ...members };
  }
}

/** @param {number} status @param {string} code @param {string} detail @param {object} [members] @returns {never} */
export function refuse(status, code, detail, members) {
  throw new Refusal(status, code, detail, members);
}
