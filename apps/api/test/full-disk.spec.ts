import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeyAdministration, KeySigner } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import { connectToRunning, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database, PostgresApiKeyRepository } from '@petstore/persistence';
import { memoryFolder, type TemporaryFolder } from '@petstore/test-servers';
import { Client as Session } from 'pg';
import { Client, type Reply } from './client.js';
import { expectError } from './contract.js';
import { Program } from './program.js';

/** A file of which Linux says, whenever something is written to it, that there is no space left (full(4)). */
const FULL = '/dev/full';
/** Other systems have no disk that is full on demand. */
const onLinux = process.platform === 'linux' ? it : it.skip;
const PEPPER = 'pepper-of-the-full-disk';
const REX = { name: 'Rex', categoryId: 7 };

let folder: TemporaryFolder;
/** Where PostgreSQL keeps the animals, and where it does meanwhile. */
let [file, aside] = ['', ''];
let key: string;

async function inSession<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = new Session(url);
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

beforeAll(async () => {
  folder = await memoryFolder('full-disk');
  const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined });
  const database = await Database.open({ url: server.url });
  await database.migrate();
  const keys = new ApiKeyAdministration({
    repository: new PostgresApiKeyRepository(database),
    signer: new KeySigner(PEPPER),
    scopes: PETSTORE_SCOPES,
    kind: 'test',
  });
  // With a key there, the first start adds no animals of its own.
  key = (await keys.create({ name: 'test', plan: 'pro' }, 'tests')).secret;
  await database.close();
  const path = await inSession(server.url, async (session) => {
    const { rows } = await session.query<{ path: string }>(`select pg_relation_filepath('pets') as path`);
    return rows[0]?.path ?? '';
  });
  await server.stop();
  file = join(folder.path, 'postgres/cluster/data', path);
  aside = `${file}.aside`;
});
afterAll(() => folder.remove());

onLinux(
  'a disk without room refuses additions at once, keeps reads going, and loses and repeats nothing',
  async () => {
    await rename(file, aside);
    await symlink(FULL, file);
    const program = await new Program(folder.path, { API_KEY_PEPPER: PEPPER }).started();
    try {
      const client = new Client(program.origin, key);
      const headers = { 'Idempotency-Key': 'the-same-animal' };
      const expectRefused = async (reply: Promise<Reply>): Promise<void> => {
        const since = performance.now();
        expectError(await reply, 'service_unavailable');
        expect((await reply).headers['retry-after']).toBe('1');
        expect(performance.now() - since).toBeLessThan(2_000);
      };
      for (let n = 0; n < 3; n++) {
        await expectRefused(client.post('/v1/pets', REX));
        await expectRefused(client.post('/v1/pets', REX, { headers }));
        expect(await client.get('/v1/pets')).toMatchObject({ status: 200, text: '[]' });
      }
      expect((await client.get('/readyz')).status).toBe(200);

      await unlink(file);
      await rename(aside, file);
      // Its processes still have the other file open.
      const url = (await connectToRunning(folder.path)) ?? '';
      await inSession(url, (session) =>
        session.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
        ),
      );
      let added = await client.post('/v1/pets', REX, { headers });
      for (const until = Date.now() + 5_000; added.status === 503 && Date.now() < until;) {
        added = await client.post('/v1/pets', REX, { headers });
      }
      expect(added.status).toBe(201);
      const again = await client.post('/v1/pets', REX, { headers });
      expect(again).toMatchObject({ status: 201, text: added.text });
      expect((await client.get('/v1/pets')).text).toBe(`[${added.text}]`);
      client.close();
      expect(await program.end()).toBe(0);
      expect(program.output).toContain('No space left on device');
    } finally {
      await program.end('SIGKILL');
    }
  },
);
