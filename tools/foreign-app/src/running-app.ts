import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest that a start may take on a busy machine, and an end, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** Ends the application with the process that started it, however that ends. */
const END_WITH_PARENT = 'data:text/javascript,process.stdin.on("end",()=>process.exit()).resume().unref()';

/** An application that listens. */
export interface RunningApp {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Asks it to end (SIGTERM); resolves to its exit code, or to the signal that it ended by. */
  stop(): Promise<number | string>;
}

/**
 * Runs a program that listens on the port that the variable PORT names.
 *
 * @throws Error with its output, when it ends before it listens
 */
export async function runApp(
  folder: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningApp> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, file], {
    cwd: folder,
    env: { ...environment, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  // A program that ends before its pipe does is no failure of this process.
  child.stdin.on('error', () => undefined);
  const until = performance.now() + START_TIMEOUT_MS;
  while (!(await answers(port))) {
    if (hasEnded(child) || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`${file} did not listen. It said:\n${output}`);
    }
    await sleep(20);
  }
  return { origin: `http://127.0.0.1:${port}`, output: () => output, stop: () => stopped(child) };
}

async function stopped(child: ChildProcess): Promise<number | string> {
  if (!hasEnded(child)) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }
  return child.exitCode ?? child.signalCode ?? 'unknown';
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
