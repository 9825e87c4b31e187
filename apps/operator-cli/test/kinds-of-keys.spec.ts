import { describe, expect, it } from '@jest/globals';
import { Operator, type Outcome } from './operator.js';

interface KeyObject {
  readonly id: string;
  readonly key: string;
}

const operator = new Operator();
const key = (args: readonly string[], environment?: Record<string, string>): Promise<Outcome> =>
  operator.run('key', args, environment);
const json = (...args: string[]): Promise<KeyObject> => operator.json('key', args);

const CREATE = ['create', '--name', 'pages', '--plan', 'pro'];
const PUBLISHABLE = [...CREATE, '--publishable', '--origins'];

describe('a publishable key', () => {
  it('is made with its sites in their standard form, and shown as one everywhere', async () => {
    const origins = ['https://shelter.example', 'https://*.shelter.example', 'http://localhost:5173'];
    const written = 'HTTPS://Shelter.example:443, https://*.shelter.example,http://localhost:5173';
    const { key: secret, ...created } = await json(...PUBLISHABLE, written);
    expect(secret).toMatch(/^pet_pub_test_[0-9A-Za-z]{44}$/);
    const shown = { kind: 'publishable', origins, scopes: ['pets:read'] };
    expect(created).toMatchObject(shown);
    const { out } = await key(['show', created.id]);
    for (const text of ['publishable', ...origins, 'pet_pub_test_']) expect(out).toContain(text);
    expect((await key(['list'])).out).toMatch(
      /key +kind +plan[^]*pet_pub_test_\.\.\.\w{4} +publishable +pro/,
    );
    const secretKey = await json(...CREATE);
    expect(secretKey).toMatchObject({ kind: 'secret', origins: [] });
    const updated = await json(
      'update',
      created.id,
      '--origins',
      'https://other.example',
      '--plan',
      'business',
    );
    expect(updated).toMatchObject({ ...shown, origins: ['https://other.example'], plan: 'business' });
    const rotated = await json('rotate', created.id);
    expect(rotated).toMatchObject({
      kind: 'publishable',
      key: expect.stringMatching(/^pet_pub_test_/) as unknown,
    });
    expect(await json('show', created.id)).toMatchObject({
      audit: [
        { action: 'created', details: { origins: origins.join(',') } },
        { action: 'updated', details: { origins: `${origins.join(',')} -> https://other.example` } },
        { action: 'rotated' },
      ],
    });
  });

  it.each([
    [[...CREATE, '--publishable'], '--origins'],
    [[...CREATE, '--origins', 'https://shelter.example'], '--publishable'],
    [[...PUBLISHABLE, 'https://shelter.example', '--scopes', 'pets:read'], 'no other scope'],
    [[...PUBLISHABLE, 'https://shelter.example/'], '"https://shelter.example/"'],
    [[...PUBLISHABLE, 'https://shelter.example,'], '""'],
    [[...PUBLISHABLE, 'https://a.example,https://A.example'], 'https://a.example is given twice'],
  ])('is refused as wrong usage: %j', async (args, told) => {
    const { exit, out, err } = await key(args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err.trim().split('\n')[0]).toContain(told);
  });

  it('never changes its kind', async () => {
    const { id } = await json(...PUBLISHABLE, 'https://shelter.example');
    const secret = await json(...CREATE);
    for (const args of [
      ['update', id, '--scopes', 'pets:read,pets:write'],
      ['update', secret.id, '--origins', 'https://shelter.example'],
    ]) {
      const { exit, err } = await key(args);
      expect(exit).toBe(2);
      expect(err).toMatch(/^error: Key key_\w+ is (?:publishable|secret): .+\.\n$/);
    }
  });

  it('is made with a warning for a site that strangers share', async () => {
    const { exit, err } = await key([
      ...PUBLISHABLE,
      'https://*.github.io,https://*.shelter.example,https://me.github.io',
    ]);
    expect({ exit, err }).toEqual({
      exit: 0,
      err: 'warning: anybody can have a site under github.io: with https://*.github.io the key works there, too.\n',
    });
  });
});

describe('a live key', () => {
  it('is made in production, and a warning comes while the database accepts keys of both kinds', async () => {
    const warning = /^warning: PETSTORE_ENVIRONMENT is \w+, where keys contain _\w+_, and .*\n$/;
    const test = await json(...CREATE);
    const { out, err } = await key([...CREATE, '--json'], { PETSTORE_ENVIRONMENT: 'production' });
    const live = JSON.parse(out) as KeyObject;
    expect(live.key).toMatch(/^pet_live_/);
    expect(err).toMatch(warning);
    expect((await key(['show', test.id])).err).toMatch(warning);
    expect((await key(['rotate', live.id, '--overlap', '1h'])).err).toMatch(warning);
    expect((await key(['rotate', live.id, '--overlap', '0'])).err).toBe('');
  });
});
