// Writes the guide as pages into the build of the service, which serves what is there.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderSite } from './site.mjs';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const output = join(workspace, 'apps/api/dist/pages');

const site = renderSite(join(workspace, 'docs'));
rmSync(output, { recursive: true, force: true });
for (const [path, content] of site) {
  const file = join(output, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
