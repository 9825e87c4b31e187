import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * The program is a child of a shell that reads from a pipe of this process: however this process ends,
 * the pipe ends, and with it the program.
 */
const SCRIPT = `
exec 3<&0
"$@" </dev/null >"$OUTPUT" 2>&1 3<&- &
echo $!
(read -r _ <&3; kill -TERM $! 2>/dev/null; sleep 5; kill -KILL $! 2>/dev/null) >/dev/null &
wait $!
`;

/** A program that ends with this process. What it writes goes to a file. */
export class Supervised {
  #shell;
  #output;

  constructor(shell, pid, output) {
    this.#shell = shell;
    this.pid = pid;
    this.#output = output;
  }

  /**
   * @param {string[]} command
   * @param {{ env: Record<string, string>, output: string, cwd?: string }} options
   */
  static async start(command, { env, output, cwd }) {
    closeSync(openSync(output, 'w'));
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'supervised', ...command], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env, OUTPUT: output },
      cwd,
      detached: true,
    });
    const [line] = await once(shell.stdout, 'data');
    return new Supervised(shell, Number(line.toString()), output);
  }

  get ended() {
    return this.#shell.exitCode !== null;
  }

  /** What the program has written so far. */
  output() {
    return readFileSync(this.#output, 'utf8');
  }

  async stop() {
    if (this.ended) return;
    const gone = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await gone;
  }
}

/** A port of the loopback interface on which nothing listens. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
