import type { IncomingMessage } from 'node:http';

/** Whether a person asks for a page of the docs that is not there: programs get an error as JSON. */
export function isMissingPage({ method = '', headers }: IncomingMessage, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path.startsWith('/docs/') && headers.accept?.includes('text/html') === true;
}

/** @param path that was asked for; the links are relative to it, so that they hold below any path prefix */
export function notFoundPage(path: string): string {
  const root = '../'.repeat(path.split('/').length - 2);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>No such page · Pet Store Service</title>
    <link rel="stylesheet" href="${root}docs/docs.css" />
    <link rel="icon" type="image/svg+xml" href="${root}docs/icon.svg" />
  </head>
  <body>
    <header class="masthead">
      <img src="${root}docs/icon.svg" alt="" width="28" height="28" />
      <strong>Pet Store Service</strong>
      <nav aria-label="Docs">
        <a href="${root}docs/guide">Guide</a>
        <a href="${root}docs">Try it</a>
        <a href="${root}docs/key">Your key</a>
      </nav>
    </header>
    <main class="key">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or the page was moved: look for it in the guide.</p>
    </main>
  </body>
</html>
`;
}
