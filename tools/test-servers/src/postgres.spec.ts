import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startTestPostgres, type TestPostgres } from './postgres.js';
import { temporaryFolder } from './temporary-folder.js';

async function rows(server: TestPostgres, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startTestPostgres', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());

  it('gives an empty UTF-8 database of PostgreSQL 18', async () => {
    expect(
      await rows(
        server,
        `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
                (select count(*) from pg_tables where schemaname = 'public') as tables`,
      ),
    ).toEqual([{ encoding: 'UTF8', version: expect.stringMatching(/^18\./), tables: '0' }]);
  });

  it('dies, keeps what was written down, and is back under its address', async () => {
    await rows(server, 'create table kept as select 42 as answer');
    const { pid } = server;
    await server.kill();
    await expect(rows(server, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.pid).not.toBe(pid);
    expect(await rows(server, 'select answer::text from kept')).toEqual([{ answer: '42' }]);
  });

  it('hangs and goes on', async () => {
    await server.pause();
    let answered = false;
    const answer = rows(server, 'select 1::text as one').finally(() => (answered = true));
    await sleep(100);
    expect(answered).toBe(false);
    server.resume();
    expect(await answer).toEqual([{ one: '1' }]);
  });

  it('keeps what its sessions share in its folder, which goes away also when it was killed', async () => {
    const other = await startTestPostgres();
    const [row] = await rows(other, 'show data_directory');
    const shared = `${row?.['data_directory'] ?? ''}/pg_dynshmem`;
    expect(await readdir(shared)).not.toEqual([]);
    await other.kill();
    await other.stop();
    expect(existsSync(shared)).toBe(false);
  });

  it('leaves neither process nor folder when stopped', async () => {
    const other = await startTestPostgres();
    const [row] = await rows(other, 'show data_directory');
    const folder = row?.['data_directory'] ?? '';
    expect(existsSync(folder)).toBe(true);
    await other.stop();
    await other.stop();
    expect(existsSync(folder)).toBe(false);
    expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
  });
});

describe('temporaryFolder', () => {
  it('is removed with all that is in it', async () => {
    const folder = await temporaryFolder('folder');
    expect(existsSync(folder.path)).toBe(true);
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });
});
