import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('../../../apps/operator-cli/dist', import.meta.url));

/** Runs the commands that it reads, a JSON array of words on each line, until its input ends. */
const SCRIPT = `
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
const { createProgram } = await import(process.argv[1] + '/program.js');
const { run } = await import(process.argv[1] + '/run.js');
for await (const line of createInterface({ input: process.stdin })) {
  let [out, err] = ['', ''];
  const exit = await run(createProgram, JSON.parse(line), {
    environment: process.env,
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([]),
    interactive: false,
    colour: false,
    progress: false,
    user: 'test',
  });
  process.stdout.write(JSON.stringify({ exit, out, err }) + '\\n');
}
`;

interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Running {
  send(line: string): void;
  readonly lines: AsyncIterator<string>;
  stop(): Promise<void>;
}

/**
 * The built tool of operators in one process for any number of commands, which come one after the other: loading the
 * tool takes many times what it does for a key. It ends with the process that started it.
 */
export class OperatorProcess {
  private running: Running | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  /**
   * Runs one command; its standard output.
   *
   * @throws Error with its standard error, unless it exits with 0
   */
  run(words: readonly string[]): Promise<string> {
    const result = this.last.then(() => this.runNext(words));
    this.last = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    await this.last;
    const { running } = this;
    this.running = undefined;
    await running?.stop();
  }

  private async runNext(words: readonly string[]): Promise<string> {
    this.running ??= start(this.environment);
    this.running.send(JSON.stringify(words));
    const line = await this.running.lines.next();
    if (line.done === true) throw new Error('The tool of operators has ended.');
    const { exit, out, err } = JSON.parse(line.value) as Outcome;
    if (exit !== 0) throw new Error(`The tool of operators exited with ${exit}: ${err}`);
    return out;
  }
}

function start(environment: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, PROGRAMS], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Of a process that has ended; its output says so, too.
  child.stdin.on('error', () => undefined);
  const gone = once(child, 'exit');
  return {
    send: (line) => child.stdin.write(`${line}\n`),
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
