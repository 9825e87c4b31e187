import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ProcessIdentity } from './process-identity.js';
import { isAlive } from './process-alive.js';

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

export interface Supervised {
  /** Process id of the server itself. */
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason, with what it wrote last. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Starts `command` under the shell; rejects when it cannot even be spawned. */
export async function supervise(
  command: readonly string[],
  identity: ProcessIdentity,
  env: Record<string, string>,
  log: (line: string) => void,
): Promise<Supervised> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'postgres-supervisor', ...identity.prefix, ...command], {
    ...identity.spawn,
    env,
    cwd: '/',
    // A group of its own: Ctrl-C in a terminal reaches only Node, which then stops in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let over = false;
  const ended = collect(child, log).finally(() => (over = true));
  const pid = await firstNumber(child);
  return {
    pid,
    ended: ended.then((text) => {
      // Only if the shell alone was killed is the server still there.
      if (isAlive(pid)) signal(pid, 'SIGINT');
      return text;
    }),
    stop: async () => {
      for (const [kind, timeoutMs] of STOP_SEQUENCE_MS) {
        // The process id may belong to another process by now.
        if (over) return;
        signal(pid, kind);
        if (await within(ended, timeoutMs)) return;
      }
    },
  };
}

function signal(pid: number, kind: NodeJS.Signals): void {
  try {
    process.kill(pid, kind);
  } catch {
    // It ended in the meantime.
  }
}

async function within(ended: Promise<string>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, timeoutMs, false)));
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(child: ChildProcess, log: (line: string) => void): Promise<string> {
  const last: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      log(line);
    });
  }
  return new Promise((resolve) => {
    child.once('close', () => {
      resolve(last.join('\n'));
    });
  });
}

function firstNumber(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (chunk: Buffer) => {
      resolve(Number.parseInt(chunk.toString(), 10));
    });
  });
}
