// Loads a file from an address for the worker. The page does this itself: if a connection breaks off, a browser drops what
// nobody has read yet, and a worker gets to read later.

/** How often an address is asked that answers, and then sends nothing. */
const mostTries = 6;

/**
 * What a download reports: the size in bytes, each piece, and then its end, why it broke off, or why it can't begin.
 * @typedef {{size: number}|{piece: Uint8Array}|{end: true}|{failure: string}|{refusal: {status: number, code: string, detail: string}}} Report
 */

/**
 * @param {{url: string, name: string}} source
 * @param {AbortSignal} signal
 * @param {(report: Report) => void} report
 */
export async function download({ url, name }, signal, report) {
  for (let tries = 1; ; tries += 1) {
    let count = 0;
    let response;
    try {
      response = await fetch(url, { credentials: 'same-origin', signal });
    } catch {
      return report({ refusal: { status: 404, code: 'unreached', detail: `Can’t reach ${name}. The page can only load files from its own address.` } });
    }
    if (!response.ok) return report({ refusal: { status: response.status, code: 'absent', detail: `Can’t load ${name}: the address answered ${response.status}.` } });
    try {
      const reader = response.body.getReader();
      const length = Number(response.headers.get('content-length'));
      // A compressed response has another length.
      if (length > 0 && !response.headers.get('content-encoding')) report({ size: length });
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return report({ end: true });
        count += value.length;
        report({ piece: value });
      }
    } catch (error) {
      if (count > 0 || signal.aborted || tries === mostTries) return report({ failure: error.message || error.name });
      await new Promise((resolve) => { setTimeout(resolve, 100 * tries); });
    }
  }
}
