import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Installs what the peers need into this folder when it is missing or older than the lockfile, and builds the NestJS one. */
export function installPeers() {
  const installed = `${FOLDER}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${FOLDER}package-lock.json`).mtimeMs)
    return;
  process.stderr.write('installing the peers\n');
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ])
    execFileSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
}
