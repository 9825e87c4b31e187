import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { KeptContent } from './kept-content.js';

const OWN = fileURLToPath(new URL('../../assets/docs/', import.meta.url));
const SWAGGER_UI = swaggerUiFolder();

/** What tools/guide makes of the documents when the service is built: files by the path that each is served under. */
const PAGES = fileURLToPath(new URL('../../dist/pages/', import.meta.url));

/** Revalidated each time, which a validator makes cheap: no page is made of files of two versions. */
export const REVALIDATED = 'public, no-cache';

/** For what changes only with a version of Swagger UI. */
const AN_HOUR = 'public, max-age=3600';

const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** Every file that there is: the path that is asked for, where it is, what it is, and for how long it holds. */
const FILES: readonly (readonly [path: string, folder: string, name: string, type: string, cache: string])[] =
  [
    ['/docs', OWN, 'index.html', HTML, REVALIDATED],
    ['/docs/docs.css', OWN, 'docs.css', CSS, REVALIDATED],
    ['/docs/docs.js', OWN, 'docs.js', JAVASCRIPT, REVALIDATED],
    ['/docs/exact-numbers.js', OWN, 'exact-numbers.js', JAVASCRIPT, REVALIDATED],
    ['/docs/theme.js', OWN, 'theme.js', JAVASCRIPT, REVALIDATED],
    ['/docs/guide.css', OWN, 'guide.css', CSS, REVALIDATED],
    ['/docs/guide.js', OWN, 'guide.js', JAVASCRIPT, REVALIDATED],
    ['/docs/key', OWN, 'key.html', HTML, REVALIDATED],
    ['/docs/key.css', OWN, 'key.css', CSS, REVALIDATED],
    ['/docs/key.js', OWN, 'key.js', JAVASCRIPT, REVALIDATED],
    ['/docs/icon.svg', OWN, 'icon.svg', 'image/svg+xml', AN_HOUR],
    ['/docs/swagger-ui.css', SWAGGER_UI, 'swagger-ui.css', CSS, AN_HOUR],
    ['/docs/swagger-ui-bundle.js', SWAGGER_UI, 'swagger-ui-bundle.js', JAVASCRIPT, AN_HOUR],
    // The page does not need it; the bundle's first line, and the licenses of its parts, do.
    [
      '/docs/swagger-ui-bundle.js.LICENSE.txt',
      SWAGGER_UI,
      'swagger-ui-bundle.js.LICENSE.txt',
      'text/plain; charset=utf-8',
      AN_HOUR,
    ],
  ];

const PAGE_TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Reads the docs page, the key page and the guide, 2.3 MB, by the exact path that each file is served under. */
export function readDocsFiles(): ReadonlyMap<string, KeptContent> {
  return new Map([
    ...FILES.map(([path, folder, name, type, cache]): [string, KeptContent] => [
      path,
      new KeptContent(readFileSync(join(folder, name)), type, cache),
    ]),
    ...readPages(),
  ]);
}

/**
 * None where the guide was not rendered, as in tests that run on the sources alone.
 *
 * @throws Error for a file of an unknown type
 */
function* readPages(): Iterable<[string, KeptContent]> {
  if (!existsSync(PAGES)) return;
  for (const name of readdirSync(PAGES, { recursive: true, encoding: 'utf8' })) {
    const file = join(PAGES, name);
    if (statSync(file).isDirectory()) continue;
    const type = PAGE_TYPES[extname(name)];
    if (type === undefined) throw new Error(`The type of ${file} is not known.`);
    const path = `/${name.replaceAll('\\', '/').replace(/\.html$/, '')}`;
    yield [path, new KeptContent(readFileSync(file), type, REVALIDATED)];
  }
}

/**
 * Where clients are sent from addresses that people type: relative, so that they stay below the path prefix of a proxy
 * (RFC 9110, section 10.2.2).
 */
export const REDIRECTS: ReadonlyMap<string, string> = new Map([
  ['/', 'docs'],
  ['/docs/', '../docs'],
  ['/docs/guide/', '../guide'],
  ['/docs/key/', '../key'],
]);

const OF_DOCS = /^\/(?:(?:docs|openapi\.json|openapi\.yaml|openapi-webhooks\.json|llms\.txt)(?:[/?]|$)|\?|$)/;

/** Whether a request target asks for the docs, for names in the log and in metrics. */
export function isOfDocs(url: string): boolean {
  return OF_DOCS.test(url);
}
