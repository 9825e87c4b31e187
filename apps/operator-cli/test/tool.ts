import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built programs: of keys, of events, and for imports. */
const PROGRAMS = { main: dist('main.js'), events: dist('events.js'), import: dist('import.js') };

function dist(file: string): string {
  return fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
}

export interface Run {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the built tool as a process of its own, with nothing in its environment but what is given. */
export function start(
  args: readonly string[],
  environment: Record<string, string>,
  program: keyof typeof PROGRAMS = 'main',
): ChildProcess {
  return spawn(process.execPath, [PROGRAMS[program], ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function tool(
  args: readonly string[],
  environment: Record<string, string>,
  program?: keyof typeof PROGRAMS,
): Promise<Run> {
  const child = start(args, environment, program);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, out, err };
}
