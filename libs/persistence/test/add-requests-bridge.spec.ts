import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, PetName } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import type { Database } from '../src/database/database.js';
import { keptToken } from '../src/idempotency/kept-token.js';
import { openDatabase } from '../src/database/database.js';
import { known } from '../src/testing/known.js';
import { addOnce, BASE_URL, locationOf } from './add-once.js';
import { addAsEarlier, type Added } from './earlier-version.js';
import { startMigratedServer } from './migrated-server.js';

let postgres: TestPostgres;
let database: Database;
let admin: Client;
/** The session of an earlier version. */
let earlier: Client;

beforeAll(async () => {
  postgres = await startMigratedServer();
  database = await openDatabase({ url: postgres.url });
  admin = new Client(postgres.url);
  earlier = new Client(postgres.url);
  await Promise.all([admin.connect(), earlier.connect()]);
});
afterAll(async () => {
  await Promise.all([admin.end(), earlier.end()]);
  await database.close();
  await postgres.stop();
});
beforeEach(async () => {
  await admin.query('truncate pets, idempotent_requests, add_requests');
});

const rex: NewPet = {
  name: known(PetName.parse('Rex "II" \\ 🐇')),
  categoryId: known(CategoryId.parse('9223372036854775807')),
  status: 'pending',
};
const others: readonly NewPet[] = [
  { ...rex, name: known(PetName.parse('Mia')) },
  { ...rex, categoryId: known(CategoryId.parse('1')) },
  { ...rex, status: 'sold' },
];
const LONG = 'x'.repeat(255);
const TOKENS = ['t', LONG];

/** 1.0.0 knew no hashes of tokens. */
const asSent = (token: string): string => token;

const count = async (): Promise<number> =>
  Number((await admin.query<{ n: string }>('select count(*) n from pets')).rows[0]?.n);

describe.each([
  ['an earlier version', keptToken],
  ['version 1.0.0', asSent],
])('what %s has carried out', (_version, keep) => {
  it.each(TOKENS)('is replayed with the response that it gave: %s', async (token) => {
    const { id } = (await addAsEarlier(earlier, rex, token, keep)) as Added;
    const body = `{"id":${id},"name":"Rex \\"II\\" \\\\ 🐇","categoryId":9223372036854775807,"status":"pending"}`;
    const answer = { status: 201, location: locationOf(id), body };
    for (let n = 0; n < 2; n++) {
      expect(await addOnce(database, rex, { caller: 'a', token })).toEqual({ kind: 'replayed', answer });
    }
    expect(await count()).toBe(1);
  });

  it.each(TOKENS)('is refused for anything else: %s', async (token) => {
    await addAsEarlier(earlier, rex, token, keep);
    for (const other of others)
      expect(await addOnce(database, other, { caller: 'a', token })).toEqual({ kind: 'reused' });
    const order = { caller: 'a', token, operation: 'placeOrder', input: { ...rex } };
    const placed = database
      .idempotencyStore(BASE_URL)
      .run(order, () => Promise.reject(new Error('not this')));
    expect(await placed).toEqual({ kind: 'reused' });
    expect(await addOnce(database, rex, { caller: 'b', token })).toMatchObject({ kind: 'carried_out' });
  });

  it('is forgotten after 24 hours', async () => {
    await addAsEarlier(earlier, rex, 't', keep);
    await admin.query(`update add_requests set created_at = now() - interval '24 hours'`);
    expect(await addOnce(database, rex, { caller: 'a', token: 't' })).toMatchObject({ kind: 'carried_out' });
    expect(await count()).toBe(2);
    expect(await addOnce(database, rex, { caller: 'a', token: 't' })).toMatchObject({ kind: 'replayed' });
  });

  it('after this one has forgotten it counts', async () => {
    await addOnce(database, rex, { caller: 'a', token: 't' });
    for (const table of ['idempotent_requests', 'add_requests'])
      await admin.query(`update ${table} set created_at = now() - interval '24 hours'`);
    const { id } = (await addAsEarlier(earlier, rex, 't', keep)) as Added;
    expect(await addOnce(database, rex, { caller: 'a', token: 't' })).toMatchObject({
      kind: 'replayed',
      answer: { location: locationOf(id) },
    });
  });
});

describe.each([
  ['an earlier version', keptToken],
  ['version 1.0.0', asSent],
])('what this version has carried out, for %s', (_version, keep) => {
  it.each(TOKENS)('is carried out already: %s', async (token) => {
    const first = await addOnce(database, rex, { caller: 'a', token });
    const again = await addAsEarlier(earlier, rex, token, keep);
    expect(again).toMatchObject({ earlier: true, same: true });
    expect(first).toMatchObject({ answer: { location: locationOf((again as Added).id) } });
    expect(await count()).toBe(1);
  });

  it.each(TOKENS)('is something else than another animal: %s', async (token) => {
    await addOnce(database, rex, { caller: 'a', token });
    for (const other of others)
      expect(await addAsEarlier(earlier, other, token, keep)).toMatchObject({ earlier: true, same: false });
    expect(await count()).toBe(1);
  });

  it('is something else if it was another operation', async () => {
    const order = { caller: 'a', token: 't', operation: 'placeOrder', input: { petId: '1' } };
    await database.idempotencyStore(BASE_URL).run(order, () => Promise.resolve({ status: 201, body: '{}' }));
    expect(await addAsEarlier(earlier, rex, 't', keep)).toMatchObject({ earlier: true, same: false });
    expect(await count()).toBe(0);
  });
});

describe('two versions side by side', () => {
  it('tell each other that a request is being carried out', async () => {
    await earlier.query('begin');
    await earlier.query('select pg_try_advisory_xact_lock(hashtextextended($1, 0))', [
      JSON.stringify(['a', LONG]),
    ]);
    expect(await addOnce(database, rex, { caller: 'a', token: LONG })).toEqual({ kind: 'in_progress' });
    await earlier.query('rollback');
    let seen: unknown;
    const request = { caller: 'a', token: LONG, operation: 'createPet', input: { ...rex } };
    await database.idempotencyStore(BASE_URL).run(request, async () => {
      seen = await addAsEarlier(earlier, rex, LONG);
      return { status: 201, body: '{"id":1,"name":"Rex"}' };
    });
    expect(seen).toBe('in_progress');
  });

  it('add one animal for each token, however their requests are mixed', async () => {
    const tokens = Array.from({ length: 60 }, (_, n) => `mixed-${n}`);
    const settled = (outcome: string): boolean => outcome !== 'in_progress';
    const untilSettled = async (ask: () => Promise<string>): Promise<string> => {
      for (;;) {
        const outcome = await ask();
        if (settled(outcome)) return outcome;
      }
    };
    const old = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (const token of tokens) {
        ids.push(
          await untilSettled(async () => {
            const outcome = await addAsEarlier(earlier, rex, token);
            return outcome === 'in_progress' ? outcome : outcome.id;
          }),
        );
      }
      return ids;
    };
    const current = (): Promise<string[]> =>
      Promise.all(
        [...tokens].reverse().map((token) =>
          untilSettled(async () => {
            const result = await addOnce(database, rex, { caller: 'a', token });
            if (!('answer' in result)) return result.kind;
            return result.answer.location?.slice(locationOf('').length) ?? '';
          }),
        ),
      );
    const [oldIds, ids] = await Promise.all([old(), current()]);
    expect(ids.reverse()).toEqual(oldIds);
    expect(new Set(ids).size).toBe(tokens.length);
    expect(await count()).toBe(tokens.length);
  });
});
