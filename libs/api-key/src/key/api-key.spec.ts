import { describe, expect, it } from '@jest/globals';
import { ApiKey, type KeySecret, type KeySettings } from './api-key.js';
import { KeyId } from './key-id.js';
import { KeyPlan } from './key-plan.js';
import { KeyRuleError } from './key.errors.js';
import { definePlans } from '../plans/plan-registry.js';
import { defineScopes, type Scope } from '../scopes/scope-registry.js';
import type { KeyHash } from '../secrets/key-signer.js';

const READ = 'pets:read' as Scope;
const WRITE = 'pets:write' as Scope;

const HOUR = 3_600_000;
const now = new Date('2026-11-20T12:00:00Z');
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

let count = 0;
const secret = (createdAt = now): KeySecret => ({
  hash: `hash${count++}` as KeyHash,
  pepperId: 'pepper',
  hint: { prefix: 'pet_test_', lastFour: 'abcd' },
  createdAt,
  validUntil: undefined,
});

const SETTINGS: KeySettings = {
  name: 'shop',
  plan: new KeyPlan('free'),
  scopes: [READ, WRITE],
  expiresAt: undefined,
};
const issue = (changes: Partial<KeySettings> = {}): ApiKey =>
  ApiKey.issue(KeyId.generate(), { ...SETTINGS, ...changes }, secret(), now);

describe('a key', () => {
  it.each([
    ...['', '   ', 'two\nlines', 'a\u001b[31m', 'x'.repeat(101), '\ud800'],
    ...['shop\u202eorp', 'shop\u200b', '\u2066x', 'a\u2028b', '\ufeffx', '\ue000', '\u3164'],
  ])('is refused with the name %j', (name) => {
    expect(() => issue({ name })).toThrow(KeyRuleError);
    expect(() => issue().update({ name }, now)).toThrow(KeyRuleError);
  });

  it('may be called anything on one line, and is told which character is not seen', () => {
    expect(issue({ name: '🐈'.repeat(100) }).settings.name).toHaveLength(200);
    expect(() => issue({ name: 'shop\u202eorp' })).toThrow('U+202E is not seen');
  });

  it('needs a scope, and holds each once in one order', () => {
    expect(() => issue({ scopes: [] })).toThrow(KeyRuleError);
    expect(issue({ scopes: [WRITE, READ, WRITE] }).settings.scopes).toEqual(['pets:read', 'pets:write']);
  });

  it('is active, then expired, or revoked', () => {
    const key = issue({ expiresAt: later(HOUR) });
    expect(key.stateAt(later(HOUR - 1))).toBe('active');
    expect(key.stateAt(later(HOUR))).toBe('expired');
    expect(key.revoke(now).stateAt(later(HOUR))).toBe('revoked');
  });

  it.each([now, later(-1), new Date(Number.NaN)])('cannot expire at %s', (expiresAt) => {
    expect(() => issue({ expiresAt })).toThrow('future');
  });

  it('that has expired can be given a new life, but no new secret', () => {
    const key = issue({ expiresAt: later(HOUR) });
    const then = later(2 * HOUR);
    expect(() => key.rotate(secret(), 0, then)).toThrow('has expired');
    expect(key.update({ expiresAt: undefined }, then).stateAt(then)).toBe('active');
    expect(key.update({ name: 'old' }, then).stateAt(then)).toBe('expired');
  });

  it('that is revoked stays as it is', () => {
    const key = issue().revoke(now);
    expect(key.revoke(later(1))).toBe(key);
    expect(() => key.update({ name: 'x' }, now)).toThrow('was revoked');
    expect(() => key.rotate(secret(), 0, now)).toThrow('was revoked');
  });
});

describe('rotation', () => {
  it('leaves the old secret valid for the overlap, to the millisecond', () => {
    const old = issue();
    const fresh = secret(now);
    const key = old.rotate(fresh, HOUR, now);
    expect(key.secretsAt(later(HOUR - 1))).toHaveLength(2);
    expect(key.secretsAt(later(HOUR))).toEqual([fresh]);
    expect([key.id, key.settings]).toEqual([old.id, old.settings]);
  });

  it('never makes an old secret live longer than it was going to', () => {
    const rotated = issue().rotate(secret(), HOUR, now);
    const ends = rotated.rotate(secret(), 24 * HOUR, now).secrets.map(({ validUntil }) => validUntil);
    expect(ends).toEqual([later(HOUR), later(24 * HOUR), undefined]);
  });

  it('without overlap ends all old secrets', () => {
    const rotated = issue().rotate(secret(), 24 * HOUR, now);
    expect(rotated.rotate(secret(), 0, now).secretsAt(now)).toHaveLength(1);
  });

  it.each([-1, Number.NaN, 91 * 24 * HOUR])('is refused with an overlap of %s ms', (overlap) => {
    expect(() => issue().rotate(secret(), overlap, now)).toThrow(KeyRuleError);
  });
});

describe('a plan', () => {
  const limits = { perMinute: 60, perDay: 1_000 };
  const plans = definePlans({ free: limits, enterprise: 'own' });

  it('means the limits that are defined for it, or those of the key', () => {
    expect(plans.limitsOf(plans.of('free'))).toEqual(limits);
    const own = { perMinute: 7, perDay: 999_999_999 };
    expect(plans.limitsOf(plans.of('enterprise', own))).toEqual(own);
    expect(plans.limitsOf(new KeyPlan('gold'))).toBeUndefined();
  });

  it.each([
    ['gold', {}],
    ['free', { perMinute: 1 }],
    ['enterprise', {}],
    ['enterprise', { perMinute: 1 }],
    ['enterprise', { perDay: 1 }],
    ['enterprise', { perMinute: 0, perDay: 1 }],
    ['enterprise', { perMinute: 1.5, perDay: 1 }],
    ['enterprise', { perMinute: 1, perDay: 1e9 }],
  ] as const)('%s with the limits %j is none', (name, own) => {
    expect(() => plans.of(name, own)).toThrow(KeyRuleError);
  });

  it('is defined by a name in lower case, and whole numbers', () => {
    expect(() => definePlans({ Gold: limits })).toThrow('"Gold" is no name of a plan');
    expect(() => definePlans({ gold: { perMinute: 1.5, perDay: 1 } })).toThrow(RangeError);
  });
});

describe('scopes', () => {
  const registry = defineScopes({
    'cats:read': { grants: 'lists cats', byDefault: true },
    'cats:write': { grants: 'adds cats', byDefault: true },
    'dogs:manage': { grants: 'walks dogs' },
  });

  it('have the order of their definitions; a key has by default only those that say so', () => {
    expect(registry.all).toEqual(['cats:read', 'cats:write', 'dogs:manage']);
    expect(registry.defaults).toEqual(['cats:read', 'cats:write']);
  });

  it('are found by their exact names only', () => {
    expect(registry.find('dogs:manage')).toBe('dogs:manage');
    for (const text of ['dogs', 'Dogs:manage', ' dogs:manage', 'fish:read', '__proto__', ''])
      expect(registry.find(text)).toBeUndefined();
  });

  it.each(['', 'Cats', 'cats read', 'cats,read', 'cats:', ':cats', 'kätzchen', 'a'.repeat(65)])(
    'are refused with the name %j',
    (name) => {
      expect(() => defineScopes({ [name]: { grants: 'nothing' } })).toThrow('is no name of a scope');
    },
  );
});
