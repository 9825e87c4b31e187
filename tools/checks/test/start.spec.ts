import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface System {
  readonly platform: string;
  readonly arch: string;
  readonly isMusl: () => boolean;
}

// Programs of the workspace itself, which is no project to import.
const load = (file: string): Promise<unknown> =>
  import(new URL(`../../bootstrap/${file}`, import.meta.url).href);
const { databaseAdvice } = (await load('embedded-database.mjs')) as {
  databaseAdvice: (env: Record<string, string>, system: System) => string | undefined;
};
const { npmCommand, root } = (await load('process.mjs')) as {
  npmCommand: (name: string, system: { platform: string; env: object; execPath: string }) => string[];
  root: string;
};

const system = (platform: string, arch: string, isMusl = false): System => ({
  platform,
  arch,
  isMusl: () => isMusl,
});

describe('the start on a system without an embedded PostgreSQL', () => {
  it.each([
    ['win32', 'x64', false, "$env:DATABASE_URL = 'postgres://"],
    ['linux', 'x64', true, "export DATABASE_URL='postgres://"],
    ['freebsd', 'x64', false, "export API_KEY_PEPPER='"],
  ])('says on %s %s (musl: %s) what to set', (platform, arch, isMusl, line) => {
    const advice = databaseAdvice({}, system(platform, arch, isMusl));
    expect(advice).toContain(line);
    expect(advice).toContain(`(${platform}-${arch}${isMusl ? ', musl' : ''})`);
  });

  it('goes on when a server is named', () => {
    expect(databaseAdvice({ DATABASE_URL: 'postgres://x' }, system('win32', 'x64'))).toBeUndefined();
    // An empty variable counts as unset.
    expect(databaseAdvice({ DATABASE_URL: '' }, system('win32', 'x64'))).toBeDefined();
  });

  it('knows the systems that there are packages for', () => {
    const { optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'libs/embedded-postgres/package.json'), 'utf8'),
    ) as { optionalDependencies: Record<string, string> };
    const packaged = Object.keys(optionalDependencies).map((name) => name.split('/')[1] ?? '');
    for (const name of [...packaged, 'win32-x64', 'linux-ppc64']) {
      const [platform = '', arch = ''] = name.split('-');
      expect(databaseAdvice({}, system(platform, arch)) === undefined).toBe(packaged.includes(name));
    }
  });
});

describe('npm start', () => {
  /** Has the bootstrap alone: nothing can be installed or started here. */
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-bootstrap-'));
    for (const name of ['run.mjs', 'bootstrap'])
      cpSync(join(root, 'tools', name), join(folder, 'tools', name), { recursive: true });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** @param options separated by spaces */
  const start = (options: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['tools/run.mjs', 'start', ...options.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });

  it.each(['--help', '-h'])('prints its usage when given %s, and does nothing else', (option) => {
    const { status, stdout, stderr } = start(option);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^usage: npm start\n/);
    expect(readdirSync(folder)).toEqual(['tools']);
  });

  it.each([
    ['--port=80', '--port=80'],
    ['8080', '8080'],
    ['--help --verbose', '--verbose'],
  ])('refuses %s with the usage, and does nothing else', (options, unknown) => {
    const { status, stdout, stderr } = start(options);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`Unknown option: ${unknown}\nusage: npm start\n`);
    expect(readdirSync(folder)).toEqual(['tools']);
  });
});

describe('npm', () => {
  const execPath = String.raw`C:\Program Files\nodejs\node.exe`;

  it.each([
    [{}, String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npx-cli.js`],
    [{ npm_execpath: String.raw`D:\npm\bin\npm-cli.js` }, String.raw`D:\npm\bin\npx-cli.js`],
  ])('is the file that its script starts on Windows: %j', (env, file) => {
    expect(npmCommand('npx', { platform: 'win32', env, execPath })).toEqual([execPath, file]);
  });
});

it('gives new objects the same room wherever the service is started', () => {
  const options = ['package.json', 'deploy/Dockerfile', 'tools/dev.mjs', 'docs/operations.md'].map((file) => [
    ...new Set(readFileSync(join(root, file), 'utf8').match(/--max-semi-space-size=\d+/g)),
  ]);
  expect(options).toEqual(options.map(() => ['--max-semi-space-size=24']));
});

it('has scripts that every command interpreter understands', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  // cmd.exe knows neither `exec` nor single quotes, nor variables before a command.
  for (const script of Object.values(scripts))
    expect(script).toMatch(/^(?:node [\w./:= -]+|npm run [\w:]+)(?: && (?:node [\w./: -]+))?$/);
});
