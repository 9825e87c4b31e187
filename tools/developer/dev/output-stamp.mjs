import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bootstrap/process.mjs';

/** Differs when the compiler has written a program file of an app or a lib since the last call. */
export function outputStamp() {
  const hash = createHash('sha256');
  for (const group of ['apps', 'libs']) {
    for (const project of readdirSync(join(root, group))) {
      const output = join(root, group, project, 'dist');
      if (!existsSync(output)) continue;
      for (const file of readdirSync(output, { recursive: true })) {
        if (!file.endsWith('.js')) continue;
        const { mtimeMs } = statSync(join(output, file));
        hash.update(`${project} ${file} ${mtimeMs}\n`);
      }
    }
  }
  return hash.digest('hex');
}
