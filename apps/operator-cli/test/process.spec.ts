import { once } from 'node:events';
import { open, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeySigner } from '@petstore/api-key';
import { connectToRunning, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database, ListenNotifyBus, KeyLookupStore } from '@petstore/persistence';
import { memoryFolder, putDatabase, type TemporaryFolder } from '@petstore/test-servers';
import { Operator, runProcess, startProcess } from './operator.js';

// A process takes half a second to start, and longer on a busy machine.
jest.setTimeout(120_000);

interface KeyObject {
  readonly id: string;
  readonly key: string;
  readonly secrets: readonly { readonly validUntil: string | null }[];
  readonly audit: readonly { readonly action: string; readonly by: string }[];
}

describe('the programs as processes, on the embedded database', () => {
  let folder: TemporaryFolder;
  let environment: Record<string, string>;

  beforeEach(async () => {
    folder = await memoryFolder('operator-cli');
    environment = { PETSTORE_DATA_DIR: folder.path };
    await putDatabase(folder.path);
  });
  afterEach(() => folder.remove());

  it('start the database when nobody runs it, and stop it again', async () => {
    const create = ['create', '--name', 'a', '--plan', 'free', '--json'];
    const created = await runProcess('key', create, environment);
    expect(created).toMatchObject({ exit: 0, err: '' });
    expect(await connectToRunning(folder.path)).toBeUndefined();
    const { mode } = await stat(join(folder.path, 'pepper'));
    expect(mode & 0o777).toBe(0o600);
    // What the shell says of other databases is not about this one.
    const shell = {
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c nonsense=1',
      PGHOST: 'db.invalid',
    };
    const { id } = JSON.parse(created.out) as KeyObject;
    const shown = await runProcess('key', ['show', id, '--json'], { ...environment, ...shell });
    expect(shown).toMatchObject({ exit: 0, err: '' });
    expect((JSON.parse(shown.out) as KeyObject).audit).toMatchObject([{ by: userInfo().username }]);
  });

  it('work beside the service that runs it, with its pepper, and tell it of a change at once', async () => {
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined });
    const runs = await Promise.all(
      ['a', 'b'].map((name) =>
        runProcess('key', ['create', '--name', name, '--plan', 'free', '--json'], environment),
      ),
    );
    const database = await Database.open({ url: server.url });
    const signer = new KeySigner(await readFile(join(folder.path, 'pepper'), 'utf8'));
    for (const { exit, out, err } of runs) {
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      const { id, key } = JSON.parse(out) as KeyObject;
      const hash = signer.verify(key);
      const found = hash && (await new KeyLookupStore(database).find(hash));
      expect(found?.keyId).toBe(id);
    }

    const { id } = JSON.parse(runs[0]?.out ?? '') as KeyObject;
    const events = new ListenNotifyBus(database);
    const received = new Promise((resolve) => void events.subscribe(resolve));
    expect((await runProcess('key', ['revoke', id], environment)).out).toContain('have been told');
    expect(await received).toEqual({ kind: 'changed', keyId: id });
    await events.close();
    await database.close();
    expect(await connectToRunning(folder.path)).toBe(server.url);
    await server.stop();
  });
});

const operator = new Operator();

describe('the programs as processes', () => {
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('fail when their output cannot be written', async () => {
    const full = await open('/dev/full', 'w');
    expect(await runProcess('key', ['list'], operator.environment, full.fd)).toEqual({
      exit: 1,
      out: '',
      err: expect.stringMatching(/^error: The output could not be written: ENOSPC[^\n]*\n$/),
    });
    await full.close();
  });

  it('exit with their codes, and bear a reader that has had enough, but not one that misses a secret', async () => {
    const mistake = ['create', '--name', 'x', '--plan', 'gold'];
    expect(await runProcess('key', mistake, operator.environment)).toMatchObject({ exit: 2, out: '' });
    expect(await runUnread('list')).toEqual({ exit: 0, err: '' });
    const lost = /^error: The output could not be written: [^\n]*EPIPE[^\n]* rotate the key [^\n]*$/m;
    const failure = { exit: 1, err: expect.stringMatching(lost) };
    expect(await runUnread('create', '--name', 'a', '--plan', 'free', '--json')).toEqual(failure);
  });

  /** A command on keys, to whose output nobody listens. */
  async function runUnread(...args: string[]): Promise<{ exit: number; err: string }> {
    const child = startProcess('key', args, operator.environment);
    child.stdout?.destroy();
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [exit] = (await once(child, 'close')) as [number];
    return { exit, err };
  }
});

describe('a rotation that is killed (kill -9)', () => {
  // In the order in which a rotation comes to them: nothing written, old secret ended, new secret added.
  it.each(['api_keys', 'api_key_secrets', 'api_key_audit'])(
    'when it has come as far as the table %s leaves the old state whole',
    async (table) => {
      const { id } = await operator.json<KeyObject>('key', ['create', '--name', 'shop', '--plan', 'pro']);
      const show = (): Promise<KeyObject> => operator.json('key', ['show', id]);
      await operator.admin.query(`begin; lock table ${table} in share mode`);
      const rotation = startProcess('key', ['rotate', id], operator.environment);
      const exit = once(rotation, 'exit');
      await operator.until('exists (select from pg_locks where not granted)');
      rotation.kill('SIGKILL');
      await exit;
      await operator.admin.query('commit');
      await operator.untilNoSession('petstore keys');
      const after = await show();
      expect(after.secrets.map(({ validUntil }) => validUntil)).toEqual([null]);
      expect(after.audit.map(({ action }) => action)).toEqual(['created']);
      // And the next one goes through.
      await operator.json('key', ['rotate', id]);
      expect((await show()).secrets.map(({ validUntil }) => validUntil)).toEqual([expect.any(String), null]);
    },
  );
});
