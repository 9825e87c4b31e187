import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRedisClient, LIMIT_KEY_PREFIX } from '@petstore/api';
import { type FoundKey, KeySigner, VisibleText } from '@petstore/api-key';
import { KeyLookupStore, KeyUsageCounters } from '@petstore/persistence';
import { createRateLimiter, type RateLimiter, type RateLimitSubject } from '@petstore/rate-limit';
import stringWidth from 'string-width';
import { startRedis, startTestPostgres, type TestRedis } from '@petstore/test-servers';
import { Operator, type Outcome, PEPPER } from './operator.js';

/** What a command prints with `--json`, of any of the commands. */
interface KeyObject {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly pepper: string;
  readonly expiresAt: string | null;
  readonly bannedUntil: string | null;
  readonly now?: object;
  readonly secrets: readonly { readonly lastFour: string; readonly validUntil: string | null }[];
  readonly audit: readonly { readonly action: string; readonly by: string }[];
}

const operator = new Operator();
const signer = new KeySigner(PEPPER);

const key = (args: readonly string[], environment?: Record<string, string>): Promise<Outcome> =>
  operator.run('key', args, environment);
const json = (...args: string[]): Promise<KeyObject> => operator.json('key', args);
const create = (...args: string[]): Promise<KeyObject> =>
  json('create', '--name', 'shop', '--plan', 'pro', ...args);
const lineOf = async (id: string): Promise<string | undefined> =>
  (await key(['list'])).out.split('\n').find((text) => text.startsWith(id));

/** As the service looks keys up. */
async function find(secret: string): Promise<FoundKey | undefined> {
  const hash = signer.verify(secret);
  return hash && new KeyLookupStore(operator.database).find(hash);
}

/** As the service writes down how a key was used today. */
const use = (
  id: string,
  used: { requests: number; refused: number; lastUsedAt: Date; bannedUntil: Date | undefined },
): Promise<void> =>
  new KeyUsageCounters(operator.database).add([
    { keyId: id as never, day: new Date().toISOString().slice(0, 10), ...used },
  ]);

const hoursUntil = (time: string | null | undefined): number =>
  (Date.parse(time ?? '') - Date.now()) / 3_600_000;

describe('create', () => {
  it('makes a key that works, and prints it once', async () => {
    const created = await create();
    expect(created).toMatchObject({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/) as unknown,
      key: expect.stringMatching(/^pet_test_[0-9A-Za-z]{44}$/) as unknown,
      name: 'shop',
      plan: 'pro',
      limits: { perMinute: 300, perDay: 10_000 },
      scopes: ['pets:read', 'pets:write'],
      state: 'active',
      expiresAt: null,
    });
    expect(await find(created.key)).toMatchObject({ keyId: created.id, plan: { name: 'pro' } });
    const { exit, out, err } = await key(['create', '--name', 'Zoë 🐈', '--plan', 'free']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain('Zoë 🐈');
    expect(out).toMatch(/^limits +perMinute: 60; perDay: 1,000$/m);
    expect(out.match(/pet_test_[0-9A-Za-z]{44}/g)).toHaveLength(1);
  });

  it('takes scopes, an expiry and the numbers of an enterprise key', async () => {
    const limits = ['--per-minute', '5000', '--per-day', '2000000'];
    const others = ['--plan', 'enterprise', '--scopes', 'pets:read', '--expires', '2030-01-31T18:00+02:00'];
    expect(await json('create', '--name', 'partner', ...limits, ...others)).toMatchObject({
      plan: 'enterprise',
      limits: { perMinute: 5_000, perDay: 2_000_000 },
      scopes: ['pets:read'],
      expiresAt: '2030-01-31T16:00:00.000Z',
    });
    expect((await create('--expires', 'never')).expiresAt).toBeNull();
    expect(hoursUntil((await create('--expires', '90d')).expiresAt)).toBeCloseTo(90 * 24, 0);
  });

  it('never keeps a secret in the clear', async () => {
    const { key: secret } = await create();
    expect(secret).toMatch(/^pet_test_[0-9A-Za-z]{44}$/);
    const hash = signer.verify(secret);
    expect(hash).toHaveLength(43);
    const { out } = await key(['list', '--json']);
    expect(out).not.toContain(secret);
    expect(out).not.toContain(hash);
  });

  it.each<[RegExp, string[]]>([
    [/A name is 1 to 100/, ['--name', ' ', '--plan', 'free']],
    [/on one line/, ['--name', 'a\nb', '--plan', 'free']],
    [/visible.*U\+202E/, ['--name', 'a\u202eb', '--plan', 'free']],
    [/visible.*U\+200B/, ['--name', 'shop\u200b', '--plan', 'free']],
    [
      /no scope "pets:all". There are: pets:read, /,
      ['--name', 'x', '--plan', 'free', '--scopes', 'pets:all'],
    ],
    [/no scope ""/, ['--name', 'x', '--plan', 'free', '--scopes', '']],
    [/in the future/, ['--name', 'x', '--plan', 'free', '--expires', '2020-01-01']],
    [/Only an enterprise key/, ['--name', 'x', '--plan', 'pro', '--per-minute', '5']],
    [/needs its own limits/, ['--name', 'x', '--plan', 'enterprise']],
  ])('refuses with exit code 2, because %s: %j', async (message, args) => {
    const { exit, out, err } = await key(['create', ...args]);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(message);
  });
});

describe('what an operator does in a day', () => {
  it('issue, watch, move up, rotate without an outage, revoke: each seen in the audit', async () => {
    const { id, key: first } = await create();
    const lastUsedAt = new Date(Date.now() - 125_000);
    await use(id, { requests: 9_312, refused: 41, lastUsedAt, bannedUntil: undefined });
    expect(await lineOf(id)).toMatch(/9,271 \/ 10,000 {2}41 /);
    expect(await json('update', id, '--plan', 'business', '--by', 'Ben B')).toMatchObject({
      plan: 'business',
    });
    const { key: second, secrets } = await json('rotate', id, '--overlap', '1h');
    expect(secrets.map(({ lastFour }) => lastFour)).toEqual([first.slice(-4), second.slice(-4)]);
    for (const secret of [first, second])
      expect(await find(secret)).toMatchObject({ keyId: id, plan: { name: 'business' } });
    await json('revoke', id);
    for (const secret of [first, second]) expect(await find(secret)).toBeUndefined();

    const shown = await json('show', id);
    expect(shown).toMatchObject({ state: 'revoked', today: { requests: 9_312, refused: 41 } });
    expect(shown.audit.map(({ action, by }) => [action, by])).toEqual([
      ['created', 'anna'],
      ['updated', 'Ben B'],
      ['rotated', 'anna'],
      ['revoked', 'anna'],
    ]);
    const { out } = await key(['show', id]);
    expect(out).toContain('plan: pro -> business');
    expect(out).toContain('Ben B');
    for (const text of [first, second, 'in force']) expect(out).not.toContain(text);
  });

  it('end a leaked secret at once with --overlap 0, and else after 24 hours', async () => {
    const { id, key: leaked } = await create();
    const rotated = await json('rotate', id);
    expect(hoursUntil(rotated.secrets[0]?.validUntil)).toBeCloseTo(24, 1);
    const { key: fresh, secrets } = await json('rotate', id, '--overlap', '0');
    expect(secrets).toHaveLength(1);
    expect(await find(leaked)).toBeUndefined();
    expect(await find(fresh)).toBeDefined();
  });

  it('change numbers and expiry, and take them back', async () => {
    const { id } = await create();
    await json('update', id, '--plan', 'enterprise', '--per-minute', '5', '--per-day', '50');
    const changed = await json('update', id, '--per-day', '60', '--expires', '2031-05-01');
    const limits = { perMinute: 5, perDay: 60 };
    expect(changed).toMatchObject({ limits, expiresAt: '2031-05-01T00:00:00.000Z' });
    expect(await json('update', id, '--plan', 'free', '--expires', 'never')).toMatchObject({
      limits: { perMinute: 60, perDay: 1_000 },
      expiresAt: null,
    });
  });

  it('change no revoked key, and none that does not exist', async () => {
    const { id } = await create();
    await json('revoke', id);
    const update = await key(['update', id, '--plan', 'free']);
    expect(update).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('was revoked at') });
    expect(await key(['rotate', id])).toMatchObject({ exit: 2, out: '' });
    expect(await key(['revoke', id])).toMatchObject({ exit: 0 });
    for (const command of ['show', 'revoke', 'rotate', 'unban'])
      expect(await key([command, 'key_0000000000000000'])).toEqual({
        exit: 1,
        out: '',
        err: 'error: No key has the id key_0000000000000000. The command list shows those there are.\n',
      });
  });
});

describe('list', () => {
  it('has only keys in the state asked for', async () => {
    const { id } = await create();
    await json('revoke', id);
    const listed = (state: string): Promise<KeyObject[]> => operator.json('key', ['list', '--state', state]);
    expect((await listed('revoked')).map((one) => one.id)).toContain(id);
    expect((await listed('active')).map((one) => one.id)).not.toContain(id);
    expect(await listed('expired')).toEqual([]);
  });

  it('shows the keys that need another pepper than the current one, until they are rotated', async () => {
    const { id } = await create();
    const pepperOf = async (environment: Record<string, string>): Promise<string | undefined> => {
      const keys = JSON.parse((await key(['list', '--json'], environment)).out) as KeyObject[];
      return keys.find((one) => one.id === id)?.pepper;
    };
    const changed = { API_KEY_PEPPER: 'the next pepper of these tests', API_KEY_PEPPER_PREVIOUS: PEPPER };
    expect(await pepperOf({})).toBe('current');
    expect(await pepperOf(changed)).toBe('previous');
    const { API_KEY_PEPPER } = changed;
    expect(await pepperOf({ API_KEY_PEPPER })).toBe('unknown');
    const { err } = await key(['list'], { API_KEY_PEPPER });
    expect(err).toMatch(/^warning: API_KEY_PEPPER is not the pepper of any key/);
    await key(['rotate', id, '--overlap', '1h'], changed);
    expect(await pepperOf(changed)).toBe('previous');
    await key(['rotate', id, '--overlap', '0'], changed);
    expect(await pepperOf(changed)).toBe('current');
  });

  it('and show make visible what is hidden in names that were written by SQL', async () => {
    const { id } = await create();
    const name = 'sh\u202Eop\u001B[2K';
    await operator.admin.query('update api_keys set name = $2 where id = $1', [id, name]);
    const visible = async (...args: string[]): Promise<string> => {
      const { out } = await key(args);
      expect(VisibleText.hiddenCharacter(out.replaceAll('\n', ''))).toBeUndefined();
      return out;
    };
    expect(await visible('list')).toContain('sh\\u{202e}op\\u{1b}[2K');
    expect(await visible('show', id)).toContain('sh\\u{202e}op\\u{1b}[2K');
    expect(JSON.parse(await visible('show', id, '--json'))).toMatchObject({ name });
    expect(await json('update', id, '--name', 'shop')).toMatchObject({ name: 'shop' });
    expect(await visible('show', id)).toContain('sh\\u{202e}op\\u{1b}[2K -> shop');
  });

  it('stands straight', async () => {
    await json('create', '--name', 'Zoë 🐈', '--plan', 'pro');
    const { out } = await key(['list']);
    const columns = out.split('\n').filter((line) => line.includes('active'));
    expect(columns.length).toBeGreaterThan(1);
    expect(new Set(columns.map((line) => stringWidth(line.split('active', 1)[0] ?? ''))).size).toBe(1);
  });

  it('makes the tables of an empty database', async () => {
    const empty = await startTestPostgres();
    const environment = { DATABASE_URL: empty.url };
    expect((await key(['list', '--json'], environment)).out).toBe('[]\n');
    await empty.stop();
  });
});

describe('a ban', () => {
  it('that the service has written down is seen and lifted', async () => {
    const { id } = await create();
    const bannedUntil = new Date(Date.now() + 290_000);
    await use(id, { requests: 400, refused: 300, lastUsedAt: new Date(), bannedUntil });
    const until = bannedUntil.toISOString().slice(0, 16).replace('T', ' ');
    expect(await lineOf(id)).toContain(until);
    expect((await key(['show', id])).out).toMatch(new RegExp(`^bannedUntil +${until} UTC$`, 'm'));
    expect(await key(['unban', id])).toMatchObject({ exit: 0, err: '' });
    expect(await lineOf(id)).not.toContain(until);
    expect((await json('show', id)).audit.at(-1)).toMatchObject({ action: 'unbanned', by: 'anna' });
  });

  describe('in Redis', () => {
    let redis: TestRedis;
    let limiter: RateLimiter;
    beforeAll(async () => {
      redis = await startRedis();
      limiter = await createRateLimiter({
        redis: createRedisClient([redis.url]),
        keyPrefix: LIMIT_KEY_PREFIX,
        // On a busy machine: what was counted in the process would not be in Redis.
        timeouts: { responseTimeoutMs: 5_000, retryAfterMs: 200 },
      });
    });
    afterAll(async () => {
      await limiter.close();
      await redis.stop();
    });
    const environment = (): Record<string, string> => ({ REDIS_URL: redis.url });
    const show = (id: string): Promise<KeyObject> => operator.json('key', ['show', id], environment());
    const run = (...args: string[]): Promise<Outcome> => key(args, environment());

    it('is seen and lifted, beside what the limiter says of the key at this moment', async () => {
      const { id } = await json('create', '--name', 'shop', '--plan', 'free');
      const limits = { perMinute: 60, perDay: 1_000 };
      const subject: RateLimitSubject = { id: `key:${id}`, limits, bannable: true };
      for (let i = 0; i < 12; i++) await limiter.consume(subject);
      expect(await show(id)).toMatchObject({ bannedUntil: null, now: { lastMinute: 12, lastDay: 12 } });
      expect((await run('show', id)).out).toMatch(/^now +lastMinute: 12; lastDay: 12$/m);

      const before = Date.now();
      // 60 are admitted; a hundred refusals within five minutes bring the ban.
      let result = await limiter.consume(subject);
      for (let i = 0; i < 200 && result.banMs === 0; i++) result = await limiter.consume(subject);
      expect(result.banMs).toBeGreaterThan(0);
      // From the last of these requests on, to a second.
      const bannedUntil = Date.parse(String((await show(id)).bannedUntil));
      expect(bannedUntil).toBeGreaterThan(before + 299_000);
      expect(bannedUntil).toBeLessThan(Date.now() + 301_000);
      expect(await run('unban', id)).toMatchObject({ exit: 0, err: '' });
      expect(await limiter.inspect(subject)).toMatchObject({ banMs: 0 });
      expect((await show(id)).bannedUntil).toBeNull();
    });

    it('is not lifted when Redis is unavailable; the rest is shown', async () => {
      const { id } = await json('create', '--name', 'shop', '--plan', 'free');
      await redis.kill();
      const shown = await show(id);
      expect(shown).toMatchObject({ id, bannedUntil: null });
      expect(shown.now).toBeUndefined();
      expect(await run('unban', id)).toEqual({
        exit: 1,
        err: expect.stringContaining('the key may still be banned'),
        out: '',
      });
      expect((await run('revoke', id)).out).toContain('Running services have been told');
      await redis.start();
    });
  });
});
