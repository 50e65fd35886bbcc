// The story above the page: one step at a time, and the event that it tells of.
import { byID, h } from './ui/dom.js';

const story = byID('story');
const steps = [...story.querySelectorAll('li')];
const back = byID('story-back');
const reopen = h('button', { id: 'story-open', hidden: true }, 'What to look for');
byID('help').before(reopen);

/** Shows a step and goes to its event. The page listens to the browser's Back and Forward, and takes this for one. */
function show(number) {
  steps.forEach((step, index) => { step.hidden = index !== number; });
  back.hidden = number === 0;
  steps[number].append(back);
  const { event } = steps[number].dataset;
  if (event === undefined) return;
  const query = new URLSearchParams(location.search);
  query.set('event', event);
  query.delete('tab');
  history.pushState(null, '', `${location.pathname}?${query}`);
  dispatchEvent(new PopStateEvent('popstate'));
}

function toggle(isOpen) {
  story.hidden = !isOpen;
  reopen.hidden = isOpen;
}

const current = () => steps.findIndex((step) => !step.hidden);
for (const button of story.querySelectorAll('.main')) button.addEventListener('click', () => (button.id === 'story-end' ? toggle(false) : show(current() + 1)));
back.addEventListener('click', () => show(current() - 1));
byID('story-close').addEventListener('click', () => toggle(false));
reopen.addEventListener('click', () => toggle(true));
show(0);
