import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { packLibs } from '../pack.mjs';

/** Packs the published libs, as `npm run pack` and a release do, for all specs of a run. */
export default async function packOnce() {
  const folder = join(import.meta.dirname, '.cache/packages');
  rmSync(folder, { recursive: true, force: true });
  await packLibs(folder);
}
