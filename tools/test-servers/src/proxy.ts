import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@petstore/testing';
import { installedProgram, type ProgramName } from './installed-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { TetheredProgram } from './tethered-program.js';

interface Kind extends ProgramName {
  /** Words of its command line, with its configuration in the file `configuration` of the current folder. */
  readonly args: readonly string[];
}

const KINDS = {
  nginx: {
    commands: ['nginx', '/usr/sbin/nginx'],
    package: 'nginx-light',
    path: 'usr/sbin/nginx',
    // One process, which ends alone.
    args: '-p . -c configuration -e errors -g'.split(' ').concat('daemon off; master_process off; pid pid;'),
  },
  haproxy: {
    commands: ['haproxy', '/usr/sbin/haproxy'],
    package: 'haproxy',
    path: 'usr/sbin/haproxy',
    args: ['-db', '-f', 'configuration'],
  },
} satisfies Record<string, Kind>;

/** A proxy in a process of its own. */
export interface TestProxy {
  /** A file of its folder, which is its current folder; `output` has what it prints. */
  read(name: string): string;
  stop(): Promise<void>;
}

/** Starts a proxy whose configuration has it listen on this port of the loopback interface. */
export async function startProxy(
  kind: keyof typeof KINDS,
  configuration: string,
  port: number,
): Promise<TestProxy> {
  const folder = await temporaryFolder(kind);
  const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
  await writeFile(join(folder.path, 'configuration'), configuration);
  const binary = await installedProgram(KINDS[kind]);
  const program = await TetheredProgram.start(binary, KINDS[kind].args, { cwd: folder.path });
  const stop = async (): Promise<void> => {
    await program.end();
    await folder.remove();
  };
  await waitFor(() => listens(port)).catch(async (cause: unknown) => {
    const output = read('output');
    await stop();
    throw new Error(`It did not start:\n${output}`, { cause });
  });
  return { read, stop };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  const isThere = await connected;
  socket.destroy();
  return isThere;
}
