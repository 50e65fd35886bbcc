// Why a session can't be shown.
import { byID, h, linkTo } from '../ui/dom.js';

/**
 * @param {import('../link/http.js').Problem} problem
 * @param {import('../model/page.js').Page} page
 */
export function showProblem(problem, page) {
  const missing = problem.status === 404;
  byID('problem').replaceChildren(
    h('h2', {}, missing ? 'Session not found' : problem.title ?? 'Can’t read this session'),
    h('p', {}, missing ? `The server has no session “${page.place.session}”. It may have been deleted.` : problem.message),
    missing ? '' : h('button', { class: 'main', on: { click: () => { page.session.open(); page.refresh(); } } }, 'Try again'),
    linkTo(h('a', { href: './', class: 'button' }, 'Go to sessions'), () => page.go({ session: null })));
}
