// Divides long work into slices, so that other requests are answered soon.

/** The length of a slice (ms). */
const slice = 12;

const channel = new MessageChannel();
const waiting = [];
let began = performance.now();

channel.port1.onmessage = () => {
  began = performance.now();
  waiting.shift()();
};

/**
 * Lets the worker handle other messages if the slice is over.
 * @returns {Promise<void>|undefined}
 */
export function yieldIfDue() {
  if (performance.now() - began < slice) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Starts a slice. Call this when a message arrives. */
export function startSlice() {
  began = performance.now();
}
