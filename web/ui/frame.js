// The one owner of requestAnimationFrame: what is asked for is done once, in the next frame.

const jobs = new Set();
/** Run after the others, and in the same frame where one of them asks for it. */
const drawings = new Set();
let asked = false;

/**
 * Runs a job in the next frame; asked for twice, it still runs once.
 * @param {() => void} job
 * @param {boolean} [draws] whether it draws what other jobs have reckoned
 */
export function inFrame(job, draws = false) {
  (draws ? drawings : jobs).add(job);
  if (asked) return;
  asked = true;
  requestAnimationFrame(run);
}

function run() {
  drain(jobs);
  drain(drawings);
  asked = jobs.size + drawings.size > 0;
  if (asked) requestAnimationFrame(run);
}

function drain(set) {
  const now = [...set];
  set.clear();
  for (const job of now) {
    try {
      job();
    } catch (error) {
      // One view that fails must not leave the others undrawn.
      reportError(error);
    }
  }
}
