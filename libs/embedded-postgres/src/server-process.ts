import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ProcessIdentity } from './process-identity.js';

/**
 * A shell stands between Node and the server and outlives Node. It reads from a pipe (descriptor 3) whose other end only
 * Node holds. When that ends, because Node stops the server or dies in whatever way, the shell stops it: first the smart way,
 * which waits 3 s for other sessions, such as an operator's tool at work; then the fast one, which ends sessions and keeps
 * everything acknowledged; after 20 s at once, and after 10 more as the system does. The next start recovers from the
 * write-ahead log.
 */
const SCRIPT = `
"$@" 3<&- &
server=$!
echo "$server"
(
  read -r _ <&3
  for step in TERM:30 INT:200 QUIT:100 KILL:20; do
    kill "-\${step%:*}" "$server" || exit
    tenths=\${step#*:}
    while [ "$tenths" -gt 0 ]; do
      sleep 0.1
      kill -0 "$server" || exit
      tenths=$((tenths - 1))
    done
  done
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
exit $status
`;

/** Lines of the log that are kept for the message about an end. */
const KEPT_LINES = 20;

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server and all its sessions have ended, for whatever reason, with what it wrote last. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Runs a server that ends with this process, also when that is killed; rejects when it cannot even be spawned. */
export async function spawnServer(
  command: readonly string[],
  { prefix }: ProcessIdentity,
  env: Record<string, string>,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'postgres-supervisor', ...prefix, ...command], {
    env,
    cwd: '/',
    // A group of its own: Ctrl-C in a terminal reaches only Node, which then stops in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const [, stdout, stderr, pipe] = child.stdio as [null, Readable, Readable, Writable, null];
  const lines: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => {
    if (lines.push(line) > KEPT_LINES) lines.shift();
    log(line);
  });
  let hasEnded = false;
  const ended = once(child, 'close').then(() => {
    hasEnded = true;
    return lines.join('\n');
  });
  const [output] = (await Promise.race([once(stdout, 'data'), once(stdout, 'close')])) as [Buffer?];
  const stop = async (): Promise<void> => {
    pipe.destroy();
    await ended;
  };
  return { pid: Number(output), ended, hasEnded: () => hasEnded, stop };
}
