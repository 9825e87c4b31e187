import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyFormat, SecretHasher, VisibleText } from '@petstore/api-key';
import { type Database, openDatabase } from '@petstore/persistence';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client as PgClient } from 'pg';
import { run } from '../src/run.js';

const PEPPER = 'the pepper of these tests';
const hasher = new SecretHasher(PEPPER);

let server: TestPostgres;
let database: Database;

beforeAll(async () => {
  server = await startTestPostgres();
  database = await openDatabase({ url: server.url });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Circumstances {
  readonly environment?: Record<string, string>;
  readonly input?: string;
  readonly colour?: boolean;
}

async function key(args: readonly string[], circumstances: Circumstances = {}): Promise<Outcome> {
  const { environment = {}, input = '', colour = false } = circumstances;
  let out = '';
  let err = '';
  const exit = await run(args, {
    environment: { DATABASE_URL: server.url, API_KEY_PEPPER: PEPPER, ...environment },
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: Readable.from([Buffer.from(input)]),
    colour,
    user: 'anna',
  });
  return { exit, out, err };
}

interface KeyObject {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly plan: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly limits: { readonly perMinute: number; readonly perDay: number };
  readonly secrets: readonly { readonly lastFour: string; readonly validUntil: string | null }[];
  readonly today: { readonly requests: number; readonly refused: number };
  readonly audit: readonly { readonly action: string; readonly by: string; readonly details: object }[];
}

async function json(...args: string[]): Promise<KeyObject> {
  const { exit, out, err } = await key([...args, '--json']);
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  expect(out.trimEnd()).not.toContain('\n');
  return JSON.parse(out) as KeyObject;
}

const create = (...args: string[]): Promise<KeyObject> =>
  json('create', '--name', 'shop', '--plan', 'pro', ...args);

describe('create', () => {
  it('makes the tables of an empty database, and a key that works', async () => {
    const created = await create();
    expect(created).toMatchObject({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/) as unknown,
      key: expect.stringMatching(/^pet_test_[0-9A-Za-z]{38}$/) as unknown,
      name: 'shop',
      plan: 'pro',
      limits: { perMinute: 300, perDay: 10_000 },
      scopes: ['pets:read', 'pets:write'],
      state: 'active',
      expiresAt: null,
    });
    const found = await database.keyLookup.find([hasher.hash(created.key)]);
    expect(found?.caller).toMatchObject({ keyId: created.id, plan: 'pro' });
  });

  it('prints the key once, among words for a person', async () => {
    const { exit, out, err } = await key(['create', '--name', 'Zoë 🐈', '--plan', 'free']);
    expect(exit).toBe(0);
    expect(err).toBe('');
    expect(out).toContain('Zoë 🐈');
    expect(out).toContain('60 a minute, 1,000 a day');
    expect(out.match(/pet_test_[0-9A-Za-z]{38}/g)).toHaveLength(1);
  });

  it('makes live keys in production', async () => {
    const { out } = await key(['create', '--name', 'p', '--plan', 'free', '--json'], {
      environment: { PETSTORE_ENVIRONMENT: 'production' },
    });
    expect((JSON.parse(out) as KeyObject).key).toMatch(/^pet_live_/);
  });

  it('takes scopes, an expiry and the numbers of an enterprise key', async () => {
    const args =
      '--plan enterprise --per-minute 5000 --per-day 2000000 --scopes pets:read --expires 2030-01-31';
    expect(await json('create', '--name', 'partner', ...args.split(' '))).toMatchObject({
      plan: 'enterprise',
      limits: { perMinute: 5_000, perDay: 2_000_000 },
      scopes: ['pets:read'],
      expiresAt: '2030-01-31T00:00:00.000Z',
    });
  });

  it.each([
    ['2030-01-31T18:00:00+02:00', '2030-01-31T16:00:00.000Z'],
    ['2032-02-29', '2032-02-29T00:00:00.000Z'],
    ['never', null],
  ])('takes the expiry %s', async (text, expiresAt) => {
    expect((await create('--expires', text)).expiresAt).toBe(expiresAt);
  });

  it('takes an expiry as a time from now', async () => {
    const { expiresAt } = await create('--expires', '90d');
    const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(90, 2);
  });

  it.each(['my-own.key_of-24-characters', 'bXkgb3duIGtleSB3aXRoIHBhZGRpbmc=\n'])(
    "takes an operator's own key from standard input: %j",
    async (input) => {
      const args = ['create', '--name', 'own', '--plan', 'free', '--from-stdin', '--json'];
      const { exit, out, err } = await key(args, { input });
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      expect((JSON.parse(out) as KeyObject).key).toBe(input.trim());
      const again = await key(args, { input });
      expect(again).toMatchObject({ exit: 2, out: '' });
      expect(again.err).toContain('already in use');
      expect(again.err).not.toContain(input.trim());
    },
  );

  it('warns of an own key that may be guessed', async () => {
    const args = ['create', '--name', 'own', '--plan', 'free', '--from-stdin'];
    expect((await key(args, { input: 'hunter2' })).err).toContain('may be guessed');
  });

  it.each(['', '\n', 'two words', 'two\nlines', `pet_live_${'0'.repeat(38)}`, 'x'.repeat(5_000)])(
    'refuses the own key %j',
    async (input) => {
      const args = ['create', '--name', 'own', '--plan', 'free', '--from-stdin'];
      expect(await key(args, { input })).toMatchObject({ exit: 2, out: '' });
    },
  );
});

describe('what an operator does in a day', () => {
  it('issue, watch, move up, rotate without an outage, revoke: each seen in the audit', async () => {
    const { id, key: first } = await create();
    await database.keyUsage.add([
      {
        keyId: id as never,
        day: new Date().toISOString().slice(0, 10),
        requests: 9_312,
        refused: 41,
        lastUsedAt: new Date(Date.now() - 125_000),
        bannedUntil: undefined,
      },
    ]);
    const line = (await key(['list'])).out.split('\n').find((text) => text.startsWith(id));
    expect(line).toContain('█████████░ 9,271 / 10,000  41');
    expect(line).toContain('2 min ago');

    expect(await json('update', id, '--plan', 'business', '--by', 'Ben B')).toMatchObject({
      plan: 'business',
    });
    const { key: second, secrets } = await json('rotate', id, '--overlap', '1h');
    expect(secrets.map(({ lastFour }) => lastFour)).toEqual([first.slice(-4), second.slice(-4)]);
    for (const secret of [first, second]) {
      const found = await database.keyLookup.find([hasher.hash(secret)]);
      expect(found?.caller).toMatchObject({ keyId: id, plan: 'business' });
    }
    await json('revoke', id);
    for (const secret of [first, second]) {
      expect(await database.keyLookup.find([hasher.hash(secret)])).toBeUndefined();
    }

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
    expect(out).toContain('by Ben B');
    expect(out).not.toContain(first);
    expect(out).not.toContain(second);
  });

  it('ends a leaked secret at once with --overlap 0', async () => {
    const { id, key: leaked } = await create();
    const { key: fresh, secrets } = await json('rotate', id, '--overlap', '0');
    expect(secrets).toHaveLength(1);
    expect(await database.keyLookup.find([hasher.hash(leaked)])).toBeUndefined();
    expect(await database.keyLookup.find([hasher.hash(fresh)])).toBeDefined();
  });

  it('rotates with an overlap of 24 hours unless told otherwise', async () => {
    const { id } = await create();
    const { secrets } = await json('rotate', id);
    const hours = (Date.parse(secrets[0]?.validUntil ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  it('changes one number of an enterprise key, and takes them away with the plan', async () => {
    const { id } = await create();
    await json('update', id, '--plan', 'enterprise', '--per-minute', '5', '--per-day', '50');
    expect(await json('update', id, '--per-day', '60')).toMatchObject({
      limits: { perMinute: 5, perDay: 60 },
    });
    expect(await json('update', id, '--plan', 'free')).toMatchObject({
      limits: { perMinute: 60, perDay: 1_000 },
    });
  });

  it('gives a key an expiry and takes it back', async () => {
    const { id } = await create();
    expect((await json('update', id, '--expires', '2031-05-01')).expiresAt).toBe('2031-05-01T00:00:00.000Z');
    expect((await json('update', id, '--expires', 'never')).expiresAt).toBeNull();
  });

  it('sees and lifts a ban that the service has written down', async () => {
    const { id } = await create();
    await database.keyUsage.add([
      {
        keyId: id as never,
        day: new Date().toISOString().slice(0, 10),
        requests: 400,
        refused: 300,
        lastUsedAt: new Date(),
        bannedUntil: new Date(Date.now() + 290_000),
      },
    ]);
    const listed = async (): Promise<string | undefined> =>
      (await key(['list'])).out.split('\n').find((text) => text.startsWith(id));
    expect(await listed()).toContain('banned 4 min');
    expect((await key(['show', id])).out).toContain(`npm run key -- unban ${id}`);
    expect(await key(['unban', id])).toMatchObject({ exit: 0, err: '' });
    expect(await listed()).toContain('active');
    expect((await json('show', id)).audit.at(-1)).toMatchObject({ action: 'unbanned', by: 'anna' });
  });

  it('see what is hidden in names that are older than the rule against it, and can change those keys', async () => {
    const { id } = await create();
    const session = new PgClient(server.url);
    await session.connect();
    await session.query('update api_keys set name = $2 where id = $1', [id, 'sh\u202Eop\u001B[2K']);
    await session.end();
    for (const command of [['list'], ['show', id], ['update', id, '--plan', 'free']]) {
      const { exit, out } = await key(command);
      expect(exit).toBe(0);
      expect(out).toContain('sh\\u{202e}op\\u{1b}[2K');
      expect(VisibleText.flaw(out.replaceAll('\n', ''))).toBeUndefined();
    }
    const { out } = await key(['show', id, '--json']);
    expect(VisibleText.flaw(out.replaceAll('\n', ''))).toBeUndefined();
    expect((JSON.parse(out) as KeyObject).name).toBe('sh\u202Eop\u001B[2K');
    expect(await json('update', id, '--name', 'shop')).toMatchObject({ name: 'shop' });
    const shown = await key(['show', id]);
    expect(shown.out).toContain('sh\\u{202e}op\\u{1b}[2K -> shop');
    expect(VisibleText.flaw(shown.out.replaceAll('\n', ''))).toBeUndefined();
  });

  it('lists only keys in the state asked for', async () => {
    const { id } = await create();
    await json('revoke', id);
    const listed = async (state: string): Promise<string[]> =>
      ((await json('list', '--state', state)) as unknown as KeyObject[]).map((one) => one.id);
    expect(await listed('revoked')).toContain(id);
    expect(await listed('active')).not.toContain(id);
  });
});

describe('a mistake', () => {
  it.each<[string, string[], RegExp]>([
    ['no command', [], /Usage: npm run key/],
    ['an unknown command', ['remove'], /unknown command 'remove'/],
    ['a mistyped command', ['creat'], /Did you mean create/],
    ['no name', ['create', '--plan', 'free'], /required option '--name <name>'/],
    ['no plan', ['create', '--name', 'x'], /required option '--plan <plan>'/],
    ['an unknown plan', ['create', '--name', 'x', '--plan', 'gold'], /free, pro, business, enterprise/],
    ['a plan in capitals', ['create', '--name', 'x', '--plan', 'Free'], /Allowed choices/],
    [
      'an unknown scope',
      ['create', '--name', 'x', '--plan', 'free', '--scopes', 'pets:all'],
      /pets:read and/,
    ],
    ['an empty scope', ['create', '--name', 'x', '--plan', 'free', '--scopes', ''], /"" is no scope/],
    ['an empty name', ['create', '--name', ' ', '--plan', 'free'], /A name is 1 to 100/],
    [
      'a name that turns a line around',
      ['create', '--name', 'a\u202eb', '--plan', 'free'],
      /visible.*U\+202E/,
    ],
    ['an invisible name', ['create', '--name', 'shop\u200b', '--plan', 'free'], /visible.*U\+200B/],
    ['an invisible --by', ['revoke', 'key_0000000000000000', '--by', 'an\u200bna'], /Say who does this/],
    ['a name of two lines', ['create', '--name', 'a\nb', '--plan', 'free'], /on one line/],
    [
      'a past expiry',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2020-01-01'],
      /in the future/,
    ],
    [
      'an expiry without zone',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2030-01-01T10:00'],
      /with its zone/,
    ],
    [
      'a day that does not exist',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2030-02-30'],
      /Say a date/,
    ],
    [
      'an expiry in words',
      ['create', '--name', 'x', '--plan', 'free', '--expires', 'tomorrow'],
      /Say a date/,
    ],
    [
      'numbers for a fixed plan',
      ['create', '--name', 'x', '--plan', 'pro', '--per-minute', '5'],
      /Only an enterprise key/,
    ],
    ['no numbers for enterprise', ['create', '--name', 'x', '--plan', 'enterprise'], /needs its own limits/],
    [
      'a limit of zero',
      ['create', '--name', 'x', '--plan', 'enterprise', '--per-minute', '0', '--per-day', '1'],
      /whole number from 1/,
    ],
    [
      'a limit like 1e3',
      ['create', '--name', 'x', '--plan', 'enterprise', '--per-minute', '1e3', '--per-day', '1'],
      /whole number from 1/,
    ],
    ['an id that is none', ['show', '17'], /An id looks like key_/],
    ['no id', ['revoke'], /missing required argument 'id'/],
    ['a broken overlap', ['rotate', 'key_0000000000000000', '--overlap', '1 day'], /24h, 30m, 7d/],
    ['nothing to change', ['update', 'key_0000000000000000'], /say what to change/],
    ['an unknown option', ['list', '--al'], /unknown option '--al'/],
    ['an empty --by', ['revoke', 'key_0000000000000000', '--by', ' '], /Say who does this/],
    [
      'a key on the command line',
      ['create', '--name', 'x', '--plan', 'free', 'secret'],
      /too many arguments/,
    ],
  ])('such as %s exits with 2 and says what is wrong', async (_, args, message) => {
    const outcome = await key(args);
    expect(outcome).toMatchObject({ exit: 2, out: '' });
    expect(outcome.err).toMatch(message);
  });

  it.each(['show', 'revoke', 'rotate', 'unban'])('such as %s of no key exits with 1', async (command) => {
    const outcome = await key([command, 'key_0000000000000000']);
    expect(outcome).toMatchObject({ exit: 1, out: '' });
    expect(outcome.err).toBe(
      'error: No key has the id key_0000000000000000. The command list shows those there are.\n',
    );
  });

  it('such as changing a revoked key exits with 2', async () => {
    const { id } = await create();
    await json('revoke', id);
    expect((await key(['update', id, '--plan', 'free'])).err).toContain('was revoked at');
    expect(await key(['rotate', id])).toMatchObject({ exit: 2, out: '' });
    expect(await key(['revoke', id])).toMatchObject({ exit: 0 });
  });

  it('such as a database without pepper exits with 2 and names the variable', async () => {
    const outcome = await key(['list'], { environment: { API_KEY_PEPPER: '' } });
    expect(outcome).toMatchObject({ exit: 2, out: '' });
    expect(outcome.err).toContain('API_KEY_PEPPER');
  });

  it.each(['127.0.0.1', 'localhost'])('such as a database that is away on %s exits with 1', async (host) => {
    const outcome = await key(['list'], { environment: { DATABASE_URL: `postgres://u:secret@${host}:1/x` } });
    expect(outcome).toMatchObject({ exit: 1, out: '' });
    expect(outcome.err).toMatch(
      /^error: DATABASE_URL is postgres:\/\/u:\*\*\*@\S+: nobody listens there \(ECONNREFUSED\)\..*\n$/,
    );
  });
});

describe('the help', () => {
  it('teaches the whole day', async () => {
    const { exit, out, err } = await key(['--help']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    for (const word of [
      'create',
      'list',
      'show',
      'update',
      'rotate',
      'revoke',
      'unban',
      '300',
      'pets:read',
    ]) {
      expect(out).toContain(word);
    }
  });

  it.each(['create', 'list', 'show', 'update', 'rotate', 'revoke', 'unban'])(
    'of %s has examples',
    async (name) => {
      const { exit, out } = await key([name, '--help']);
      expect(exit).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}\$ npm run/);
      expect(out).toContain('--json');
    },
  );
});

describe('colour', () => {
  beforeEach(() => create());

  it('is there at a terminal, and the table stands straight', async () => {
    const { out } = await key(['list'], { colour: true });
    expect(out).toContain('\u001b[32mactive\u001b[39m');
    const [, first, second] = stripVTControlCharacters(out).split('\n');
    expect(first?.indexOf('active')).toBe(second?.indexOf('active'));
  });

  it('is nowhere else', async () => {
    const { out } = await key(['list']);
    expect(out).not.toContain('\u001b');
  });
});

it('says what to do when there is no key yet', async () => {
  const empty = await startTestPostgres();
  const { exit, out } = await key(['list'], { environment: { DATABASE_URL: empty.url } });
  expect(exit).toBe(0);
  expect(out).toContain('npm run key -- create');
  expect((await key(['list', '--json'], { environment: { DATABASE_URL: empty.url } })).out).toBe('[]\n');
  await empty.stop();
});

it('never keeps a secret in the clear', async () => {
  const { key: secret } = await create();
  expect(ApiKeyFormat.isGenerated(secret)).toBe(true);
  const { out } = await key(['list', '--json']);
  expect(out).not.toContain(secret);
  expect(out).not.toContain(hasher.hash(secret));
});
