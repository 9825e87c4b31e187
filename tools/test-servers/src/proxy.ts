import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@petstore/testing';
import { installedProgram, type ProgramName } from './installed-program.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

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
    args: [
      '-p',
      '.',
      '-c',
      'configuration',
      '-e',
      'errors',
      '-g',
      'daemon off; master_process off; pid pid;',
    ],
  },
  haproxy: {
    commands: ['haproxy', '/usr/sbin/haproxy'],
    package: 'haproxy',
    path: 'usr/sbin/haproxy',
    args: ['-db', '-f', 'configuration'],
  },
} satisfies Record<string, Kind>;

/** Ends the program when the pipe from the test process ends, however that one does. */
const SCRIPT = `
libraries=$1; shift
if [ -n "$libraries" ]; then export LD_LIBRARY_PATH="$libraries"; fi
"$@" </dev/null >output 2>&1 &
read -r _
kill -KILL $!
wait
`;

/** A proxy of its own kind in a process of its own. */
export class TestProxy {
  private shell: ChildProcess | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly folder: TemporaryFolder,
    /** Of the loopback interface. */
    readonly port: number,
  ) {}

  async start(configuration: string): Promise<void> {
    await writeFile(join(this.folder.path, 'configuration'), configuration);
    const { command, libraries = '' } = await installedProgram(this.kind);
    const words = ['-c', SCRIPT, 'test-proxy', libraries, command, ...this.kind.args];
    const shell = spawn('/bin/sh', words, {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: this.folder.path,
    });
    this.shell = shell;
    for (const handle of [shell, shell.stdin as Socket]) handle.unref();
    await waitFor(() => listens(this.port)).catch((cause: unknown) => {
      throw new Error(`It did not start:\n${this.read('output')}`, { cause });
    });
  }

  /** A file of its folder, which is its current folder; `output` has what it prints. */
  read(name: string): string {
    return readFileSync(join(this.folder.path, name), 'utf8');
  }

  async stop(): Promise<void> {
    const shell = this.shell;
    this.shell = undefined;
    if (shell !== undefined) {
      shell.ref();
      const gone = once(shell, 'exit');
      shell.stdin?.end();
      await gone;
    }
    await this.folder.remove();
  }
}

/** Starts a proxy whose configuration has it listen on this port. */
export async function startProxy(
  kind: keyof typeof KINDS,
  configuration: string,
  port: number,
): Promise<TestProxy> {
  const proxy = new TestProxy(KINDS[kind], await temporaryFolder(kind), port);
  try {
    await proxy.start(configuration);
    return proxy;
  } catch (error) {
    await proxy.stop();
    throw error;
  }
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
