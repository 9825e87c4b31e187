import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiKeyAdministration,
  HASH_PREFIX_LENGTH,
  type HashPrefixes,
  type IssuedKey,
  SecretHasher,
} from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import type { EntityManager, QueryRunner } from 'typeorm';
import { PostgresApiKeyHashSource } from '../src/api-keys/postgres-api-key-hash.source.js';
import { PostgresApiKeyLookup } from '../src/api-keys/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from '../src/api-keys/postgres-api-key.repository.js';
import { Database } from '../src/database/database.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';

const hasher = new SecretHasher('pepper of the tests');

let server: TestPostgres;
let database: Database;
let manager: EntityManager;
let source: PostgresApiKeyHashSource;
let administration: ApiKeyAdministration;

beforeAll(async () => {
  server = await startMigratedServer();
  // Many hashes are written at once.
  database = await Database.open({ url: server.url, answerTimeoutMs: 20_000 });
  manager = database.manager;
  source = new PostgresApiKeyHashSource(database);
  const repository = new PostgresApiKeyRepository(database);
  administration = new ApiKeyAdministration({ repository, hasher, scopes: SCOPES, kind: 'test' });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});
beforeEach(() => manager.query('delete from api_key_secrets'));

const create = (): Promise<IssuedKey> => administration.create({ name: 'shop', plan: 'free' }, 'anna');
const prefixOf = (secret: string): string => hasher.hash(secret).slice(0, HASH_PREFIX_LENGTH);

function split(prefixes: HashPrefixes): string[] {
  expect(prefixes.length % HASH_PREFIX_LENGTH).toBe(0);
  return prefixes.match(new RegExp(`.{${HASH_PREFIX_LENGTH}}`, 'g')) ?? [];
}

const now = async (): Promise<string> => (await source.since(undefined)).mark;
const added = async (mark: string): Promise<string[]> => split((await source.since(mark)).prefixes);

/** Hashes of random bytes, as many as wanted, in one transaction. */
async function insertMany(count: number): Promise<void> {
  const { key } = await create();
  await manager.query(
    `insert into api_key_secrets (hash, key_id, prefix, last_four, created_at, valid_until)
     select translate(encode(sha256(convert_to($2 || n::text, 'UTF8')), 'base64'), '+/=', '-_'), $1, '', '', now(), now()
     from generate_series(1, $3) n`,
    [key.id, String(Math.random()), count],
  );
}

/** A transaction of its own that has written a hash and is not committed yet. */
async function lateWriter(): Promise<{ runner: QueryRunner; prefix: string }> {
  const { key } = await create();
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  const hash = hasher.hash(`late ${Math.random()}`);
  await runner.query(
    `insert into api_key_secrets (hash, key_id, prefix, last_four, created_at, valid_until)
     values ($1, $2, '', '', now() - interval '1 year', now())`,
    [hash, key.id],
  );
  return { runner, prefix: hash.slice(0, HASH_PREFIX_LENGTH) };
}

describe('pages', () => {
  it.each([1, 7, 100, 101])('of %s hold every hash once', async (most) => {
    await insertMany(99);
    const expected = await manager.query<{ hash: string }[]>('select hash from api_key_secrets');
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await source.page(after, most);
      found.push(...split(page.prefixes));
      after = page.next;
    } while (after !== undefined);
    expect(found.sort()).toEqual(expected.map(({ hash }) => hash.slice(0, HASH_PREFIX_LENGTH)).sort());
    expect(found).toHaveLength(100);
  });

  it('pass over rows that no hasher made', async () => {
    const { key, secret } = await create();
    for (const hash of ['', 'short', '\u{1F436}'.repeat(43), 'x'.repeat(44)]) {
      await manager.query(
        `insert into api_key_secrets (hash, key_id, prefix, last_four, created_at, valid_until) values ($1, $2, '', '', now(), now())`,
        [hash, key.id],
      );
    }
    expect(split((await source.page(undefined, 100)).prefixes)).toEqual([prefixOf(secret)]);
    expect(await added('1:1:')).toEqual([prefixOf(secret)]);
  });
});

describe('what was added since a mark', () => {
  it('is nothing at first', async () => {
    await create();
    const first = await source.since(undefined);
    expect(first).toMatchObject({ prefixes: '', complete: true });
    expect(await source.since(first.mark)).toMatchObject({ prefixes: '', complete: true });
  });

  it('are the secrets of new and of rotated keys, and hashes made anew; no other change', async () => {
    const old = await create();
    const mark = await now();
    const fresh = await create();
    const rotated = await administration.rotate(old.key.id, 3_600_000, 'ben');
    await administration.update(fresh.key.id, { plan: 'pro' }, 'ben');
    await administration.revoke(fresh.key.id, 'ben');
    expect((await added(mark)).sort()).toEqual([prefixOf(fresh.secret), prefixOf(rotated.secret)].sort());
    const next = await now();
    const hash = hasher.hash('anew');
    await new PostgresApiKeyLookup(database).rehash(hasher.hash(old.secret), hash);
    expect(await added(next)).toEqual([hash.slice(0, HASH_PREFIX_LENGTH)]);
  });

  it('holds what a transaction wrote before the mark and committed after it, whatever others did meanwhile', async () => {
    const late = await lateWriter();
    const other = await create();
    const mark = await now();
    expect(await added(mark)).toEqual([]);
    const after = await create();
    await late.runner.commitTransaction();
    await late.runner.release();
    expect((await added(mark)).sort()).toEqual([late.prefix, prefixOf(after.secret)].sort());
    expect(await added(mark)).not.toContain(prefixOf(other.secret));
    expect(await added(await now())).toEqual([]);
  });

  it('does not come again and again while a transaction lasts', async () => {
    const { runner } = await lateWriter();
    await create();
    const { mark, prefixes } = await source.since(await now());
    expect(prefixes).toBe('');
    expect(await added(mark)).toEqual([]);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await added(mark)).toEqual([]);
  });

  it('is everything that many writers commit at any time, each once', async () => {
    const marks: string[] = [await now()];
    const found: string[] = [];
    let writing = true as boolean;
    const reading = (async (): Promise<void> => {
      for (;;) {
        const last = !writing;
        const { mark, prefixes, complete } = await source.since(marks.at(-1));
        expect(complete).toBe(true);
        found.push(...split(prefixes));
        marks.push(mark);
        if (last) return;
      }
    })();
    const writers = Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 15; i++) {
        const { runner } = await lateWriter();
        await sleep(Math.random() * 10);
        await (Math.random() < 0.2 ? runner.rollbackTransaction() : runner.commitTransaction());
        await runner.release();
      }
    });
    await Promise.all(writers);
    writing = false;
    await reading;
    const rows = await manager.query<{ hash: string }[]>('select hash from api_key_secrets');
    expect(found.sort()).toEqual(rows.map(({ hash }) => hash.slice(0, HASH_PREFIX_LENGTH)).sort());
  });

  it('leaves out rows of a restored backup, whose transactions were those of another server', async () => {
    const { key } = await create();
    await manager.query('update api_key_secrets set written_in = 900000000000 where key_id = $1', [key.id]);
    const mark = await now();
    const { secret } = await create();
    expect(await added(mark)).toEqual([prefixOf(secret)]);
  });

  it('is not all when there is too much of it, or when the mark is ahead of this server', async () => {
    const mark = await now();
    await insertMany(20_001);
    expect(await source.since(mark)).toMatchObject({ complete: false });
    expect(await source.since('900000000000:900000000000:')).toMatchObject({ complete: false });
    expect(await source.since(await now())).toMatchObject({ complete: true });
  });

  it('is found by the index however many keys there are', async () => {
    await insertMany(30_000);
    await manager.query('analyze api_key_secrets');
    await create();
    // One session, which can be made to report what it has scanned.
    const session = await Database.open({ url: server.url, poolSize: 1 });
    const scans = (): Promise<unknown> => session.manager.query(SCANS);
    await session.manager.query(REPORT);
    const began = await scans();
    const asked = new PostgresApiKeyHashSource(session);
    for (let i = 0; i < 5; i++) await asked.since((await asked.since(undefined)).mark);
    await asked.page(undefined, 100);
    await session.manager.query(REPORT);
    expect(await scans()).toEqual(began);
    await session.manager.query('select count(*) from api_key_secrets where last_four = $1', ['x']);
    await session.manager.query(REPORT);
    expect(await scans()).not.toEqual(began);
    await session.close();
  });
});

const REPORT = 'select pg_stat_force_next_flush()';
const SCANS = `select seq_scan from pg_stat_user_tables where relname = 'api_key_secrets'`;
