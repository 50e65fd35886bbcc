// Creates elements from tags and text; never parses HTML.

/**
 * An element. Properties: `class`, `on` ({event: handler}), or an attribute; `true` is an empty
 * attribute; `false`, null and undefined are left out.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') element.className = value;
    else if (name === 'on') for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else set(element, name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Sets an attribute, or removes it.
 * @param {Element} element
 * @param {string} name
 * @param {string|number|boolean|null|undefined} value
 */
export function set(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value === true ? '' : value)) element.setAttribute(name, value === true ? '' : value);
}

/** Sets a text if it differs. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {string} id @returns {any} an element of index.html */
export function byID(id) {
  return document.getElementById(id);
}

/**
 * Opens a menu by click or arrow key.
 * @template {Element} Button
 * @param {Button} button
 * @param {() => void} open calls `openMenu` of ui/menu.js
 * @returns {Button}
 */
export function opensMenu(button, open) {
  set(button, 'aria-haspopup', 'menu');
  set(button, 'aria-expanded', 'false');
  button.addEventListener('click', open);
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open();
  });
  return button;
}

/**
 * Makes a link navigate within the page, unless it opens in another tab.
 * @template {Element} Link
 * @param {Link} link
 * @param {() => void} go
 * @returns {Link}
 */
export function linkTo(link, go) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go();
  });
  return link;
}
