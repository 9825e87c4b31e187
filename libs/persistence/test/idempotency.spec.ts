import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type NewPet, PetName } from '@petstore/pet-domain';
import { IDEMPOTENT_REQUEST_RETENTION } from '../src/idempotency/idempotent-request.retention.js';
import {
  type IdempotentRequest,
  type IdempotentResult,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from '../src/idempotency/idempotent-request.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { known } from '../src/testing/known.js';
import { addOnce as addOnceIn } from './add-once.js';
import { Feed } from './feed.js';
import { outcomeOf, tally } from './outcomes.js';
import { rexOf } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let feed: Feed;
/** Of another process. */
let other: Stores;

beforeAll(async () => {
  feed = await Feed.start();
  other = await Stores.open({ url: feed.postgres.url });
});
afterAll(async () => {
  await other.close();
  await feed.stop();
});
beforeEach(() => feed.reset());

const rex: NewPet = rexOf('9007199254740993', 'pending');
const mia: NewPet = { ...rex, name: known(PetName.parse('Mia')) };
const REQUEST: IdempotentRequest = { caller: 'a', token: 't', operation: 'createPet', input: { ...rex } };

const addOnce = (pet: NewPet, token: string, caller = 'a', at = 0): Promise<IdempotentResult> =>
  addOnceIn(at % 2 === 0 ? feed.stores : other, pet, { caller, token });
const never = (): Promise<StoredAnswer> => Promise.reject(new Error('carried out again'));
/** Everything that requests have left: pets, their events, and remembered requests. */
const kept = async (): Promise<number[]> => [
  await feed.count('pets'),
  await feed.count('outbox'),
  await feed.count('idempotent_requests'),
];
/** Makes the remembered requests as old as this. */
const age = (ms: number): Promise<unknown> =>
  feed.admin.query(`update idempotent_requests set created_at = now() - $1 * interval '1 millisecond'`, [ms]);
/** Another process claims the token of {@link REQUEST}, and does not end its transaction. */
const claimElsewhere = async (): Promise<void> => {
  await feed.admin.query('begin');
  await feed.admin.query(
    `insert into idempotent_requests (caller, token, operation, fingerprint, status, body)
     values ('a', 't', 'createPet', sha256('{"categoryId":"9007199254740993","name":"Rex","status":"pending"}'), 201, 'theirs')`,
  );
};

describe('a request with a token', () => {
  it.each<[string, StoredAnswer]>([
    [
      'every part',
      { status: 200, location: 'https://é/ü?x="', etag: '"a\\b"', body: '{"a":"\\u0000 🐇\\n"}' },
    ],
    ['no part', { status: 204, location: undefined, etag: undefined, body: undefined }],
    ['empty parts', { status: 200, location: '', etag: '', body: '' }],
  ])('is replayed as it was with %s', async (_what, answer) => {
    const { idempotency } = feed.stores;
    await idempotency.run(REQUEST, () => Promise.resolve(answer));
    expect(await idempotency.run(REQUEST, never)).toEqual({ kind: 'replayed', answer });
  });

  it('is recognised by the hash of a long token', async () => {
    await addOnce(rex, 'x'.repeat(255));
    expect(await addOnce(rex, 'x'.repeat(255))).toMatchObject({ kind: 'replayed' });
    expect(await addOnce(mia, 'x'.repeat(254))).toMatchObject({ kind: 'carried_out' });
    const { rows } = await feed.admin.query('select max(length(token)) as longest from idempotent_requests');
    expect(rows).toEqual([{ longest: 50 }]);
  });

  it.each(['idempotent_requests', 'pets', 'outbox'])(
    'leaves nothing when %s cannot be written',
    async (table) => {
      await feed.admin.query(`alter table ${table} add constraint nothing check (false) not valid`);
      await expect(addOnce(rex, 't')).rejects.toThrow('nothing');
      await feed.admin.query(`alter table ${table} drop constraint nothing`);
      expect(await kept()).toEqual([0, 0, 0]);
      expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
    },
  );

  it('is forgotten after 24 hours by the clock of the database', async () => {
    await addOnce(rex, 't');
    await age(REMEMBERED_FOR_MS - 5_000);
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'replayed' });
    await age(REMEMBERED_FOR_MS + 1);
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'carried_out' });
    expect(await addOnce(mia, 't')).toMatchObject({ kind: 'replayed' });
    expect(await addOnce(rex, 't')).toEqual({ kind: 'reused' });
  });

  it('is removed when it is forgotten, in batches, and no other', async () => {
    await feed.admin.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint, status)
       select 'a', n::text, 'createPet', sha256(''), 201 from generate_series(1, 12000) n`,
    );
    await age(REMEMBERED_FOR_MS + 1);
    await addOnce(rex, 'new');
    const remove = () => removeOldRows(feed.stores.database.manager, IDEMPOTENT_REQUEST_RETENTION);
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
    await claimElsewhere();
    const began = performance.now();
    expect(await addOnce(rex, 't')).toEqual({ kind: 'in_progress' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(feed.stores.database.timeouts.lockMs);
    await feed.admin.query('rollback');
    expect(await addOnce(rex, 't')).toMatchObject({ kind: 'carried_out' });
  });

  it('is replayed by another process when the first transaction commits meanwhile', async () => {
    await claimElsewhere();
    const ours = feed.stores.idempotency.run(REQUEST, never);
    await soon(async () => {
      expect(await feed.count('pg_locks where not granted')).toBe(1);
    });
    await feed.admin.query('commit');
    expect(await ours).toMatchObject({ kind: 'replayed', answer: { status: 201, body: 'theirs' } });
  });

  it('is not in progress because of a locked table: the database is not available then', async () => {
    await feed.admin.query('begin; lock table idempotent_requests in access exclusive mode');
    expect(await outcomeOf(addOnce(rex, 't'))).toBe('StoreUnavailableError');
    await feed.admin.query('rollback');
  });

  it.each([
    ['new', 'new'],
    ['one of yesterday', 'used'],
  ])('is carried out once by several processes when its token is %s', async (_what, token) => {
    await addOnce(mia, 'used');
    await age(REMEMBERED_FOR_MS + 1);
    const results: IdempotentResult[] = [];
    let left = 300;
    const runner = async (at: number): Promise<void> => {
      while (left-- > 0) results.push(await addOnce(rex, token, 'a', at));
    };
    await Promise.all(Array.from({ length: 18 }, (_, at) => runner(at)));
    const { carried_out: carriedOut, reused } = tally(results.map(({ kind }) => kind));
    expect([results.length, carriedOut, reused]).toEqual([300, 1, undefined]);
    const answers = results.flatMap((result) => ('answer' in result ? [JSON.stringify(result.answer)] : []));
    expect(new Set(answers).size).toBe(1);
    expect(await feed.count('pets')).toBe(2);
  });

  it('is carried out once where transactions are serializable', async () => {
    await feed.admin.query(`alter database postgres set default_transaction_isolation = 'serializable'`);
    const strict = await Promise.all([1, 2].map(() => Stores.open({ url: feed.postgres.url })));
    try {
      const requests = Array.from({ length: 60 }, (_, n) =>
        addOnceIn(known(strict[n % 2]), rex, { caller: 'a', token: `t${n % 6}` }),
      );
      expect(tally((await Promise.all(requests)).map(({ kind }) => kind))).toMatchObject({ carried_out: 6 });
      expect(await kept()).toEqual([6, 6, 6]);
    } finally {
      await feed.admin.query('alter database postgres reset default_transaction_isolation');
      await Promise.all(strict.map((stores) => stores.close()));
    }
  });

  it('is carried out once when sessions end meanwhile', async () => {
    for (let round = 1; round <= 10; round++) {
      const token = `round-${round}`;
      const requests = Array.from({ length: 12 }, (_, n) => outcomeOf(addOnce(rex, token, 'a', n)));
      await feed.admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore'`,
      );
      for (const outcome of await Promise.all(requests))
        expect(['ok', 'StoreUnavailableError']).toContain(outcome);
      await soon(async () => {
        expect(await addOnce(rex, token, 'a', round)).toMatchObject({ kind: 'replayed' });
      });
      expect(await kept()).toEqual([round, round, round]);
    }
  });
});
