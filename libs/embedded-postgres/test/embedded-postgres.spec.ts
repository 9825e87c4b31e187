import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '../src/start.js';
import { DataFolderFixture, log } from './data-folder-fixture.js';
import { query, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const fixture = new DataFolderFixture();

describe('startEmbeddedPostgres', () => {
  it('gives a durable UTF-8 database with checksums, out of reach of any network, and keeps it', async () => {
    await fixture.within(async ({ url }) => {
      const settings = ['server_encoding', 'fsync', 'data_checksums', 'listen_addresses', 'TimeZone'];
      const rows = await query(
        url,
        `select ${settings.map((name) => `current_setting('${name}') as "${name}"`).join()}`,
      );
      expect(rows).toEqual([
        {
          server_encoding: 'UTF8',
          fsync: 'on',
          data_checksums: 'on',
          listen_addresses: '',
          TimeZone: 'UTC',
        },
      ]);
      await query(url, 'create table kept as select 42 as answer');
    });
    await fixture.within(async ({ url }) => {
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
    await untilNone(fixture.dataDir);
  });

  it('keeps the password where only the owner can read it, and asks for it', async () => {
    await fixture.within(async ({ url }) => {
      expect((await stat(join(fixture.dataDir, 'postgres/cluster/password'))).mode & 0o777).toBe(0o600);
      const wrong = new URL(url);
      wrong.password = 'guess';
      await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    });
  });

  it('refuses a second start on the same folder, naming the folder and the process', async () => {
    await fixture.within(async ({ pid, url }) => {
      await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        reason: 'folder_in_use',
        pid,
        message: expect.stringContaining(`The data folder ${fixture.dataDir} is in use`),
      });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('removes what a process left that was killed while it made the database', async () => {
    await rm(join(fixture.dataDir, 'postgres'), { recursive: true });
    const draft = join(fixture.dataDir, 'postgres/draft-4194304-killed');
    await mkdir(join(draft, 'data'), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, 'data/PG_VERSION'), '18\n');
    await fixture.within(async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
    expect(await readdir(join(fixture.dataDir, 'postgres'))).toEqual(['cluster', 'lib', 'socket']);
  });

  it('starts at once after a process was killed in the middle of initdb', async () => {
    const folder = join(fixture.dataDir, 'fresh');
    const killed = new TestService('once', folder);
    const drafts = async (): Promise<string[]> => {
      const names = await readdir(join(folder, 'postgres')).catch(() => []);
      return names.filter((name) => name.startsWith('draft-'));
    };
    while ((await drafts()).length === 0) await sleep(5);
    await sleep(50);
    await killed.kill('SIGKILL');
    expect(await drafts()).toHaveLength(1);
    const server = await startEmbeddedPostgres({ dataDir: folder, log });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('starts although the process id of a dead server belongs to another program now', async () => {
    const lock = [process.pid, join(fixture.dataDir, 'postgres/cluster/data'), 1, 5432, '', '', '', 'ready'];
    await writeFile(join(fixture.dataDir, 'postgres/cluster/data/postmaster.pid'), `${lock.join('\n')}\n`);
    await fixture.within(async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('refuses the database of another major version and says what to do', async () => {
    await writeFile(join(fixture.dataDir, 'postgres/cluster/data/PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
      reason: 'other_version',
      message: expect.stringMatching(
        /holds a database of PostgreSQL 17, and the service brings PostgreSQL 18.*pg_dump/,
      ),
    });
  });

  it('says what PostgreSQL says when it cannot start', async () => {
    await rm(join(fixture.dataDir, 'postgres/cluster/data/global/pg_control'));
    await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
      reason: 'start_failed',
      message: expect.stringContaining('could not find the database system'),
    });
  });

  it('refuses a data folder that is a file', async () => {
    const file = join(fixture.dataDir, 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: file, log })).rejects.toMatchObject({
      reason: 'not_permitted',
    });
  });
});
