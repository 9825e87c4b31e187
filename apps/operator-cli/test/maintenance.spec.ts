import { beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { type Circumstances, Operator, type Outcome, PEPPER, runHere } from './operator.js';

const operator = new Operator();
beforeEach(() => operator.emptyStock());

const events = (args: readonly string[], circumstances?: Circumstances): Promise<Outcome> =>
  operator.run('events', args, circumstances);
const json = (...args: string[]): Promise<unknown> => operator.json('events', args);

describe('npm run events -- status', () => {
  it('says of an empty feed that all is well', async () => {
    const { exit, out } = await events(['status']);
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^Newest position +0\nFirst kept after +0\nEvents kept +0\nOldest kept +none\nWaiting +none\n\nok: /,
    );
  });

  it('says how many events are kept and since when, with every digit', async () => {
    await operator.admin.query(
      'update event_head set position = 9223372036854775807, first = 9223372036854773807',
    );
    await operator.admin.query(
      `insert into events values (9223372036854773808, 'pet.created', 'pet', null, '{}', '2026-01-02T03:04:05Z')`,
    );
    expect(await json('status')).toEqual({
      newest: '9223372036854775807',
      first: '9223372036854773807',
      kept: '2000',
      oldestKeptAt: '2026-01-02T03:04:05.000Z',
      waiting: '0',
      waitingSeconds: 0,
      verdict: 'ok',
    });
    expect((await events(['status'])).out).toMatch(
      /Events kept +2,000\nOldest kept +2026-01-02 03:04 UTC \(\d+ d ago\)/,
    );
  });

  it.each([
    [1, 'ok', /Waiting +1, the oldest for \d+ s/],
    [10, 'behind', /\nbehind: /],
    [90, 'stalled', /the oldest for 1 min\n\nstalled: .*WORKER=on/],
  ])('says of an event that has waited for %s s: %s', async (seconds, verdict, text) => {
    await operator.admin.query(
      `insert into outbox (type, resource, data, happened_at)
       values ('pet.created', 'pet', '{"pet":{"id":1,"name":"a","categoryId":1,"status":"sold"}}',
         now() - $1 * interval '1 second')`,
      [seconds],
    );
    expect((await events(['status'])).out).toMatch(text);
    // A slow machine lets it wait longer.
    expect(await json('status')).toMatchObject({ waiting: '1', ...(seconds > 5 && { verdict }) });
  });
});

describe('npm run events -- recount', () => {
  const add = (animals: string): Promise<unknown> =>
    operator.admin.query(`insert into pets (name, category_id, status) select 'a', ${animals}`);

  it('says so when nothing was wrong', async () => {
    expect(await events(['recount'])).toEqual({
      exit: 0,
      out: 'Counted 0 animals. Wrong numbers of the inventory: 0.\n',
      err: '',
    });
  });

  it('says what was wrong, and the numbers are right afterwards', async () => {
    await add(`7, 'sold' from generate_series(1, 1200)`);
    await operator.admin.query(`insert into inventory values (7, 'pending', 3)`);
    const { exit, out } = await events(['recount']);
    expect(exit).toBe(0);
    expect(out).toBe(
      'Counted 1,200 animals. Wrong numbers of the inventory: 3.\n' +
        'CATEGORY  STATUS   WAS  IS\n' +
        'all       sold     0    1,200\n' +
        '7         pending  3    0\n' +
        '7         sold     0    1,200\n',
    );
    expect(await json('recount')).toEqual({ animals: '1200', corrected: 0, corrections: [] });
  });

  it('names the first of very many, and how many more there are', async () => {
    await add(`id, 'sold' from generate_series(1, 30) id`);
    const { out } = await events(['recount']);
    expect(out.split('\n')).toHaveLength(1 + 1 + 20 + 1 + 1);
    expect(out).toMatch(/\nand 11 more\n$/);
  });

  it('prints the category of all animals as null', async () => {
    await operator.admin.query(`insert into inventory values (0, 'sold', 3)`);
    expect(await json('recount')).toEqual({
      animals: '0',
      corrected: 1,
      corrections: [{ categoryId: null, status: 'sold', was: '3', animals: '0' }],
    });
  });

  it('exits with 1 and says why when something holds the lock of the sequencer', async () => {
    const other = new Client(operator.server.url);
    await other.connect();
    try {
      await other.query('begin; select 1 from event_head for update');
      const { exit, out, err } = await events(['recount']);
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toMatch(
        /^error: Another program has held the lock of the sequencer for 10 seconds, and nothing/,
      );
    } finally {
      await other.end();
    }
  });
});

describe('npm run events -- restart', () => {
  const position = async (): Promise<unknown> =>
    (await operator.admin.query('select position, first from event_head')).rows[0];

  it('is done when a person types yes', async () => {
    const { exit, out, err } = await events(['restart'], { typed: 'yes\n' });
    expect(err).toMatch(/^Every reader of the feed .* Type yes to go on: $/);
    expect({ exit, out }).toEqual({
      exit: 0,
      out: expect.stringMatching(/^The feed begins anew after position 1,000,000\. .*410 position_gone/),
    });
    expect(await position()).toEqual({ position: '1000000', first: '1000000' });
  });

  it.each(['', '\n', 'no\n', 'y\n', 'yes please\n', 'YES\n'])(
    'is not done when a person types %j',
    async (typed) => {
      const { exit, out, err } = await events(['restart'], { typed });
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toMatch(/error: Nothing was done: it was not confirmed\.\n$/);
      expect(await position()).toEqual({ position: '0', first: '0' });
    },
  );

  it('is done for a script only if it says --yes', async () => {
    expect(await events(['restart'])).toEqual({
      exit: 1,
      out: '',
      err: 'error: Nothing was done: nobody is at the terminal to confirm it. Say --yes.\n',
    });
    expect(await position()).toEqual({ position: '0', first: '0' });
    expect(await json('restart', '--yes')).toEqual({ first: '1000000' });
  });
});

describe('npm run migrate', () => {
  it('applies what is missing, says so, and does nothing the second time', async () => {
    const empty = await startTestPostgres();
    const environment = { DATABASE_URL: empty.url, API_KEY_PEPPER: PEPPER };
    // As when several instances are rolled out together: one does the work, the others wait.
    const runs = await Promise.all([1, 2, 3].map(() => runHere('migrate', [], { environment })));
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    const [applied, ...others] = runs.map(({ out }) => out).sort();
    expect(applied).toMatch(/^Applied:\n(?: {2}\w+\d{13}\n)+$/);
    expect(others).toEqual(['The schema is up to date.\n', 'The schema is up to date.\n']);
    await empty.stop();
  });
});
