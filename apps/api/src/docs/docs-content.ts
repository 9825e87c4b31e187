import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entityTag } from '@petstore/http-server';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';

/** What is served under one path, in memory. */
export interface DocsContent {
  readonly bytes: Buffer;
  /** Media type, or the ending of a file's name, from which Express knows it. */
  readonly type: string;
  readonly cacheControl: string;
  /** Strong, made from the bytes. */
  readonly tag: string;
  /** The bytes in the encoding `br`, where the build has made them smaller than there is time for in a request. */
  readonly brotli?: Buffer;
}

/** Of the docs page and the key page, and what the pages of the guide load. */
const OWN = fileURLToPath(new URL('../../assets/docs/', import.meta.url));
const SWAGGER_UI = swaggerUiFolder();

/** What pages of any origin load: the element and the client, each joined into one file when the service is built. */
const EMBEDDED = fileURLToPath(new URL('../../dist/embed/', import.meta.url));
const EMBEDDED_PATH = 'embed/v1/';

/** What tools/guide makes of the documents when the service is built: files by the path that each is served under. */
const PAGES = fileURLToPath(new URL('../../dist/pages/', import.meta.url));

/** Revalidated each time, so that no page mixes files of two versions. */
const REVALIDATED = 'public, no-cache';

/** For what changes only with a version of Swagger UI, and the icon. */
const AN_HOUR = 'public, max-age=3600';

/** The first line of the bundle refers to the last one, and the licenses of its parts require it. */
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'];

export function docsContent(bytes: Buffer, type: string, cacheControl = REVALIDATED): DocsContent {
  return { bytes, type, cacheControl, tag: entityTag(bytes) };
}

/** Reads the docs page, the key page and the guide, 2.5 MB, by the exact path that each file is served under. */
export function readDocsFiles(): ReadonlyMap<string, DocsContent> {
  return new Map([
    ...readdirSync(OWN).map((name) =>
      fileAt(`docs/${name}`, join(OWN, name), name === 'icon.svg' ? AN_HOUR : REVALIDATED),
    ),
    ...SWAGGER_UI_FILES.map((name) => fileAt(`docs/${name}`, join(SWAGGER_UI, name), AN_HOUR)),
    ...namesIn(EMBEDDED)
      .filter((name) => name.endsWith('.js'))
      .map((name) => embeddedFile(name)),
    ...namesIn(PAGES).map((name) => fileAt(name, join(PAGES, name), REVALIDATED)),
  ]);
}

/** None where the service was not built, as in tests that run on the sources alone. */
function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !statSync(join(folder, name)).isDirectory());
}

/** @param name the path that the file is served under; a page has no ending there */
function fileAt(name: string, file: string, cacheControl: string): readonly [string, DocsContent] {
  const path = `/${name.replaceAll('\\', '/').replace(/(?:\/index)?\.html$/, '')}`;
  return [path, docsContent(readFileSync(file), extname(file), cacheControl)];
}

function embeddedFile(name: string): readonly [string, DocsContent] {
  const [path, content] = fileAt(EMBEDDED_PATH + name, join(EMBEDDED, name), AN_HOUR);
  return [path, { ...content, brotli: readFileSync(join(EMBEDDED, `${name}.br`)) }];
}

/** `Location` by path. Relative, so that clients stay below the path prefix of a proxy (RFC 9110, section 10.2.2). */
export const REDIRECTS: ReadonlyMap<string, string> = new Map([
  ['/', 'docs'],
  ['/docs/', '../docs'],
  ['/docs/guide/', '../guide'],
  ['/docs/key/', '../key'],
]);

/** Whether pages of any origin load what is served under this path. */
export function isEmbedded(path: string): boolean {
  return path.startsWith(`/${EMBEDDED_PATH}`);
}
