/* global document, fetch, URL */

// Searches the guide in the browser: an index of all sections is loaded when somebody begins to search.

const MAX_FOUND = 12;
const AROUND = 60;

const search = document.querySelector('search');
const input = search.querySelector('input');
const found = search.querySelector('.found');
let index;

const load = () =>
  (index ??= fetch(new URL('guide/search.json', import.meta.url))
    .then((response) => response.json())
    .catch(() => {
      // The next letter tries again.
      index = undefined;
      return [];
    }));

/** Sections that have all words, the best first: a word in a heading counts for more than in the text. */
function sectionsWith(words, sections) {
  return sections
    .map(([url, title, heading, text]) => {
      const all = [heading, title, text].map((part) => part.toLowerCase());
      const ranks = words.map((word) => all.findIndex((part) => part.includes(word)));
      return { url, title, heading, text, rank: ranks.includes(-1) ? Infinity : Math.max(...ranks) };
    })
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND);
}

/** The text around the first word. */
function excerptOf(text, [word]) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND);
  const excerpt = text.slice(at, at + 3 * AROUND);
  return `${at > 0 ? '…' : ''}${excerpt}${at + excerpt.length < text.length ? '…' : ''}`;
}

function elementOf(name, text, ...children) {
  const element = document.createElement(name);
  element.append(text, ...children);
  return element;
}

function itemOf({ url, title, heading, text }, words) {
  const link = elementOf('a', heading === title ? title : `${title}: ${heading}`);
  link.href = new URL(url, import.meta.url).href;
  return elementOf('li', link, elementOf('p', excerptOf(text, words)));
}

async function show() {
  const asked = input.value;
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = words.length === 0 ? [] : sectionsWith(words, await load());
  // Something else was typed meanwhile.
  if (input.value !== asked) return;
  if (words.length === 0) found.replaceChildren();
  else if (sections.length === 0) found.replaceChildren(elementOf('p', 'Nothing found.'));
  else found.replaceChildren(elementOf('ul', '', ...sections.map((section) => itemOf(section, words))));
}

search.hidden = false;
input.addEventListener('focus', load, { once: true });
input.addEventListener('input', show);
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') {
    input.value = '';
    input.focus();
    found.replaceChildren();
  } else if (key === 'Enter' && document.activeElement === input) found.querySelector('a')?.click();
});
search.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) found.replaceChildren();
});
