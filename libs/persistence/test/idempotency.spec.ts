import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import fc from 'fast-check';
import {
  type JsonValue,
  REMEMBERED_FOR_MS,
  requestFingerprint,
  type StoredResponse,
} from '../src/idempotency/idempotent-request.js';
import { removeOld } from './old-rows.js';
import { outcomeOf, tally } from './outcomes.js';
import { addOnce as addOnceIn, nameOf, rex } from './pet-actions.js';
import type { Stores } from './stores.js';
import { HURRIED, TestDatabase } from './test-database.js';

const db = new TestDatabase();
/** Of another process. */
let other: Stores;
beforeAll(async () => {
  other = await db.open();
});

const mia = { ...rex, name: nameOf('Mia') };
const T = { caller: 'a', token: 't' };

/** Adds an animal in one process or the other, unless that was done: whether it was done, or the name of the error. */
const addOnce = async (pet: typeof rex, token: string, n = 0): Promise<string> => {
  const adding = addOnceIn(n % 2 === 0 ? db.stores : other, pet, { caller: 'a', token });
  const outcome = await outcomeOf(adding);
  return outcome !== 'ok' ? outcome : (await adding).isReplayed ? 'replayed' : 'added';
};
/** Makes the remembered requests as old as this. */
const age = (ms: number): Promise<unknown> =>
  db.query(`update idempotent_requests set created_at = now() - $1 * interval '1 millisecond'`, [ms]);
/** While a request is being carried out with the token `t` in another process. @returns its response */
const whileAtWork = async (work: () => Promise<unknown>): Promise<StoredResponse> => {
  let [begin, end] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const first = other.unitOfWork.run((tx) =>
    tx.idempotentRequests.once({ ...T, operation: 'createPet' }, { ...rex }, async () => {
      begin();
      await mayEnd;
      return { json: '{"a":"\\u0000 🐇\\n"}', location: 'https://é/ü?x="' };
    }),
  );
  await begun;
  await work().finally(end);
  return first;
};

it('the fingerprint of a request is the SHA-256 of its members in the order of their names', () => {
  // printf '{"categoryId":"7","name":"Rex","status":"available"}' | sha256sum
  const request = { name: 'Rex', categoryId: '7', status: 'available', left: undefined };
  expect(requestFingerprint(request).toString('hex')).toBe(
    'e3759ee5b443b09fba43f4c3d1e3952faa614293103840ff287b0bab79718573',
  );
  /** The same value with the members of every object in another order. */
  const reversed = (value: JsonValue): JsonValue => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed);
    const members = Object.entries(value as Record<string, JsonValue>).toReversed();
    return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
  };
  fc.assert(
    fc.property(fc.jsonValue() as fc.Arbitrary<JsonValue>, (value) => {
      expect(requestFingerprint(reversed(value))).toEqual(requestFingerprint(value));
      expect(requestFingerprint([value])).not.toEqual(requestFingerprint(value));
    }),
  );
});

describe('a request with a token', () => {
  it('is recognised by its token, or the hash of a long one', async () => {
    const tokens = ['t', 'x'.repeat(43), ...[44, 50, 51, 254, 255].map((length) => 'x'.repeat(length))];
    for (const token of tokens) expect(await addOnce(rex, token)).toBe('added');
    for (const token of tokens) expect(await addOnce(rex, token)).toBe('replayed');
    const rows = await db.query<{ token: string }>('select token from idempotent_requests');
    expect(rows.filter(({ token }) => token.length > 50)).toEqual([]);
    // What is stored of a long token is no other request's token.
    for (const { token } of rows.filter(({ token: stored }) => stored.length === 50))
      expect(await addOnce(rex, token)).toBe(token === 'x'.repeat(50) ? 'replayed' : 'added');
  });

  it('is forgotten after 24 hours by the clock of the database, and removed in batches', async () => {
    await addOnce(rex, 't');
    await age(REMEMBERED_FOR_MS - 30_000);
    expect(await addOnce(rex, 't')).toBe('replayed');
    await age(REMEMBERED_FOR_MS + 1);
    expect(await addOnce(mia, 't')).toBe('added');
    expect(await addOnce(mia, 't')).toBe('replayed');
    expect(await addOnce(rex, 't')).toBe('TokenReusedError');
    await db.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint)
       select 'a', n::text, 'createPet', sha256('') from generate_series(1, 11999) n`,
    );
    await age(REMEMBERED_FOR_MS + 1);
    await addOnce(rex, 'new');
    expect(await removeOld(db, 'idempotent_requests')).toBe(12_000);
    expect(await addOnce(rex, 'new')).toBe('replayed');
  });
});

describe('the same request at the same time', () => {
  it('is in progress at once for others in any process, also when a request of yesterday had its token', async () => {
    await addOnce(mia, 't');
    await age(REMEMBERED_FOR_MS + 1);
    const first = await whileAtWork(async () => {
      for (let n = 0; n < 2; n++) {
        expect(await addOnce(rex, 't', n)).toBe('RequestInProgressError');
        expect(await addOnce(mia, 't', n)).toBe('RequestInProgressError');
        expect(await addOnce(mia, `${n}`, n)).toBe('added');
      }
    });
    expect(await addOnceIn(db.stores, rex, T)).toEqual({ ...first, isReplayed: true });
  });

  it('is carried out by another when the first one fails', async () => {
    const failed = whileAtWork(() => db.terminateSessions());
    expect(await outcomeOf(failed)).toBe('StoreUnavailableError');
    await waitFor(async () => (await addOnce(rex, 't')) === 'added');
  });

  it('is not in progress because of a locked table: the database is not available then', async () => {
    const hurried = await db.open(HURRIED);
    await db.query('begin; lock table idempotent_requests in access exclusive mode');
    expect(await outcomeOf(addOnceIn(hurried, rex, T))).toBe('StoreUnavailableError');
  });

  it.each(['new', 'used'])('is carried out once by several processes when its token is %s', async (token) => {
    await addOnce(mia, 'used');
    await age(REMEMBERED_FOR_MS + 1);
    const outcomes: string[] = [];
    let left = 100;
    const runner = async (n: number): Promise<void> => {
      while (left-- > 0) outcomes.push(await addOnce(rex, token, n));
    };
    await Promise.all(Array.from({ length: 18 }, (_, n) => runner(n)));
    const { added, replayed = 0, RequestInProgressError: inProgress = 0 } = tally(outcomes);
    expect([added, replayed + inProgress]).toEqual([1, 99]);
    expect(await db.count('pets')).toBe(2);
  });
});
