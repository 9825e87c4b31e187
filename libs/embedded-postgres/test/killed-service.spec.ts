import { spawnSync } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '../src/start.js';
import { DataFolderFixture, log } from './data-folder-fixture.js';
import { query, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const fixture = new DataFolderFixture();

describe('a service that is killed', () => {
  it('loses nothing acknowledged, leaves no process behind, and starts again at once', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 2; round++) {
      const service = new TestService('write', fixture.dataDir);
      const start = await service.until(({ pid }) => pid !== undefined);
      await service.until(({ row = 0 }) => row > acknowledged + 200);
      await service.kill('SIGKILL');
      acknowledged = service.lastRow;
      expect(start.pid).toBeGreaterThan(0);
    }
    await fixture.within(async ({ url }) => {
      const [row] = await query(url, 'select count(*)::int as rows, max(n)::int as last from rows');
      expect(row?.['last']).toBeGreaterThanOrEqual(acknowledged);
      expect(row?.['rows']).toBeGreaterThanOrEqual(acknowledged);
    });
    await untilNone(fixture.dataDir);
  });

  it('recovers when its server is killed as well', async () => {
    const service = new TestService('write', fixture.dataDir);
    const { pid = 0 } = await service.until((said) => said.pid !== undefined);
    await service.until(({ row = 0 }) => row > 100);
    process.kill(pid, 'SIGKILL');
    await service.kill('SIGKILL');
    await fixture.within(async ({ url }) => {
      const [row] = await query(url, 'select count(*)::int as rows from rows');
      expect(row?.['rows']).toBeGreaterThanOrEqual(service.lastRow);
    });
    await untilNone(fixture.dataDir);
  });

  // Only root can become somebody else, who must then be able to read this checkout.
  const nobody = 65_534;
  const become = { uid: nobody, gid: nobody };
  const canBecome =
    spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', import.meta.filename], become).status === 0;

  (canBecome ? it : it.skip)(
    'loses nothing as an ordinary user either, and root can take the data over',
    async () => {
      const folder = join(fixture.dataDir, 'data');
      await chmod(fixture.base, 0o755);
      await chmod(fixture.dataDir, 0o777);
      const service = new TestService('write', folder, nobody);
      await service.until(({ row = 0 }) => row > 100);
      await service.kill('SIGKILL');
      expect((await stat(join(folder, 'postgres/cluster/data'))).uid).toBe(nobody);
      await untilNone(folder);
      const server = await startEmbeddedPostgres({ dataDir: folder, log });
      const [row] = await query(server.url, 'select count(*)::int as rows from rows');
      await server.stop();
      expect(row?.['rows']).toBeGreaterThanOrEqual(service.lastRow);
    },
  );
});
