import { beforeAll, describe, expect, it } from '@jest/globals';
import type { NewPet } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import fc from 'fast-check';
import { IDEMPOTENT_REQUEST_RETENTION } from '../src/retention/retention-rules.js';
import {
  type IdempotentRequest,
  type IdempotentResult,
  type JsonValue,
  REMEMBERED_FOR_MS,
  type StoredResponse,
} from '../src/idempotency/idempotent-request.js';
import { canonicalJson, requestFingerprint } from '../src/idempotency/idempotent-request.js';
import { removeOldRows } from '../src/retention/retention.js';
import { known } from '../src/testing/known.js';
import { outcomeOf, tally } from './outcomes.js';
import { addOnce as addOnceIn, nameOf, rexOf } from './pet-actions.js';
import type { Stores } from './stores.js';
import { HURRIED, TestDatabase } from './test-database.js';

const db = new TestDatabase();
/** Of another process. */
let other: Stores;
beforeAll(async () => {
  other = await db.open();
});

const rex: NewPet = rexOf('9007199254740993', 'pending');
const mia: NewPet = { ...rex, name: nameOf('Mia') };
const REQUEST: IdempotentRequest = { caller: 'a', token: 't', operation: 'createPet', input: { ...rex } };

const addOnce = (pet: NewPet, token: string, n = 0): Promise<IdempotentResult> =>
  addOnceIn(n % 2 === 0 ? db.stores : other, pet, { caller: 'a', token });
const never = (): Promise<StoredResponse> => Promise.reject(new Error('carried out again'));
/** Everything that requests have left: pets, their events, and remembered requests. */
const kept = async (): Promise<number[]> => [
  await db.count('pets'),
  await db.count('outbox'),
  await db.count('idempotent_requests'),
];
/** Makes the remembered requests as old as this. */
const age = (ms: number): Promise<unknown> =>
  db.query(`update idempotent_requests set created_at = now() - $1 * interval '1 millisecond'`, [ms]);
/** Another process claims the token of {@link REQUEST}, and does not end its transaction. */
const claimElsewhere = async (): Promise<void> => {
  await db.query('begin');
  await db.query(
    `insert into idempotent_requests (caller, token, operation, fingerprint, status, body)
     values ('a', 't', 'createPet', sha256('{"categoryId":"9007199254740993","name":"Rex","status":"pending"}'), 201, 'theirs')`,
  );
};

describe('the fingerprint of a request', () => {
  /** The same value with the members of every object in another order. */
  function reversed(value: JsonValue): JsonValue {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed);
    const members = Object.entries(value as Record<string, JsonValue>).toReversed();
    return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
  }

  it('is the SHA-256 of the members in the order of their names, which stay what they are', () => {
    // printf '{"categoryId":"7","name":"Rex","status":"available"}' | sha256sum
    const request = { name: 'Rex', categoryId: '7', status: 'available', left: undefined };
    expect(requestFingerprint(request).toString('hex')).toBe(
      'e3759ee5b443b09fba43f4c3d1e3952faa614293103840ff287b0bab79718573',
    );
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<JsonValue>, (value) => {
        expect(requestFingerprint(reversed(value))).toEqual(requestFingerprint(value));
        // -0 is written as 0.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([NaN, Infinity])('is refused for %s, which JSON cannot write', (number) => {
    expect(() => requestFingerprint({ number })).toThrow(TypeError);
  });
});

describe('a request with a token', () => {
  it.each<[string, StoredResponse]>([
    [
      'every part',
      { status: 200, location: 'https://é/ü?x="', etag: '"a\\b"', body: '{"a":"\\u0000 🐇\\n"}' },
    ],
    ['no part', { status: 204, location: undefined, etag: undefined, body: undefined }],
    ['empty parts', { status: 200, location: '', etag: '', body: '' }],
  ])('is replayed as it was with %s', async (_what, response) => {
    const { idempotency } = db.stores;
    await idempotency.run(REQUEST, () => Promise.resolve(response));
    expect(await idempotency.run(REQUEST, never)).toEqual({ kind: 'replayed', response });
  });

  it('is recognised by its token, or the hash of a long one', async () => {
    const tokens = ['t', 'x'.repeat(43), ...[44, 50, 51, 254, 255].map((length) => 'x'.repeat(length))];
    for (const token of tokens) expect(await addOnce(rex, token)).toMatchObject({ kind: 'carried_out' });
    for (const token of tokens) expect(await addOnce(rex, token)).toMatchObject({ kind: 'replayed' });
    const rows = await db.query<{ token: string }>('select token from idempotent_requests');
    expect(rows.filter(({ token }) => token.length > 50)).toEqual([]);
    // What is kept of a long token is no other request's token.
    for (const { token } of rows.filter(({ token: kept }) => kept.length === 50))
      expect(await addOnce(rex, token)).toMatchObject({
        kind: token === 'x'.repeat(50) ? 'replayed' : 'carried_out',
      });
  });

  it.each(['idempotent_requests', 'pets', 'outbox'])(
    'leaves nothing when %s cannot be written',
    async (table) => {
      await db.query(`alter table ${table} add constraint nothing check (false) not valid`);
      await expect(addOnce(rex, 't')).rejects.toThrow('nothing');
      await db.query(`alter table ${table} drop constraint nothing`);
      expect(await kept()).toEqual([0, 0, 0]);
      expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
    },
  );

  it('is forgotten after 24 hours by the clock of the database', async () => {
    await addOnce(rex, 't');
    await age(REMEMBERED_FOR_MS - 30_000);
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'replayed' });
    await age(REMEMBERED_FOR_MS + 1);
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'carried_out' });
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'replayed' });
    expect(await addOnce(rex, 't')).toEqual({ kind: 'reused' });
  });

  it('is removed when it is forgotten, in batches, and no other', async () => {
    await db.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint, status)
       select 'a', n::text, 'createPet', sha256(''), 201 from generate_series(1, 12000) n`,
    );
    await age(REMEMBERED_FOR_MS + 1);
    await addOnce(rex, 'new');
    const remove = () => removeOldRows(db.stores.database.manager, IDEMPOTENT_REQUEST_RETENTION);
    expect([await remove(), await remove()]).toEqual([12_000, 0]);
    expect(await addOnce(rex, 'new')).toMatchObject({ kind: 'replayed' });
  });
});

describe('the same request at the same time', () => {
  it('is in progress at once for others of this process', async () => {
    const first = addOnce(rex, 't');
    expect(await addOnce(rex, 't')).toEqual({ kind: 'in_progress' });
    expect(await first).toMatchObject({ kind: 'carried_out' });
  });

  it('is in progress for another process whose wait ends before the first transaction', async () => {
    const hurried = await db.open(HURRIED);
    await claimElsewhere();
    expect(await addOnceIn(hurried, rex, { caller: 'a', token: 't' })).toEqual({ kind: 'in_progress' });
    await db.query('rollback');
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
  });

  it('is replayed by another process when the first transaction commits meanwhile', async () => {
    await claimElsewhere();
    const ours = db.stores.idempotency.run(REQUEST, never);
    await db.untilBlocked();
    await db.query('commit');
    expect(await ours).toMatchObject({ kind: 'replayed', response: { status: 201, body: 'theirs' } });
  });

  it('is not in progress because of a locked table: the database is not available then', async () => {
    const hurried = await db.open(HURRIED);
    await db.query('begin; lock table idempotent_requests in access exclusive mode');
    const request = addOnceIn(hurried, rex, { caller: 'a', token: 't' });
    expect(await outcomeOf(request)).toBe('StoreUnavailableError');
  });

  it.each([
    ['new', 'new'],
    ['one of yesterday', 'used'],
  ])('is carried out once by several processes when its token is %s', async (_what, token) => {
    await addOnce(mia, 'used');
    await age(REMEMBERED_FOR_MS + 1);
    const results: IdempotentResult[] = [];
    let left = 100;
    const runner = async (n: number): Promise<void> => {
      while (left-- > 0) results.push(await addOnce(rex, token, n));
    };
    await Promise.all(Array.from({ length: 18 }, (_, n) => runner(n)));
    const { carried_out: carriedOut, reused } = tally(results.map(({ kind }) => kind));
    expect([results.length, carriedOut, reused]).toEqual([100, 1, undefined]);
    const responses = results.flatMap((result) =>
      'response' in result ? [JSON.stringify(result.response)] : [],
    );
    expect(new Set(responses).size).toBe(1);
    expect(await db.count('pets')).toBe(2);
  });

  it('is carried out once where transactions are serializable', async () => {
    await db.query(`alter database postgres set default_transaction_isolation = 'serializable'`);
    const strict = [await db.open(), await db.open()];
    await db.query('alter database postgres reset default_transaction_isolation');
    const requests = Array.from({ length: 60 }, (_, n) =>
      addOnceIn(known(strict[n % 2]), rex, { caller: 'a', token: `t${n % 6}` }),
    );
    expect(tally((await Promise.all(requests)).map(({ kind }) => kind))).toMatchObject({ carried_out: 6 });
    expect(await kept()).toEqual([6, 6, 6]);
  });

  it('is carried out once when sessions end meanwhile', async () => {
    for (let round = 1; round <= 4; round++) {
      const token = `round-${round}`;
      const requests = Array.from({ length: 12 }, (_, n) => outcomeOf(addOnce(rex, token, n)));
      await db.terminateSessions();
      for (const outcome of await Promise.all(requests))
        expect(['ok', 'StoreUnavailableError']).toContain(outcome);
      await waitFor(() =>
        addOnce(rex, token, round).then(
          ({ kind }) => kind === 'replayed',
          () => false,
        ),
      );
      expect(await kept()).toEqual([round, round, round]);
    }
  });
});
