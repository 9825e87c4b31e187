import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Operator, type Outcome } from './operator.js';

const operator = new Operator();
const webhook = (...args: string[]): Promise<Outcome> => operator.run('webhook', args);
const json = (...args: string[]): Promise<object> => operator.json('webhook', args);

beforeAll(async () => {
  await operator.admin.query(`insert into api_keys (id, name, plan, scopes, created_at) values
    ('key_1', 'shop', 'free', '{webhooks:manage}', now()),
    ('key_2', E'site\\u001b[31m', 'free', '{webhooks:manage}', now())`);
});
beforeEach(async () => {
  await operator.admin.query(`
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

describe('npm run webhook', () => {
  it('lists whose each webhook is and how it does, newest first', async () => {
    const { exit, out } = await webhook('list');
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'KEY', 'NAME', 'STATUS', 'PENDING', 'FAILING', 'URL'],
      ['2', 'key_2', 'site\\u{1b}[31m', 'disabled (failing)', '0', 'for 6 d', 'https://site.example/'],
      ['1', 'key_1', 'shop', 'enabled', '1,000+', 'no', 'https://shop.example/hook?...'],
      [''],
    ]);
  });

  it('lists everything but secrets for scripts, of one key or status if that is asked for', async () => {
    expect(await json('list', '--status', 'enabled')).toEqual([
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
    expect(await json('list', '--status', 'disabled')).toMatchObject([
      { id: '2', disabledReason: 'failing' },
    ]);
    expect(await json('list', '--key', 'key_3Hq9uA7LmX0cTz5e')).toEqual([]);
  });

  it('shows what a webhook asks for, and its last deliveries', async () => {
    const { exit, out } = await webhook('show', '1');
    expect(exit).toBe(0);
    expect(out).toMatch(/Types +pet\.\*, order\.placed\n/);
    expect(out).toMatch(/Secrets +2\n/);
    expect(out).toMatch(/Deliveries +1,000\+ pending, 0 delivered, 12 failed, 0 dropped\n/);
    expect(out).toMatch(/\n1017 +pet\.created +pending +0 +never\n/);
    expect(out).not.toContain('sealed');
    const details = (await json('show', '1')) as { lastDeliveries: object[] };
    expect(details.lastDeliveries).toHaveLength(10);
    await operator.admin.query(`delete from webhook_deliveries where status = 'pending'`);
    expect((await webhook('show', '1')).out).toMatch(
      /\n12 +pet\.updated +failed +10 +2 h ago +503 http_status\n/,
    );
  });

  it('disables one, and says whether it was needed', async () => {
    expect(await webhook('disable', '1')).toEqual({ exit: 0, out: 'The webhook 1 is disabled.\n', err: '' });
    const shown = await json('show', '1');
    expect(shown).toMatchObject({ status: 'disabled', deliveries: { pending: 0 } });
    expect(shown).not.toHaveProperty('disabledReason');
    expect(await json('disable', '1')).toEqual({ id: '1', status: 'disabled', wasEnabled: false });
    const { rows } = await operator.admin.query('select action, done_by, details from api_key_audit');
    expect(rows).toEqual([{ action: 'updated', done_by: 'anna', details: { webhook: '1 disabled' } }]);
    // What the service said of another one stays.
    expect(await json('disable', '2')).toMatchObject({ wasEnabled: false });
    expect(await json('show', '2')).toMatchObject({ disabledReason: 'failing' });
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
