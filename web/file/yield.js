// Long work in slices, so that what is asked meanwhile is answered soon.

/** Work goes on for so long, in ms. */
const slice = 12;

const channel = new MessageChannel();
const waiting = [];
let began = performance.now();

channel.port1.onmessage = () => {
  began = performance.now();
  waiting.shift()();
};

/**
 * Lets other messages come in, if it is time.
 * @returns {Promise<void>|undefined}
 */
export function yieldIfDue() {
  if (performance.now() - began < slice) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Begins a slice: called when a message has come in. */
export function startSlice() {
  began = performance.now();
}
