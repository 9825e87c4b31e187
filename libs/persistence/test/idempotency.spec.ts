import { beforeAll, describe, expect, it } from '@jest/globals';
import type { NewPet } from '@petstore/pet-domain';
import { waitFor } from '@petstore/testing';
import fc from 'fast-check';
import { IDEMPOTENT_REQUEST_RETENTION } from '../src/retention/retention-rules.js';
import {
  canonicalJson,
  type JsonValue,
  REMEMBERED_FOR_MS,
  requestFingerprint,
  type StoredResponse,
} from '../src/idempotency/idempotent-request.js';
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
const T = { caller: 'a', token: 't' };

/** Adds a pet in one process or the other, unless that was done: whether it was done, or the name of the error. */
const addOnce = async (pet: NewPet, token: string, n = 0): Promise<string> => {
  try {
    const { isReplayed } = await addOnceIn(n % 2 === 0 ? db.stores : other, pet, { caller: 'a', token });
    return isReplayed ? 'replayed' : 'added';
  } catch (error) {
    return (error as Error).name;
  }
};
/** Everything that requests have left: pets, their events, and remembered requests. */
const kept = async (): Promise<number[]> => [
  await db.count('pets'),
  await db.count('outbox'),
  await db.count('idempotent_requests'),
];
/** Makes the remembered requests as old as this. */
const age = (ms: number): Promise<unknown> =>
  db.query(`update idempotent_requests set created_at = now() - $1 * interval '1 millisecond'`, [ms]);
/** While a request is being carried out with the token `t` in another process. @returns its response */
const whileAtWork = async (work: () => Promise<unknown>): Promise<StoredResponse> => {
  let begin!: () => void;
  let end!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const first = other.unitOfWork.run((tx) =>
    tx.idempotentRequests.once({ ...T, operation: 'createPet' }, { ...rex }, async () => {
      begin();
      await mayEnd;
      return { json: 'theirs', location: '/theirs' };
    }),
  );
  await begun;
  try {
    await work();
  } finally {
    end();
  }
  return first;
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
    ['any text', { location: 'https://é/ü?x="', json: '{"a":"\\u0000 🐇\\n"}' }],
    ['empty parts', { location: '', json: '' }],
  ])('is replayed as it was with %s', async (_what, response) => {
    const once = (work: () => Promise<StoredResponse>): Promise<unknown> =>
      db.stores.unitOfWork.run((tx) =>
        tx.idempotentRequests.once({ ...T, operation: 'createPet' }, {}, work),
      );
    await once(() => Promise.resolve(response));
    const never = (): Promise<StoredResponse> => Promise.reject(new Error('carried out again'));
    expect(await once(never)).toEqual({ ...response, isReplayed: true });
  });

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

  it.each(['idempotent_requests', 'pets', 'outbox'])(
    'leaves nothing when %s cannot be written',
    async (table) => {
      await db.query(`alter table ${table} add constraint nothing check (false) not valid`);
      expect(await addOnce(rex, 't')).toBe('QueryFailedError');
      await db.query(`alter table ${table} drop constraint nothing`);
      expect(await kept()).toEqual([0, 0, 0]);
      expect(await addOnce(rex, 't')).toBe('added');
    },
  );

  it('is forgotten after 24 hours by the clock of the database', async () => {
    await addOnce(rex, 't');
    await age(REMEMBERED_FOR_MS - 30_000);
    expect(await addOnce(rex, 't')).toBe('replayed');
    await age(REMEMBERED_FOR_MS + 1);
    expect(await addOnce(mia, 't')).toBe('added');
    expect(await addOnce(mia, 't')).toBe('replayed');
    expect(await addOnce(rex, 't')).toBe('TokenReusedError');
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
    expect(await addOnce(rex, 'new')).toBe('replayed');
  });
});

describe('the same request at the same time', () => {
  it('is in progress at once for others, in any process', async () => {
    const first = await whileAtWork(async () => {
      for (let n = 0; n < 2; n++) {
        expect(await addOnce(rex, 't', n)).toBe('RequestInProgressError');
        expect(await addOnce(mia, 't', n)).toBe('RequestInProgressError');
        expect(await addOnce(mia, `${n}`, n)).toBe('added');
      }
    });
    expect(await addOnceIn(db.stores, rex, T)).toEqual({ ...first, isReplayed: true });
  });

  it('is in progress for others when a request of yesterday had its token', async () => {
    await addOnce(rex, 't');
    await age(REMEMBERED_FOR_MS + 1);
    await whileAtWork(async () => {
      expect(await addOnce(rex, 't')).toBe('RequestInProgressError');
    });
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

  it.each([
    ['new', 'new'],
    ['one of yesterday', 'used'],
  ])('is carried out once by several processes when its token is %s', async (_what, token) => {
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

  it('is carried out once where transactions are serializable', async () => {
    await db.query(`alter database postgres set default_transaction_isolation = 'serializable'`);
    const strict = [await db.open(), await db.open()];
    await db.query('alter database postgres reset default_transaction_isolation');
    const requests = Array.from({ length: 60 }, (_, n) =>
      addOnceIn(known(strict[n % 2]), rex, { caller: 'a', token: `t${n % 6}` }).then(
        ({ isReplayed }) => String(isReplayed),
        (error: unknown) => (error as Error).name,
      ),
    );
    const {
      false: added,
      true: replayed = 0,
      RequestInProgressError: inProgress = 0,
    } = tally(await Promise.all(requests));
    expect([added, replayed + inProgress]).toEqual([6, 54]);
    expect(await kept()).toEqual([6, 6, 6]);
  });

  it('is carried out once when sessions end meanwhile', async () => {
    for (let round = 1; round <= 4; round++) {
      const token = `round-${round}`;
      const requests = Array.from({ length: 12 }, (_, n) => addOnce(rex, token, n));
      await db.terminateSessions();
      for (const outcome of await Promise.all(requests))
        expect(['added', 'replayed', 'RequestInProgressError', 'StoreUnavailableError']).toContain(outcome);
      await waitFor(async () => (await addOnce(rex, token, round)) === 'replayed');
      expect(await kept()).toEqual([round, round, round]);
    }
  });
});
