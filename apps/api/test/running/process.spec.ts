import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryFolder, putDatabase, type TemporaryFolder } from '@petstore/test-servers';
import { managementOf } from '../hostile/service-vitals.js';
import { Program } from '../support/program.js';
import { until } from '../support/until.js';

const programs: Program[] = [];
const folders: TemporaryFolder[] = [];

async function newFolder(): Promise<string> {
  const folder = await memoryFolder('process');
  folders.push(folder);
  return folder.path;
}

/** For tests that are not about making the database. */
async function folderWithDatabase(): Promise<string> {
  const folder = await newFolder();
  await putDatabase(folder);
  return folder;
}

function run(dataDir: string, environment?: Record<string, string>, shell?: string): Program {
  const program = new Program(dataDir, environment, shell === undefined ? {} : { shell });
  programs.push(program);
  return program;
}

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  for (const folder of folders.splice(0)) await folder.remove();
});

describe('the program', () => {
  it('shows at its first start an address, a key and a curl line that works, and the key never again', async () => {
    const folder = await newFolder();
    const first = await run(folder).started();
    const [, key = '', url = ''] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(first.output) ?? [];
    const headers = { Authorization: `Bearer ${key}` };
    const reply = await fetch(url, { headers });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(3);
    // The bundler must not drop the checks that decide this.
    expect((await fetch(`${first.origin}/v1/pets?species=%zz`, { headers })).status).toBe(400);
    expect((await fetch(`${first.origin}/v1/%zz`)).status).toBe(401);
    expect((await fetch(`${first.origin}/v1/%zz`, { headers })).status).toBe(404);
    expect(await first.end()).toBe(0);

    const second = await run(folder, { PETSTORE_ENVIRONMENT: 'production' }).started();
    expect(second.key).toBeUndefined();
    const again = await fetch(`${second.origin}/v1/pets`, { headers });
    expect(await again.json()).toHaveLength(5);
    expect(await second.end('SIGINT')).toBe(0);
    expect(second.output).not.toContain('pepper');
    expect(second.output).toMatch(
      /"PETSTORE_ENVIRONMENT is production, .* this database accepts keys with _test_/,
    );

    await rm(join(folder, 'pepper'));
    const third = run(folder);
    await expect(third.started()).rejects.toThrow('It did not start');
    expect(await third.end()).toBe(1);
    expect(third.output).toMatch(/^PETSTORE_DATA_DIR\/pepper is not the pepper of any key in this database/m);
  });

  it('in production makes no key, writes log lines only, refuses a second start on its folder, and opens no inspector for SIGUSR1', async () => {
    const folder = await folderWithDatabase();
    const first = await run(folder, { PETSTORE_ENVIRONMENT: 'production' }).started();
    const second = run(folder);
    expect(await second.end('SIGCONT')).toBe(1);
    expect(second.output).toContain(folder);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    process.kill(first.pid, 'SIGUSR1');
    expect((await fetch(`${first.origin}/livez`)).status).toBe(200);
    expect(await first.end()).toBe(0);
    // A line of an inspector would be none, too.
    for (const line of first.output.trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
    expect(first.output).not.toMatch(/pet_(?:live|test)_/);
  });

  it('ends with status 1 when its PostgreSQL is killed, and the next start has all that was acknowledged', async () => {
    const folder = await folderWithDatabase();
    const first = await run(folder).started();
    const headers = { Authorization: `Bearer ${first.key ?? ''}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    const added = await fetch(`${first.origin}/v1/pets`, { method: 'POST', headers, body });
    expect(added.status).toBe(201);
    const lock = await readFile(join(folder, 'postgres/cluster/data/postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(lock, 10), 'SIGKILL');
    // The signal does nothing.
    expect(await first.end('SIGCONT')).toBe(1);
    expect(first.logged('embedded PostgreSQL has ended, and so does the service')).toHaveLength(1);
    const second = await run(folder).started();
    expect(await (await fetch(`${second.origin}/v1/pets`, { headers })).text()).toContain(await added.text());
    expect(await second.end()).toBe(0);
  });

  it('stops in order when it is told to during its start', async () => {
    const stopAt = async (folder: string, moment: () => Promise<unknown>): Promise<void> => {
      const program = run(folder);
      await moment();
      const code = await program.end('SIGTERM');
      // So early that it has no handler yet, the signal ends it like any other process.
      if (code !== null) expect({ code, output: program.output }).toMatchObject({ code: 0 });
    };
    // One after the other: they are no load for each other.
    await stopAt(await newFolder(), () => sleep(0));
    const folder = await newFolder();
    const databaseFiles = (): Promise<string[]> => readdir(join(folder, 'postgres')).catch(() => []);
    const isMaking = async (): Promise<boolean> =>
      (await databaseFiles()).some((name) => /^(?:draft-|cluster$)/.test(name));
    await stopAt(folder, () => until(isMaking));
    // What was begun is finished, and stopped.
    expect(await databaseFiles()).not.toContainEqual(expect.stringContaining('draft-'));
    // While it loads, and while the service starts.
    await stopAt(await folderWithDatabase(), () => sleep(100));
    await stopAt(await folderWithDatabase(), () => sleep(600));
  });

  it('under a low limit of open files leaves room for the database and the management listener', async () => {
    const program = run(await folderWithDatabase(), { OPS_PORT: '0' }, 'ulimit -n 256; exec "$@"');
    await program.started();
    const { port } = new URL(program.origin);
    const silent = Array.from({ length: 400 }, () =>
      net.connect(Number(port), '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(silent.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    const open = (): net.Socket[] => silent.filter(({ closed }) => !closed);
    // Those beyond the number in force are closed at once.
    await until(() => open().length <= 128);
    for (const socket of open().slice(0, 24)) socket.destroy();
    const headers = { Authorization: `Bearer ${program.key ?? ''}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    // At once, so that the service opens further connections to PostgreSQL: on a busy machine not all in time at first.
    await until(async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${program.origin}/v1/pets`, { method: 'POST', headers, body }).catch(() => undefined),
        ),
      );
      return replies.every((reply) => reply?.status === 201);
    });
    await until(async () => (await fetch(`${managementOf(program)}/readyz`)).status === 200);
    expect(program.logged('limit of open files lowers MAX_CONNECTIONS')).toEqual([
      expect.objectContaining({ level: 40, openFiles: 256, maxConnections: 128 }),
    ]);
    for (const socket of silent) socket.destroy();
    expect(await program.end()).toBe(0);
  });
});
