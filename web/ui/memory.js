// What this browser remembers. If it refuses storage, nothing.

/** @param {string} name @returns {string|null} */
export function recall(name) {
  try { return localStorage.getItem(`statetape${name}`); } catch { return null; }
}

/** @param {string} name @param {string|null} value null: forget it */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`statetape${name}`);
    else localStorage.setItem(`statetape${name}`, value);
  } catch { /* forgotten */ }
}
