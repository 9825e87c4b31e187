import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './postmaster.js';
import type { ProcessIdentity } from './process-identity.js';

/**
 * A shell stands between Node and the server and outlives Node. It reads from a pipe (descriptor 3)
 * whose other end only Node holds: however Node dies, the pipe ends, and the shell stops the server,
 * first the fast way, which ends sessions and keeps everything acknowledged, after 20 s at once.
 */
const SCRIPT = `
"$@" 3<&- &
server=$!
echo "$server"
(
  read -r _ <&3
  kill -INT "$server"
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 1
    kill -0 "$server" || exit
  done
  kill -QUIT "$server"
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
exit $status
`;

/** Signals that stop the server, from gentle to forced, and how long each may take before the next one is sent. */
const STOP_SEQUENCE_MS = [
  // Smart: waits for other sessions, such as an operator's tool at work.
  ['SIGTERM', 3_000],
  // Fast: ends other sessions and writes everything down.
  ['SIGINT', 20_000],
  // Immediate: the next start recovers from the write-ahead log.
  ['SIGQUIT', 10_000],
  // For a server that hangs and handles no signal; the next start recovers here too.
  ['SIGKILL', 2_000],
] as const;

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
  { prefix, ids }: ProcessIdentity,
  env: Record<string, string>,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'postgres-supervisor', ...prefix, ...command], {
    ...ids,
    env,
    cwd: '/',
    // A group of its own: Ctrl-C in a terminal reaches only Node, which then stops in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const [, stdout, stderr] = child.stdio as [null, Readable, Readable, Writable, null];
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
  const pid = Number(output);
  const stop = async (): Promise<void> => {
    for (const [signal, timeoutMs] of STOP_SEQUENCE_MS) {
      // The process id may belong to another process by now.
      if (hasEnded) return;
      if (isAlive(pid)) process.kill(pid, signal);
      await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
    }
  };
  return { pid, ended, hasEnded: () => hasEnded, stop };
}
