import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@petstore/testing';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Of characters that mean something in patterns, URLs or shells. */
const ODD = "petstore-dev #?[a]{b}*%20 'é-";

/** A service that prints what a lib exports and its process id, and runs until it is stopped. */
const SERVICE = `import { greeting } from '@petstore/greeting';
const injected = () => undefined;
class Greeting {
  constructor(@injected readonly text: string) {}
}
console.log(\`\${new Greeting(greeting).text} \${process.pid}\`);
setInterval(() => undefined, 1_000);
`;
const LIB = 'libs/greeting/src/index.ts';

let folder: string;
let dev: ChildProcess;
let output: string;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

/** The process that has printed a greeting. */
const started = (greeting: string): Promise<number> =>
  waitFor(() => {
    const [, pid] = new RegExp(`^${greeting} (\\d+)$`, 'm').exec(output) ?? [];
    return pid === undefined ? undefined : Number(pid);
  });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), ODD));
  for (const part of ['dev.mjs', 'bootstrap', 'bundle'])
    cpSync(join(ROOT, 'tools', part), join(folder, 'tools', part), {
      recursive: true,
      verbatimSymlinks: false,
    });
  cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  write('tools/guide/render.mjs', '');
  write('apps/api/src/main.ts', SERVICE);
  write(LIB, "export const greeting: string = 'first';\n");
  output = '';
  const program = "import('./tools/dev.mjs').then(({ dev }) => dev([]))";
  dev = spawn(process.execPath, ['--eval', program], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
});
afterEach(() => {
  dev.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('npm run dev', () => {
  it('restarts the service when a source has changed and has no error, and stops it', async () => {
    const first = await started('first');
    write(LIB, 'export const greeting: string = ;\n');
    await waitFor(() => output.includes('Not restarted'));
    expect(isRunning(first)).toBe(true);
    write(LIB, "export const greeting: string = 'second';\n");
    const second = await started('second');
    expect(isRunning(first)).toBe(false);
    const exited = once(dev, 'exit');
    dev.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(isRunning(second)).toBe(false);
  });

  it('leaves no process when it is killed', async () => {
    const pid = await started('first');
    dev.kill('SIGKILL');
    await waitFor(() => !isRunning(pid));
  });
});
