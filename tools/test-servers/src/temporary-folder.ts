import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder and all in it. May be called again. */
  remove(): Promise<void>;
}

/** Waits for the end of the pipe; a server that is still writing makes the first attempts fail. */
const REMOVE_AT_END = 'read -r _; for i in 1 2 3 4 5; do rm -rf "$1" && exit; sleep 1; done';

/**
 * A new folder under the system's temporary folder unless given, called `petstore-<purpose>-...`.
 *
 * A shell waits on a pipe from this process and removes the folder when the pipe ends: on `remove`, and at
 * the latest when this process ends, however it ends, so that a failing or killed test leaves nothing.
 */
export async function temporaryFolder(purpose: string, parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `petstore-${purpose}-`));
  const remover = spawn('/bin/sh', ['-c', REMOVE_AT_END, 'remove-at-end', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const gone = once(remover, 'close');
  // Neither the shell nor the pipe keeps a finished test process alive.
  remover.unref();
  (remover.stdin as Partial<Pick<Socket, 'unref'>>).unref?.();
  return {
    path,
    remove: async () => {
      remover.ref();
      remover.stdin.end();
      await gone;
    },
  };
}
