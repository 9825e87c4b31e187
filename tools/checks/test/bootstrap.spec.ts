import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@petstore/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the bootstrap', () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  let folder: string;
  let started: ChildProcess[];
  beforeEach(() => {
    started = [];
    folder = mkdtempSync(join(tmpdir(), 'petstore-bootstrap-'));
    for (const name of ['run.mjs', 'bootstrap'])
      cpSync(join(root, 'tools', name), join(folder, 'tools', name), { recursive: true });
    mkdirSync(join(folder, '.cache'));
  });
  afterEach(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('makes what every user can read, and says in one line what this one may not', () => {
    const start = (mask: string): { stderr: string } =>
      spawnSync('/bin/sh', ['-c', `umask ${mask}; exec node tools/run.mjs start`], {
        cwd: folder,
        encoding: 'utf8',
        // Root may do everything.
        ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
      });
    rmSync(join(folder, '.cache'), { recursive: true });
    chmodSync(folder, 0o777);
    start('077');
    expect(statSync(join(folder, '.cache')).mode & 0o777).toBe(0o755);
    chmodSync(join(folder, '.cache'), 0o555);
    expect(start('022').stderr).toMatch(
      /^This user may not mkdir \/.*\.cache\/.* \(EACCES\)\. .*chmod -R go\+rX [^\n]*\n$/,
    );
    chmodSync(join(folder, '.cache'), 0o755);
  });

  /** Programs of the registry: they say how they were called, and install or build what they are asked to. */
  const program = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  };
  const PROGRAM = "console.log('ran', ...process.argv.slice(2));";
  const INTEGRITY = `sha512-${Buffer.from(packageManager.split('.').at(-1) ?? '', 'hex').toString('base64')}`;

  /** A workspace of the bootstrap and of what it starts, and npm with these settings. */
  function makeWorkspace(settings: object = { registry: 'https://registry.example/npm/' }): void {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ packageManager }));
    const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'CHANGELOG.md'];
    for (const name of [
      ...inputs,
      'docs/contract.md',
      'docs/openapi.json',
      'docs/guide/a',
      'docs/pictures/a',
      'apps/api/assets/docs/a',
      'apps/api/assets/embed/a',
      'tools/encoded-file.mjs',
    ])
      program(name, '');
    for (const name of ['apps/api', 'libs/a']) {
      program(`${name}/package.json`, '{}');
      program(`${name}/src/a.ts`, '');
    }
    const outputs = [
      ...['apps/api/bundle/main.js', 'apps/operator-cli/bundle/main.js'],
      ...['apps/api/dist/pages/a', 'apps/api/dist/embed/a'],
    ];
    const make = `const { mkdirSync, writeFileSync } = await import('node:fs'); const { dirname } = await import('node:path');
      for (const file of ${JSON.stringify(outputs)}) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, ${JSON.stringify(PROGRAM)});
      }`;
    program('node_modules/nx/package.json', '{ "type": "module" }');
    program('node_modules/nx/dist/bin/nx.js', make);
    program('tools/bundle/bundle.mjs', make);
    program('tools/guide/render.mjs', '');
    program(
      'npm',
      `#!/bin/sh\ncase "$1" in config) echo '${JSON.stringify(settings)}';; *) echo ${INTEGRITY};; esac\n`,
    );
    program('npx', `#!/bin/sh\nenv | grep '^pnpm_config' | sort > asked\necho "$@" >> asked\n`);
  }

  /** @param user whose rights it runs with; ours unless given */
  const command = (name: string, user?: number): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['tools/run.mjs', name], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}:/usr/bin:/bin`, HOME: '/nonexistent' },
      ...(user !== undefined && { uid: user, gid: user }),
    });
  it('runs every program in what somebody else has built with npm run build, also in a copy, and writes nothing', () => {
    makeWorkspace();
    expect(command('build')).toMatchObject({ status: 0, stderr: expect.not.stringContaining('error') });
    const copy = `${folder}-copy`;
    spawnSync('cp', ['-R', folder, copy]);
    const closed = [folder, copy];
    try {
      for (folder of closed) {
        chmodSync(folder, 0o755);
        spawnSync('chmod', ['-R', 'a-w,a+rX', folder]);
        for (const name of ['start', 'key', 'events', 'webhook', 'import', 'export', 'migrate']) {
          const { status, stdout, stderr } = command(name, process.getuid?.() === 0 ? 65_534 : undefined);
          expect([status, stdout, stderr]).toEqual([0, `ran${name === 'start' ? '' : ` ${name}`}\n`, '']);
        }
      }
    } finally {
      spawnSync('chmod', ['-R', 'u+w', ...closed]);
      rmSync(copy, { recursive: true });
      [folder = ''] = closed;
    }
  });

  it('hands on to pnpm what npm knows of registry, proxy and certificates, with no password among its arguments', () => {
    makeWorkspace({
      registry: 'https://registry.example/npm/',
      'https-proxy': 'http://user:secret@proxy.example:3128/',
      proxy: null,
      noproxy: ['localhost', '.example'],
      'strict-ssl': true,
      cafile: '/etc/ssl/company.pem',
      ca: null,
    });
    rmSync(join(folder, 'node_modules'), { recursive: true });
    command('start');
    const [line = '', ...variables] = readFileSync(join(folder, 'asked'), 'utf8')
      .trim()
      .split('\n')
      .reverse();
    expect(variables.reverse()).toEqual([
      'pnpm_config_https_proxy=http://user:secret@proxy.example:3128/',
      'pnpm_config_noproxy=localhost,.example',
      'pnpm_config_registry=https://registry.example/npm/',
      'pnpm_config_strict_ssl=true',
    ]);
    expect(line).toContain(' --config.cafile=/etc/ssl/company.pem install --frozen-lockfile --prod ');
    expect(line).not.toContain('secret');
  });

  const lock = (): string => join(folder, '.cache/bootstrap.lock');

  /** A process that takes the lock, prints a line, and does some work. */
  function worker(work: string): { process: ChildProcess; output: () => string } {
    const program = `import { withLock } from './tools/bootstrap/lock.mjs';
      await withLock(() => { console.log('at work'); return ${work}; });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return { process: child, output: () => output };
  }

  it.each<[string, string | undefined, number | undefined]>([
    ['nothing', undefined, undefined],
    ['the id of nothing', '', undefined],
    ['the id of no process', '4194304', undefined],
    ['the id of a process that started later', String(process.pid), 0],
  ])('works where a killed process has left %s, and leaves nothing', async (_what, left, madeAt) => {
    if (left !== undefined) {
      mkdirSync(lock());
      writeFileSync(join(lock(), 'pid'), left);
    }
    if (madeAt !== undefined) utimesSync(lock(), madeAt, madeAt);
    const { process: child, output } = worker('undefined');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output()).toBe('at work\n');
    expect(readdirSync(join(folder, '.cache'))).toEqual([]);
  });

  it('waits for another process, says for which, and goes on when that is killed', async () => {
    const holder = worker('new Promise(() => setInterval(() => undefined, 1_000))');
    await waitFor(() => holder.output() === 'at work\n');
    const waiting = worker('undefined');
    await waitFor(() => waiting.output() !== '');
    const line = `Waiting for process ${holder.process.pid}, which installs or builds here (`;
    expect(waiting.output().slice(0, line.length)).toBe(line);
    holder.process.kill('SIGKILL');
    expect(await once(waiting.process, 'close')).toEqual([0, null]);
    expect(waiting.output().split('\n').slice(1)).toEqual(['at work', '']);
  });

  /** Installing, here a shell that starts another one, as npx does. */
  const NPM = `#!/bin/sh
sh -c 'echo $$ > step; sleep 60; :'
:
`;
  const START = `const { spawn } = require('node:child_process');
    spawn('sh', ['-c', '"$0" tools/run.mjs start; :', process.execPath], { stdio: 'inherit' });
    setInterval(() => undefined, 1_000);`;

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP', 'SIGKILL'])(
    'ends what it installs when npm gets %s',
    async (signal) => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ packageManager }));
      for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(join(folder, name), '');
      writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
      const npm = spawn(process.execPath, ['--eval', START], {
        cwd: folder,
        env: { PATH: `${folder}:/usr/bin:/bin`, npm_lifecycle_event: 'start' },
        stdio: 'ignore',
      });
      started.push(npm);
      const step = await waitFor(() => {
        const text = existsSync(join(folder, 'step')) ? readFileSync(join(folder, 'step'), 'utf8') : '';
        return text.endsWith('\n') ? Number(text) : undefined;
      });
      const installing = Number(readFileSync(join(lock(), 'pid'), 'utf8'));
      npm.kill(signal);
      await waitFor(() => ![step, installing].some(isRunning));
    },
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
