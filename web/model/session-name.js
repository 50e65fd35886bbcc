// The names of a session and its device.

/** `Todo 2.3 (451)` @param {any} summary @returns {string} */
export function sessionName({ app, title }) {
  const text = [app?.name ?? app?.id ?? 'App', app?.version].filter(Boolean).join(' ');
  return title ? `${title} (${text})` : text;
}

/** `Ana’s red phone · iOS 18.1` @param {any} summary @returns {string} */
export function deviceName({ device }) {
  return [device?.nickname ?? device?.name ?? device?.model, device?.os].filter(Boolean).join(' · ') || 'unnamed device';
}
