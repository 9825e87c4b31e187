/* global document, fetch, navigator, NodeFilter, setTimeout, URL */

// Pages of the guide in the browser: the search, for which an index of all sections is loaded when somebody begins; buttons
// that copy the snippets; and the address of this service in place of the one that the documents have.

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

/** Sections that have all words, the best first: a heading counts for more than the text, and the text for more than code. */
function sectionsWith(words, sections) {
  return sections
    .map(([url, title, heading, text, code]) => {
      const all = [heading, title, text, code].map((part) => part.toLowerCase());
      const ranks = words.map((word) => all.findIndex((part) => part.includes(word)));
      return {
        url,
        title,
        heading,
        texts: [text, code],
        rank: ranks.includes(-1) ? Infinity : Math.max(...ranks),
      };
    })
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND);
}

/** The text around the first word, or the code if it stands there alone. */
function excerptOf(texts, [word]) {
  const text = texts.find((each) => each.toLowerCase().includes(word)) ?? texts[0];
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND);
  const excerpt = text.slice(at, at + 3 * AROUND);
  return `${at > 0 ? '…' : ''}${excerpt}${at + excerpt.length < text.length ? '…' : ''}`;
}

function elementOf(name, text, ...children) {
  const element = document.createElement(name);
  element.append(text, ...children);
  return element;
}

function itemOf({ url, title, heading, texts }, words) {
  const link = elementOf('a', heading === title ? title : `${title}: ${heading}`);
  link.href = new URL(url, import.meta.url).href;
  return elementOf('li', link, elementOf('p', excerptOf(texts, words)));
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

/** How the documents name the service. */
const LOCAL = 'http://127.0.0.1:3000';

/** Lets code name this service, also below a path that a proxy serves it below. */
function nameThisService() {
  const here = new URL('..', import.meta.url).href.replace(/\/$/, '');
  for (const code of document.querySelectorAll('main code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) texts.currentNode.data = texts.currentNode.data.replaceAll(LOCAL, here);
  }
}

/** Adds a button to each snippet. Where a browser gives no access to the clipboard, the snippet is selected instead. */
function addCopyButtons() {
  for (const code of document.querySelectorAll('pre > code:not(.language-plaintext)')) {
    const button = elementOf('button', 'Copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        document.getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    const pre = code.parentElement;
    const place = elementOf('div', '');
    place.className = 'snippet';
    pre.replaceWith(place);
    place.append(pre, button);
  }
}

nameThisService();
addCopyButtons();
