/* global document */

// What the key page is made of. Texts of the API become text nodes, never HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** An element; attributes without a value are left out. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svgElement(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(attribute, value);
  made.append(...children.map((child) => (typeof child === 'object' ? child : String(child))));
  return made;
}

/** What somebody has written: it cannot change the direction of what stands around it. */
export const written = (text) => element('bdi', {}, text);

const NUMBER = new Intl.NumberFormat('en');

/** A count with separators; one beyond 2^53 is a text, and stays as it was sent. */
export const count = (number) => (typeof number === 'number' ? NUMBER.format(number) : number);

/** "1 request", "2 requests". */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const SECOND = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const dayText = (date) => DAY.format(new Date(date));

/** A moment in UTC, which the text around it says. */
export const moment = (text) => element('time', { datetime: text }, SECOND.format(new Date(text)));

/** "42 seconds", "7 minutes", rounded up, "about 24 hours", "about 12 days". */
export function durationText(seconds) {
  if (seconds < 120) return counted(Math.ceil(seconds), 'second');
  if (seconds < 7_200) return counted(Math.ceil(seconds / 60), 'minute');
  if (seconds <= 172_800) return `about ${counted(Math.round(seconds / 3_600), 'hour')}`;
  return `about ${counted(Math.round(seconds / 86_400), 'day')}`;
}

/** A table that scrolls by itself where it does not fit. */
export function table(caption, heads, rows) {
  const cells = (kind, attributes) => (content) => element(kind, attributes, content);
  return element(
    'div',
    { class: 'table', role: 'group', 'aria-label': caption, tabindex: 0 },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads.map(cells('th', { scope: 'col' })))),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cells('td'))))),
    ),
  );
}

export const badge = (text, kind) => element('span', { class: `badge ${kind}` }, text);
