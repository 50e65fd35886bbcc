// The only user of requestAnimationFrame: it runs each job once, in the next frame.

const jobs = new Set();
/** Run after the other jobs of the same frame. */
const drawings = new Set();
let asked = false;

/**
 * Runs a job once in the next frame.
 * @param {() => void} job
 * @param {boolean} [draws] whether it draws the results of other jobs
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
      // Other views are drawn even if one fails.
      reportError(error);
    }
  }
}
