import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { KeptContent } from './kept-content.js';

const OWN = fileURLToPath(new URL('../../assets/docs/', import.meta.url));
const SWAGGER_UI = swaggerUiFolder();

/** Revalidated each time, which a validator makes cheap: after an upgrade no page is made of two versions. */
export const REVALIDATED = 'public, no-cache';

/** For what changes only with a version of Swagger UI. */
const AN_HOUR = 'public, max-age=3600';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** Every file that there is: the path that is asked for, where it is, what it is, and for how long it holds. */
const FILES: readonly (readonly [path: string, folder: string, name: string, type: string, cache: string])[] =
  [
    ['/docs', OWN, 'index.html', 'text/html; charset=utf-8', REVALIDATED],
    ['/docs/docs.css', OWN, 'docs.css', CSS, REVALIDATED],
    ['/docs/docs.js', OWN, 'docs.js', JAVASCRIPT, REVALIDATED],
    ['/docs/exact-numbers.js', OWN, 'exact-numbers.js', JAVASCRIPT, REVALIDATED],
    ['/docs/theme.js', OWN, 'theme.js', JAVASCRIPT, REVALIDATED],
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

/** Reads the files of the docs page, 1.8 MB, by the exact path that each is served under. */
export function readDocsFiles(): ReadonlyMap<string, KeptContent> {
  return new Map(
    FILES.map(([path, folder, name, type, cache]) => [
      path,
      new KeptContent(readFileSync(join(folder, name)), type, cache),
    ]),
  );
}

/** Where the document of the API is served; it is made, not read. */
export const OPENAPI_JSON = '/openapi.json';
export const OPENAPI_YAML = '/openapi.yaml';

const OF_DOCS = /^\/(?:docs|openapi\.json|openapi\.yaml)(?:[/?]|$)/;

/** Whether a request target asks for the docs, for names in the log and in metrics. */
export function isOfDocs(url: string): boolean {
  return OF_DOCS.test(url);
}
