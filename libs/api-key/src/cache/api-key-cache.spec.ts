import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../guard/caller.js';
import { KeyId } from '../key/key-id.js';
import { KeyPlan } from '../key/key-plan.js';
import { KeyStoreUnavailableError, UnknownPlanError } from '../key/key.errors.js';
import { definePlans } from '../plans/plan-registry.js';
import type { Scope } from '../scopes/scope-registry.js';
import { type KeyHash, KeySigner, type SignedKey } from '../secrets/key-signer.js';
import { ApiKeyCache, type FoundKey, type KeyLookup } from './api-key-cache.js';

const signer = new KeySigner('pepper');
const limits = { perMinute: 60, perDay: 1_000 };
const plans = definePlans({ free: limits });

/** Keys in a map, with look-ups that can be counted, held back and failed. */
class StubKeyStore implements KeyLookup {
  readonly keys = new Map<KeyHash, FoundKey>();
  lookups = 0;
  unavailable = false;
  private gate: Promise<void> = Promise.resolve();

  /** Holds all look-ups back until the returned function is called. */
  hold(): () => void {
    let open: () => void = () => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    return () => {
      open();
    };
  }

  put(usableUntil?: Date, plan = 'free'): SignedKey & { readonly caller: Caller } {
    const key = signer.issue('test');
    const { keyId, name, scopes } = { keyId: KeyId.generate(), name: key.text, scopes: new Set<Scope>() };
    this.keys.set(key.hash, { keyId, name, plan: new KeyPlan(plan), scopes, usableUntil });
    return { ...key, caller: { keyId, name, plan, limits, scopes } };
  }

  async find(hash: KeyHash): Promise<FoundKey | undefined> {
    this.lookups++;
    const found = this.keys.get(hash);
    await this.gate;
    if (this.unavailable) throw new KeyStoreUnavailableError('The store is unavailable.');
    return found;
  }
}

/** Goes on when it is told to. */
class TestClock {
  wall = Date.parse('2026-11-20T12:00:00Z');
  monotonic = 1_000;
  now = (): number => this.wall;
  elapsed = (): number => this.monotonic;
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.monotonic += milliseconds;
  }
}

let store: StubKeyStore;
let clock: TestClock;
let cache: ApiKeyCache;

beforeEach(() => {
  store = new StubKeyStore();
  clock = new TestClock();
  cache = new ApiKeyCache(store, plans, clock);
});

const get = ({ text }: SignedKey, from = cache): Caller | 'refused' | undefined => from.get(text);
const load = ({ text, hash }: SignedKey, into = cache): Promise<Caller | undefined> => into.load(text, hash);

describe('a key', () => {
  it('is looked up once by any number of simultaneous first requests, and then cached', async () => {
    const key = store.put();
    expect(get(key)).toBeUndefined();
    const callers = await Promise.all(Array.from({ length: 100 }, () => load(key)));
    expect(new Set(callers)).toEqual(new Set([key.caller]));
    expect(get(key)).toEqual(key.caller);
    expect(store.lookups).toBe(1);
  });

  it('is read again after 8 seconds, in use or not, counted from the start of the look-up', async () => {
    const key = store.put();
    const open = store.hold();
    const loading = load(key);
    clock.pass(1_000);
    open();
    await loading;
    clock.pass(6_999);
    expect(get(key)).toEqual(key.caller);
    clock.pass(2);
    expect(get(key)).toBeUndefined();
  });

  it('is not accepted longer, whatever the calendar says, while the store is unavailable', async () => {
    const key = store.put();
    await load(key);
    store.unavailable = true;
    clock.pass(8_001);
    clock.wall -= 24 * 3_600_000;
    expect(get(key)).toBeUndefined();
    await expect(load(key)).rejects.toThrow(KeyStoreUnavailableError);
    expect(get(key)).toBeUndefined();
    store.unavailable = false;
    expect(await load(key)).toEqual(key.caller);
  });

  it('that expires is refused at that very moment', async () => {
    const key = store.put(new Date(clock.now() + 2_000));
    await load(key);
    clock.pass(1_999);
    expect(get(key)).toEqual(key.caller);
    clock.pass(1);
    expect(get(key)).toBe('refused');
    expect(await load(key)).toBeUndefined();
  });

  it('that is looked up while the clock is ahead is accepted as soon as the clock is right', async () => {
    const key = store.put(new Date(clock.now() + 2_000));
    clock.wall += 3_600_000;
    expect(await load(key)).toBeUndefined();
    expect(get(key)).toBe('refused');
    clock.wall -= 3_600_000;
    expect(get(key)).toEqual(key.caller);
    expect(store.lookups).toBe(1);
  });

  it('that is not in the store is looked up once, then refused for 8 seconds', async () => {
    const key = signer.issue('test');
    expect(await load(key)).toBeUndefined();
    clock.pass(7_999);
    expect(get(key)).toBe('refused');
    clock.pass(2);
    expect(get(key)).toBeUndefined();
  });
});

describe('an event', () => {
  it('of a change discards that key and every refusal, which may be of the changed one, and no other key', async () => {
    const [changed, other, refused] = [store.put(), store.put(), signer.issue('test')];
    await Promise.all([changed, other, refused].map((key) => load(key)));
    cache.invalidate({ kind: 'unbanned', keyId: changed.caller.keyId });
    expect([get(changed), get(refused)]).toEqual([changed.caller, 'refused']);
    cache.invalidate({ kind: 'changed', keyId: changed.caller.keyId });
    expect([get(changed), get(refused)]).toEqual([undefined, undefined]);
    expect(get(other)).toEqual(other.caller);
  });

  it('that says that others were missed discards every key', async () => {
    const [one, other] = [store.put(), store.put()];
    await Promise.all([one, other].map((key) => load(key)));
    cache.invalidate({ kind: 'missed' });
    expect([get(one), get(other)]).toEqual([undefined, undefined]);
  });

  it('that arrives during a look-up keeps its result from being cached or shared', async () => {
    const key = store.put();
    const open = store.hold();
    const before = load(key);
    store.keys.clear();
    cache.invalidate({ kind: 'changed', keyId: key.caller.keyId });
    const after = load(key);
    open();
    expect(await before).toEqual(key.caller);
    expect(await after).toBeUndefined();
    expect(get(key)).toBe('refused');
  });
});

it('holds a bounded number of keys, those in use before those that are not', async () => {
  const small = new ApiKeyCache(store, plans, { now: clock.now, elapsed: clock.elapsed, max: 3 });
  const keys = [store.put(), store.put(), store.put()] as const;
  for (const key of keys) await load(key, small);
  get(keys[0], small);
  const next = store.put();
  await load(next, small);
  expect(get(keys[1], small)).toBeUndefined();
  for (const key of [keys[0], keys[2], next]) expect(get(key, small)).toEqual(key.caller);
});

it('refuses to judge a key on a plan that is not defined, without another look-up, and says so once', async () => {
  const unknown: string[] = [];
  const careful = new ApiKeyCache(store, plans, { onUnknownPlan: (_keyId, plan) => unknown.push(plan) });
  const keys = [store.put(undefined, 'gold'), store.put(undefined, 'gold')];
  for (let i = 0; i < 2; i++)
    for (const key of keys) await expect(load(key, careful)).rejects.toThrow(UnknownPlanError);
  expect(unknown).toEqual(['gold']);
  expect(store.lookups).toBe(2);
  expect(await load(store.put(), careful)).toMatchObject({ plan: 'free' });
});
