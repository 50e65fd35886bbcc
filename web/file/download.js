// Loads a file from an address for the worker. The page does this itself: if a connection breaks off, a browser drops what
// nobody has read yet, and a worker gets to read later.

/** How often an address is asked again that sends nothing, and one that sends no more. */
const mostTries = 12;
const mostTriesForMore = 3;
/** So many bytes are loaded a second time, from a server that can’t begin in the middle. */
const mostSkipped = 8 << 20;

/**
 * What a download reports: the size in bytes, each piece, and then its end, why it broke off, or why it can't begin.
 * @typedef {{size: number}|{piece: Uint8Array}|{end: true}|{failure: string}|{refusal: {status: number, code: string, detail: string}}} Report
 */

/**
 * If the connection breaks off, the download goes on where it was.
 * @param {{url: string, name: string}} source
 * @param {AbortSignal} signal
 * @param {(report: Report) => void} report
 */
export async function download({ url, name }, signal, report) {
  let count = 0;
  let version = null;
  let isPacked = false;
  for (let tries = 1; ; tries += 1) {
    const before = count;
    let failure;
    try {
      const headers = count > 0 && !isPacked ? { range: `bytes=${count}-` } : {};
      const response = await fetch(url, { credentials: 'same-origin', signal, headers }).catch((error) => {
        if (count > 0 || signal.aborted) throw error;
        report({ refusal: { status: 404, code: 'unreached', detail: `Can’t reach ${name}. The page can only load files from its own address.` } });
      });
      if (response === undefined) return undefined;
      if (!response.ok && count === 0) return report({ refusal: { status: response.status, code: 'absent', detail: `Can’t load ${name}: the address answered ${response.status}.` } });
      let skipped = skippedIn(response, count);
      const own = response.headers.get('etag') ?? response.headers.get('last-modified');
      if (skipped === null || version !== null && own !== version) throw new Error('the file has changed');
      version = own;
      // A compressed response has another length.
      isPacked = response.headers.get('content-encoding') !== null;
      const length = Number(response.headers.get('content-length'));
      if (count === 0 && length > 0 && !isPacked) report({ size: length });
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return report({ end: true });
        const piece = value.subarray(Math.min(skipped, value.length));
        skipped -= value.length - piece.length;
        count += piece.length;
        if (piece.length > 0) report({ piece: piece.length === value.length ? piece : piece.slice() });
      }
    } catch (error) {
      failure = error.message || error.name;
    }
    if (count > before) tries = 1;
    if (signal.aborted || tries >= (count > 0 ? mostTriesForMore : mostTries)) return report({ failure });
    await new Promise((resolve) => { setTimeout(resolve, Math.min(100 * tries, 500)); });
  }
}

/** How many bytes of an answer are known already; null if it doesn’t continue what is known. */
function skippedIn(response, count) {
  if (count === 0) return 0;
  if (response.status === 206) return response.headers.get('content-range')?.startsWith(`bytes ${count}-`) ? 0 : null;
  return response.ok && count <= mostSkipped ? count : null;
}
