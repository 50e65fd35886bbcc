// The dialog for dropped files: open them here, or upload them.
import { Problem } from '../link/http.js';
import { h, set, setText } from '../ui/dom.js';
import { openDialog } from '../ui/dialog.js';
import { many, size } from '../ui/format.js';
import { notice } from '../ui/notice.js';

/**
 * Asks what to do with files.
 * @param {import('../model/page.js').Page} page
 * @param {File[]} files
 * @param {() => void} open them here
 */
export async function offer(page, files, open) {
  const one = files.length === 1;
  const what = one ? files[0].name : many(files.length, 'file');
  const reason = page.readOnly;
  const line = h('p', { role: 'status' }, one ? `${size(files[0].size)}.` : files.map((file) => file.name).join(', '));
  const bar = h('progress', { 'aria-label': 'Upload', hidden: true });
  const here = h('button', { class: 'main', autofocus: true }, 'Open here, read-only');
  const send = h('button', { disabled: reason !== '', title: reason || null }, 'Upload to server');
  const dialog = await openDialog(`Open ${what}`, {}, line,
    h('p', {}, 'Open here: the file stays on this machine, and you leave the server’s sessions until you reload the page. Upload: everyone who uses the server can see it.'),
    reason ? h('p', { class: 'hint' }, reason) : null, bar, h('div', { class: 'buttons' }, send, here));
  here.addEventListener('click', () => {
    dialog.close();
    open();
  });
  send.addEventListener('click', async () => {
    send.disabled = here.disabled = true;
    bar.hidden = false;
    const abort = new AbortController();
    dialog.addEventListener('close', () => abort.abort());
    let session = null;
    for (const file of files) {
      try {
        const summary = await upload(file, abort.signal, (sent) => {
          set(bar, 'max', file.size);
          set(bar, 'value', sent);
          setText(line, sent < file.size ? `Sending ${file.name}: ${size(sent)} of ${size(file.size)}.` : `The server is reading ${file.name}.`);
        });
        session ??= summary.session;
        if (summary.stopped) notice(`${file.name} ends inside line ${summary.stopped.line}. The server stored the complete events before it.`, { failed: true });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (!abort.signal.aborted) notice(`Can’t upload ${file.name}: ${error.message}`, { failed: true });
        break;
      }
    }
    dialog.close();
    if (session !== null) page.go({ session });
  });
}

/** Uploads a file. Unlike `fetch`, this reports progress. */
function upload(file, signal, sent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/v1/sessions');
    request.upload.onprogress = ({ loaded }) => sent(loaded);
    request.onload = () => {
      let document = {};
      try {
        document = JSON.parse(request.responseText);
      } catch {
        // The answer is not JSON.
      }
      if (request.status < 300) resolve(document);
      else reject(new Problem(request.status, document));
    };
    request.onerror = request.onabort = () => reject(new Problem(0, { title: 'Can’t reach the server' }));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
