import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type InstalledProgram, installedProgram } from './installed-program.js';

const run = promisify(execFile);

/** The Redis or Valkey server of this machine. */
export function redisBinary(): Promise<InstalledProgram> {
  return installedProgram({
    commands: ['redis-server', 'valkey-server'],
    package: 'redis-server',
    path: 'usr/bin/redis-server',
  });
}

/** Runs `redis-cli`, which comes with the server, to its end. */
export async function runRedisCli(args: readonly string[]): Promise<void> {
  const { command, libraries } = await redisBinary();
  const cli = command.replace(/server$/, 'cli');
  const words = libraries === undefined ? [cli] : [`LD_LIBRARY_PATH=${libraries}`, cli];
  await run('env', [...words, ...args]);
}
