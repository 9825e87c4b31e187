import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connectToRunning, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database, PostgresApiKeyEventBus, PostgresApiKeyLookup } from '@petstore/persistence';
import { KeySigner } from '@petstore/api-key';
import { memoryFolder, putDatabase, type TemporaryFolder } from '@petstore/test-servers';
import { start, tool } from './tool.js';

// A process takes half a second to start, and longer on a busy machine.
jest.setTimeout(120_000);

let folder: TemporaryFolder;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await memoryFolder('operator-cli');
  environment = { PETSTORE_DATA_DIR: folder.path };
});
afterEach(() => folder.remove());

interface KeyObject {
  readonly id: string;
  readonly key: string;
  readonly audit: readonly { readonly by: string }[];
}

describe('the tool as a process, on the embedded database', () => {
  it('starts the database when nobody runs it, and stops it again', async () => {
    const created = await tool(['create', '--name', 'first', '--plan', 'free', '--json'], environment);
    expect(created).toMatchObject({ exit: 0, err: '' });
    expect(await connectToRunning(folder.path)).toBeUndefined();
    const { mode } = await stat(join(folder.path, 'pepper'));
    expect(mode & 0o777).toBe(0o600);

    const { id } = JSON.parse(created.out) as KeyObject;
    const shown = await tool(['show', id, '--json'], environment);
    expect(shown).toMatchObject({ exit: 0, err: '' });
    expect((JSON.parse(shown.out) as KeyObject).audit).toMatchObject([{ by: userInfo().username }]);
  });

  it('works beside the service that runs it, with its pepper, and tells it of a change at once', async () => {
    await putDatabase(folder.path);
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined });
    const runs = await Promise.all(
      ['a', 'b'].map((name) => tool(['create', '--name', name, '--plan', 'free', '--json'], environment)),
    );
    const database = await Database.open({ url: server.url });
    const signer = new KeySigner(await readFile(join(folder.path, 'pepper'), 'utf8'));
    for (const { exit, out, err } of runs) {
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      const { id, key } = JSON.parse(out) as KeyObject;
      const hash = signer.verify(key);
      const found = hash && (await new PostgresApiKeyLookup(database).find(hash));
      expect(found?.caller.keyId).toBe(id);
    }

    const { id } = JSON.parse(runs[0]?.out ?? '') as KeyObject;
    const events = new PostgresApiKeyEventBus(database);
    const received = new Promise((resolve) => void events.subscribe(resolve));
    expect((await tool(['revoke', id], environment)).out).toContain('have been told');
    expect(await received).toEqual({ kind: 'changed', keyId: id });

    await events.close();
    await database.close();
    expect(await connectToRunning(folder.path)).toBe(server.url);
    await server.stop();
  });

  it('recounts and tells the state of the feed beside the service that runs the database, and alone', async () => {
    await putDatabase(folder.path);
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined });
    const beside = await tool(['recount'], environment, 'events');
    expect(beside).toEqual({ exit: 0, out: 'Counted 0 animals. The inventory was right.\n', err: '' });
    await server.stop();
    const alone = await tool(['status', '--json'], environment, 'events');
    expect(alone).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(alone.out)).toMatchObject({ newest: '0', verdict: 'ok' });
    expect(await tool(['restart'], environment, 'events')).toMatchObject({ exit: 1, out: '' });
    expect(await connectToRunning(folder.path)).toBeUndefined();
  });

  it('prints no colour into a pipe, and bears a reader that has had enough', async () => {
    await putDatabase(folder.path);
    const { out } = await tool(['create', '--name', 'x', '--plan', 'free'], environment);
    expect(out).not.toContain('\u001b');
    const child = start(['list'], environment);
    child.stdout?.destroy();
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [exit] = (await once(child, 'exit')) as [number];
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
  });

  it('exits with 2 for a mistake', async () => {
    expect(await tool(['create', '--name', 'x', '--plan', 'gold'], environment)).toMatchObject({
      exit: 2,
      out: '',
    });
  });
});
