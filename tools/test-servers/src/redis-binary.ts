import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type InstalledProgram, installedProgram } from './installed-program.js';

const run = promisify(execFile);

declare global {
  /** Set by a configuration of jest whose tests are to run on this server. */
  var REDIS_SERVER: string | undefined;
}

/** The Redis or Valkey server of this machine, or the one that the tests are to run on. */
export function redisBinary(): Promise<InstalledProgram> {
  const { REDIS_SERVER: only } = globalThis;
  const server = only ?? 'redis-server';
  const commands = only === undefined ? ['redis-server', 'valkey-server'] : [only];
  return installedProgram({ commands, package: server, path: `usr/bin/${server}` });
}

/** Runs `redis-cli`, which comes with the server, to its end. */
export async function runRedisCli(args: readonly string[]): Promise<void> {
  const { command, libraries } = await redisBinary();
  const cli = command.replace(/server$/, 'cli');
  const words = libraries === undefined ? [cli] : [`LD_LIBRARY_PATH=${libraries}`, cli];
  await run('env', [...words, ...args]);
}
