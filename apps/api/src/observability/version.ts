import { readFileSync } from 'node:fs';

/** Version of the service: of its package, of the document, of build information and of traces. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
