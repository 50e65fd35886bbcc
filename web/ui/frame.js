// The one owner of requestAnimationFrame: what is asked for is done once, in the next frame.

const jobs = new Set();
let asked = false;

/**
 * Runs a job in the next frame; asked for twice, it still runs once.
 * @param {() => void} job
 */
export function inFrame(job) {
  jobs.add(job);
  if (asked) return;
  asked = true;
  requestAnimationFrame(run);
}

function run() {
  asked = false;
  const now = [...jobs];
  jobs.clear();
  for (const job of now) {
    try {
      job();
    } catch (error) {
      // One view that fails must not leave the others undrawn.
      reportError(error);
    }
  }
}
