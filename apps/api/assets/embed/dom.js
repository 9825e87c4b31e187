/**
 * A new element. Nothing is ever read as markup: attributes are set one by one, and texts are nodes.
 *
 * @param attributes texts; `true` is one without a value, `false` and what is missing is none, a function is a listener
 */
export function create(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(attribute, value);
    else if (value !== undefined && value !== false)
      element.setAttribute(attribute, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** The URL that a text is in this page; `undefined` for one that is none. No text is none. */
export function urlOf(text) {
  if (!text) return undefined;
  try {
    return new URL(text, document.baseURI);
  } catch {
    return undefined;
  }
}

/** Whether a page may lead there, and load a photo from there: https:, and the machine that a page is tried out on. */
export function isSafe(url) {
  return (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
  );
}

/** The address that a link of a shelter's page is for an animal. */
export const linkTo = (template, id) => urlOf(template.replaceAll('{id}', id));

/** Attributes of a link that leads away from the page; nothing for an address that a page may not lead to. */
export const leadingTo = (url) =>
  isSafe(url) ? { href: url.href, rel: 'noopener', referrerpolicy: 'no-referrer' } : undefined;
