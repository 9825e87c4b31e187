import { relativeUrl } from './sources.mjs';

const NAME = 'Pet Store Service';

/** A page of the site around the HTML of a document. */
export function pageOf({ path, title, description }, html, sources) {
  const url = (to) => relativeUrl(path, to);
  const at = sources.findIndex((source) => source.path === path);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${escaped(description)}" />
    <title>${escaped(title)} · ${NAME}</title>
    <link rel="stylesheet" href="${url('/docs/docs.css')}" />
    <link rel="icon" type="image/svg+xml" href="${url('/docs/icon.svg')}" />
    <link rel="alternate" type="text/markdown" href="${url(`${path}.md`)}" />
    <script type="module" src="${url('/docs/guide.js')}"></script>
  </head>
  <body>
    <a class="skip" href="#page-content">Skip to the content</a>
    <header class="masthead">
      <img src="${url('/docs/icon.svg')}" alt="" width="28" height="28" />
      <strong>${NAME}</strong>
      <nav aria-label="Docs">
        <a href="${url('/docs/guide')}" aria-current="true">Guide</a>
        <a href="${url('/docs')}">Try it</a>
        <a href="${url('/docs/key')}">Your key</a>
        <a class="to-pages" href="#page-list">Pages</a>
      </nav>
      <search hidden>
        <input type="search" aria-label="Search the guide" placeholder="Search" autocomplete="off" />
        <div class="found" aria-live="polite"></div>
      </search>
    </header>
    <div class="columns">
      <nav class="pages" id="page-list" aria-label="Pages of the guide">
        <ol>
${sources.map((source) => `          <li>${linkTo(source, url, source.path === path)}</li>`).join('\n')}
        </ol>
      </nav>
      <main id="page-content">
${html}
        <nav class="neighbours" aria-label="Neighbouring pages">
          ${neighbour('prev', 'Before', sources[at - 1], url)}
          ${neighbour('next', 'Next', sources[at + 1], url)}
        </nav>
        <footer><a href="${url(`${path}.md`)}">This page as Markdown</a></footer>
      </main>
    </div>
  </body>
</html>
`;
}

function linkTo({ path, title }, url, isCurrent) {
  return `<a href="${url(path)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;
}

function neighbour(rel, label, source, url) {
  if (source === undefined) return '<span></span>';
  return `<a rel="${rel}" href="${url(source.path)}">${label}: ${escaped(source.title)}</a>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
