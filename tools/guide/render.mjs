// Writes what the service serves under /docs: the guide as pages, the docs page and the key page, and what they load.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { writeEncoded } from '../encoded-file.mjs';
import { renderSite } from './site.mjs';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const output = join(workspace, 'apps/api/dist/pages');
const own = join(workspace, 'apps/api/assets/docs');

/** The first line of the bundle refers to the last one, and the licenses of its parts require it. */
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'];

const site = renderSite(join(workspace, 'docs'));
for (const name of readdirSync(own))
  site.set(name === 'index.html' ? '/docs.html' : `/docs/${name}`, readFileSync(join(own, name)));
for (const name of SWAGGER_UI_FILES) site.set(`/docs/${name}`, readFileSync(join(swaggerUiFolder(), name)));

rmSync(output, { recursive: true, force: true });
await Promise.all([...site].map(([path, content]) => writeEncoded(output, path, content)));
