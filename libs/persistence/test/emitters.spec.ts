import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type Pool, type PoolClient } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresApiKeyEventBus } from '../src/api-keys/postgres-api-key-event-bus.js';
import { createDataSource } from '../src/schema/data-source.js';
import { DatabaseClient } from '../src/connection/database-client.js';
import { type EndingWire, endingWire } from './ending-wire.js';
import { startMigratedServer } from './migrated-server.js';
import { everythingWorks, QUESTIONS } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

let server: TestPostgres;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

describe('whatever can emit an error', () => {
  it('is made in one place only', async () => {
    const found: string[] = [];
    for (const group of ['libs', 'apps']) {
      for (const project of await readdir(join(WORKSPACE, group))) {
        const src = join(WORKSPACE, group, project, 'src');
        const files = await readdir(src, { recursive: true }).catch(() => []);
        for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
          const text = await readFile(join(src, file), 'utf8');
          if (!text.includes("from 'pg'")) continue;
          for (const made of text.match(/(?:new|extends) (?:Client|Pool|pg\.\w+)\b/g) ?? []) {
            found.push(`${relative(WORKSPACE, join(src, file))}: ${made}`);
          }
        }
      }
    }
    expect(found).toEqual(['libs/persistence/src/connection/database-client.ts: extends Client']);
  });

  it('has a listener from its beginning, and whenever the pool does something with it', async () => {
    const stores = await Stores.open({ url: server.url });
    const pool = (stores.database.dataSource.driver as PostgresDriver).master as Pool;
    const seen: string[] = [];
    const firsts = new Map<PoolClient, unknown>();
    expect(new DatabaseClient().listenerCount('error')).toBe(1);
    expect(pool.listenerCount('error')).toBe(1);
    for (const event of ['connect', 'acquire', 'release', 'remove'] as const) {
      pool.on(event, (...told: readonly unknown[]) => {
        const client = told.at(-1) as PoolClient;
        seen.push(event);
        expect(client).toBeInstanceOf(DatabaseClient);
        // The pool's own comes and goes, and so does TypeORM's: the first one stays.
        const [own] = client.listeners('error');
        expect(own).toBeDefined();
        expect(firsts.get(client) ?? own).toBe(own);
        firsts.set(client, own);
      });
    }
    await everythingWorks(stores);
    await stores.close();
    await soon(() => {
      expect(new Set(seen)).toEqual(new Set(['connect', 'acquire', 'release', 'remove']));
      return Promise.resolve();
    });
  });

  it('has one in the pool that migrates', async () => {
    const dataSource = await createDataSource({ url: server.url }).initialize();
    const runner = dataSource.createQueryRunner();
    expect(await runner.connect()).toBeInstanceOf(DatabaseClient);
    await runner.release();
    await dataSource.destroy();
  });
});

describe('a session that is ended in the moment in which it becomes ready', () => {
  /** Asks everything again and again, for as long as `going` says. */
  async function askWhile(stores: Stores, going: () => boolean): Promise<number> {
    let asked = 0;
    const asker = async (ask: (stores: Stores) => Promise<unknown>): Promise<void> => {
      while (going()) {
        asked++;
        await ask(stores).catch(() => undefined);
        // What is refused at once would otherwise leave no time for sessions to be made.
        await sleep(5);
      }
    };
    await Promise.all(QUESTIONS.flatMap(([, ask]) => [asker(ask), asker(ask)]));
    return asked;
  }

  it('costs a question, and never the process', async () => {
    const wire: EndingWire = await endingWire(server.url);
    const stores = await soon(() => Stores.open({ url: wire.url }), 10_000);
    const events = new PostgresApiKeyEventBus(stores.database);
    await events.subscribe(() => undefined);
    try {
      const since = performance.now();
      // On a busy machine few sessions come that far in so short a time.
      await askWhile(stores, () => wire.ended <= 250 && performance.now() - since < 20_000);
      expect(wire.ended).toBeGreaterThan(100);
      wire.spare();
      await soon(() => everythingWorks(stores), 5_000);
    } finally {
      await events.close();
      await stores.close();
      wire.close();
    }
  });

  it('is one of many when somebody ends all of them without a pause', async () => {
    const stores = await Stores.open({ url: server.url });
    const admin = new Client(server.url);
    await admin.connect();
    let ended = 0;
    const until = performance.now() + 10_000;
    const going = (): boolean => ended < 150 && performance.now() < until;
    const asking = askWhile(stores, going);
    while (going()) {
      const { rowCount } = await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
      );
      ended += rowCount ?? 0;
    }
    expect(await asking).toBeGreaterThan(50);
    expect(ended).toBeGreaterThan(50);
    await soon(() => everythingWorks(stores), 5_000);
    await admin.end();
    await stores.close();
  });
});
