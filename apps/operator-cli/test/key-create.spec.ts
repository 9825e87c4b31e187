import { describe, expect, it } from '@jest/globals';
import { ApiKeyFormat, KeySigner } from '@petstore/api-key';
import { type KeyObject, KeyTool, PEPPER } from './key-tool.js';

const tool = new KeyTool();
const { key, json, create } = tool;

describe('create', () => {
  it('makes the tables of an empty database, and a key that works', async () => {
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
    const found = await tool.find(created.key);
    expect(found?.caller).toMatchObject({ keyId: created.id, plan: 'pro' });
  });

  it('prints the key once, among words for a person', async () => {
    const { exit, out, err } = await key(['create', '--name', 'Zoë 🐈', '--plan', 'free']);
    expect(exit).toBe(0);
    expect(err).toBe('');
    expect(out).toContain('Zoë 🐈');
    expect(out).toContain('60 a minute, 1,000 a day');
    expect(out.match(/pet_test_[0-9A-Za-z]{44}/g)).toHaveLength(1);
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
});

it('never keeps a secret in the clear', async () => {
  const { key: secret } = await create();
  expect(ApiKeyFormat.isWellFormed(secret)).toBe(true);
  const hash = new KeySigner(PEPPER).verify(secret);
  expect(hash).toHaveLength(43);
  const { out } = await key(['list', '--json']);
  expect(out).not.toContain(secret);
  expect(out).not.toContain(hash);
});
