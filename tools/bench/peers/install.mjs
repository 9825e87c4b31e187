import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const BUILT = 'dist/nestjs.js';
const SOURCES = ['package-lock.json', 'tsconfig.json', 'nestjs.ts', 'common.mjs'];

/** Installs what the peers need into this folder and builds the NestJS one, unless that has been done. */
export function installPeers() {
  const changedAt = (file) => statSync(FOLDER + file).mtimeMs;
  if (existsSync(FOLDER + BUILT) && SOURCES.every((file) => changedAt(file) <= changedAt(BUILT))) return;
  process.stderr.write('installing the peers\n');
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ])
    execFileSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
}
