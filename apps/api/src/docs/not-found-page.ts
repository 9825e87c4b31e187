import type { IncomingMessage } from 'node:http';

/** Whether a person asks for a page of the docs that is not there: programs get an error as JSON. */
export function isMissingPage({ method = '', headers }: IncomingMessage, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && path.startsWith('/docs/') && headers.accept?.includes('text/html') === true;
}

/** @param path that was asked for; the link is relative to it, so that it holds below any path prefix */
export function notFoundPage(path: string): string {
  const root = '../'.repeat(path.split('/').length - 2);
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <title>No such page · Pet Store Service</title>
  <h1>There is no such page</h1>
  <p>The address may be mistyped, or the page was moved: look for it in the <a href="${root}docs/guide">guide</a>.</p>
</html>
`;
}
