import { beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { Operator, type Outcome, PEPPER, runHere } from './operator.js';

const operator = new Operator();
beforeEach(() => operator.emptyStock());

const events = (args: readonly string[], environment?: Record<string, string>): Promise<Outcome> =>
  operator.run('events', args, environment);
const json = (...args: string[]): Promise<unknown> => operator.json('events', args);

describe('npm run events -- status', () => {
  it('says how many events are kept and since when, with every digit', async () => {
    expect(await json('status')).toMatchObject({ newest: '0', kept: '0', oldestKeptAt: null, verdict: 'ok' });
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
      /^first +9223372036854773807\n[^]*oldestKeptAt +2026-01-02 03:04 UTC\n[^]*verdict +ok\n$/,
    );
  });

  it.each([
    [1, 'ok'],
    [10, 'behind'],
    [90, 'stalled'],
  ])('says of an event that has waited for %s s: %s', async (seconds, verdict) => {
    await operator.admin.query(
      `insert into outbox (type, resource, data, happened_at)
       values ('pet.created', 'pet', '{"pet":{"id":1,"name":"a","categoryId":1,"status":"sold"}}',
         now() - $1 * interval '1 second')`,
      [seconds],
    );
    // A slow machine lets it wait longer.
    expect(await json('status')).toMatchObject({ waiting: '1', ...(seconds > 5 && { verdict }) });
  });
});

describe('npm run events -- recount', () => {
  it('says what was wrong, and the numbers are right afterwards', async () => {
    await operator.admin.query(
      `insert into pets (name, category_id, status) select 'a', 7, 'sold' from generate_series(1, 1200)`,
    );
    await operator.admin.query(`insert into inventory values (7, 'pending', 3)`);
    const { exit, out } = await events(['recount']);
    expect(exit).toBe(0);
    expect(out).toBe(
      'animals    1200\ncorrected  3\n\ncorrections\n' +
        'categoryId  status   was  animals\n' +
        '            sold     0    1200\n' +
        '7           pending  3    0\n' +
        '7           sold     0    1200\n',
    );
    expect(await json('recount')).toEqual({ animals: '1200', corrected: 0, corrections: [] });
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
  it('lifts the position', async () => {
    expect(await json('restart', '--yes')).toEqual({ first: '1000000' });
    const { rows } = await operator.admin.query('select position, first from event_head');
    expect(rows).toEqual([{ position: '1000000', first: '1000000' }]);
  });
});

describe('npm run migrate', () => {
  it('applies what is missing, says so, and does nothing the second time', async () => {
    const empty = await startTestPostgres();
    const environment = { DATABASE_URL: empty.url, API_KEY_PEPPER: PEPPER };
    // As when several instances are rolled out together: one does the work, the others wait.
    const runs = await Promise.all([1, 2, 3].map(() => runHere('migrate', [], environment)));
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    const [applied, ...others] = runs.map(({ out }) => out).sort();
    expect(applied).toMatch(/^Applied:\n(?: {2}\w+\d{13}\n)+$/);
    expect(others).toEqual(['The schema is up to date.\n', 'The schema is up to date.\n']);
    await empty.stop();
  });
});

describe('npm run webhook', () => {
  const webhook = (...args: string[]): Promise<Outcome> => operator.run('webhook', args);
  const printed = (...args: string[]): Promise<object> => operator.json('webhook', args);
  beforeEach(async () => {
    await operator.admin.query(`
    insert into api_keys (id, name, plan, scopes, created_at) values
      ('key_1', 'shop', 'free', '{webhooks:manage}', now()),
      ('key_2', E'site\\u001b[31m', 'free', '{webhooks:manage}', now())
      on conflict do nothing;
    truncate webhooks restart identity cascade;
    insert into webhooks (key_id, url, types, status, disabled_reason, failing_since, created_at) values
      ('key_1', 'https://shop.example/hook?token=hidden', '{pet.*,order.placed}', 'enabled', null, null,
        '2026-11-21T19:12:07.123Z'),
      ('key_2', 'https://site.example/', null, 'disabled', 'failing', now() - interval '6 days', now()),
      (null, 'https://removed.example/', null, 'disabled', null, null, now());
    insert into webhook_secrets (webhook_id, sealed, valid_until) values
      (1, 'sealed', null), (1, 'older', now() + interval '1 hour'), (1, 'ended', now() - interval '1 hour');
    insert into webhook_deliveries
        (webhook_id, position, type, status, attempts, next_attempt_at, last_attempt_at, response_status, error)
      select 1, n, 'pet.updated', 'failed', 10, null, now() - interval '2 hours', 503, 'http_status'
      from generate_series(1, 12) n;
    insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
      select 1, n, 'pet.created', 'pending', now() from generate_series(101, 1105) n`);
  });

  it('lists whose each webhook is and how it does, newest first', async () => {
    const { exit, out } = await webhook('list');
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'keyId', 'keyName', 'status', 'pending', 'failingSince', 'url'],
      [
        '2',
        'key_2',
        'site\\u{1b}[31m',
        'disabled',
        '0',
        expect.stringMatching(/^\d{4}-.* UTC$/),
        'https://site.example/',
      ],
      ['1', 'key_1', 'shop', 'enabled', '1,000', 'https://shop.example/hook?...'],
      [''],
    ]);
  });

  it('lists everything but secrets for scripts, of one key or status if that is asked for', async () => {
    expect(await printed('list', '--status', 'enabled')).toEqual([
      {
        id: '1',
        keyId: 'key_1',
        keyName: 'shop',
        url: 'https://shop.example/hook?token=hidden',
        types: ['pet.*', 'order.placed'],
        status: 'enabled',
        createdAt: '2026-11-21T19:12:07.123Z',
        pending: 1000,
      },
    ]);
    expect(await printed('list', '--status', 'disabled')).toMatchObject([
      { id: '2', disabledReason: 'failing' },
    ]);
    expect(await printed('list', '--key', 'key_3Hq9uA7LmX0cTz5e')).toEqual([]);
  });

  it('shows what a webhook asks for, and its last deliveries', async () => {
    const { exit, out } = await webhook('show', '1');
    expect(exit).toBe(0);
    expect(out).toMatch(/types +pet\.\* order\.placed\n/);
    expect(out).toMatch(/secrets +2\n/);
    expect(out).toMatch(/deliveries +pending: 1,000; delivered: 0; failed: 12; dropped: 0\n/);
    expect(out).toMatch(/\n1017 [^\n]*pet\.created +[^\n]*pending/);
    expect(out).not.toContain('sealed');
    const details = (await printed('show', '1')) as { lastDeliveries: object[] };
    expect(details.lastDeliveries).toHaveLength(10);
    await operator.admin.query(`delete from webhook_deliveries where status = 'pending'`);
    expect((await webhook('show', '1')).out).toMatch(
      /\n12 [^\n]*pet\.updated [^\n]*failed [^\n]* 503 [^\n]*http_status/,
    );
  });

  it('disables one, and says whether it was needed', async () => {
    expect((await webhook('disable', '1')).out).toBe(
      'id          1\nstatus      disabled\nwasEnabled  true\n',
    );
    const shown = await printed('show', '1');
    expect(shown).toMatchObject({ status: 'disabled', deliveries: { pending: 0 } });
    expect(shown).not.toHaveProperty('disabledReason');
    expect(await printed('disable', '1')).toEqual({ id: '1', status: 'disabled', wasEnabled: false });
    const { rows } = await operator.admin.query('select action, done_by, details from api_key_audit');
    expect(rows).toEqual([{ action: 'updated', done_by: 'anna', details: { webhook: '1 disabled' } }]);
    // What the service said of another one stays.
    expect(await printed('disable', '2')).toMatchObject({ wasEnabled: false });
    expect(await printed('show', '2')).toMatchObject({ disabledReason: 'failing' });
  });

  it.each([
    ['show', '3'],
    ['show', '4'],
    ['disable', '3'],
    ['disable', '9223372036854775807'],
  ])('exits with 1 for %s %s: there is no such webhook', async (command, id) => {
    expect(await webhook(command, id)).toEqual({
      exit: 1,
      out: '',
      err: `error: There is no webhook ${id}. The command list shows those there are.\n`,
    });
  });
});
