// The link over which changes arrive: from the server, or from files that are open instead.
import { ViewerLink } from '../link/viewer.js';

export class Connection {
  /** @type {ViewerLink|import('../file/opened.js').OpenedFiles} */
  link = new ViewerLink();
  /** Why the server can't store events now. @type {string|null} */
  storageError = null;
  #page;
  #wasLost = false;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#listen();
  }

  /** @param {import('../file/opened.js').OpenedFiles} files that take the server's place */
  replace(files) {
    if (this.link === files) return;
    this.link.close();
    this.link = files;
    this.#listen();
    this.#page.emit('connection');
  }

  #listen() {
    const { link } = this;
    const { sessions, session } = this.#page;
    const on = (name, act) => link.addEventListener(name, ({ detail }) => this.link === link && act(detail));
    on('status', () => this.#changed());
    on('session', (summary) => {
      if (summary.deleted === true) {
        sessions.remove(summary.session);
        return session.deleted(summary.session);
      }
      sessions.update(summary);
      return session.update(summary);
    });
    on('watching', (end) => {
      session.committed(end);
      // From here on the link reports every change, and may overtake this answer; it may have missed one before.
      this.#page.guard(async () => {
        const { summary } = session;
        const answer = await sessions.one(end.session);
        if (session.summary === summary) session.update(answer);
      });
    });
    on('behind', (end) => session.committed(end));
    on('event', (event) => session.append(event));
    on('runs', (runs) => this.#page.emit('runs', runs));
    on('archive', ({ error = null }) => {
      this.storageError = error;
      this.#page.emit('connection');
    });
  }

  #changed() {
    const page = this.#page;
    const { status } = this.link;
    // A server that still can't write says so again.
    this.storageError = null;
    // What the link doesn't send is read again, at first only the list; a link that is refused may need a login.
    if (status === 'live' && !this.#wasLost) page.guard(() => page.sessions.refresh());
    else if (page.sessions.known && status !== 'connecting') page.refresh();
    this.#wasLost ||= status === 'retrying';
    if (status === 'live') page.session.resume();
    page.emit('connection');
  }
}
