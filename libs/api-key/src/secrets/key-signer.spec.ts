import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type KeyKind, type KeyMode, KeySigner, kindOfKey, MAX_KEY_LENGTH } from './key-signer.js';

const signer = new KeySigner('a pepper of the tests');
const stranger = new KeySigner('another pepper of the tests');

const BASE62 = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const keys = fc
  .tuple(fc.constantFrom<KeyMode>('live', 'test'), fc.constantFrom<KeyKind>('secret', 'publishable'))
  .map(([mode, kind]) => signer.issue(mode, kind));

describe('a key', () => {
  it('has its prefix, 32 characters of entropy and 12 of its MAC', () => {
    expect(signer.issue('live').text).toMatch(/^pet_live_[0-9A-Za-z]{44}$/);
    expect(signer.issue('test').text).toMatch(/^pet_test_[0-9A-Za-z]{44}$/);
    expect(signer.issue('live', 'publishable').text).toMatch(/^pet_pub_live_[0-9A-Za-z]{44}$/);
    expect(signer.issue('test', 'publishable').text).toMatch(/^pet_pub_test_[0-9A-Za-z]{44}$/);
  });

  it('is recognized, with the hash under which it is stored', () => {
    fc.assert(fc.property(keys, ({ text, hash }) => signer.verify(text) === hash));
  });

  it('has a MAC and a hash that stay the same from release to release', () => {
    const text = `pet_test_${'0123456789abcdef'.repeat(2)}8as7xQhU1c7m`;
    expect(signer.verify(text)).toBe('V5DG3aaoxNV_JPbprywnw4uRbBOjYccIYdd6UNy4x3g');
  });

  it('is refused after a change of any one character to any other', () => {
    const position = fc.nat(MAX_KEY_LENGTH - 1);
    const character = fc.constantFrom(...BASE62, ...Array.from('-._~+/é'));
    fc.assert(
      fc.property(keys, position, character, ({ text }, at, other) => {
        fc.pre(at < text.length && text[at] !== other);
        return signer.verify(text.slice(0, at) + other + text.slice(at + 1)) === undefined;
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused when cut short or drawn out', () => {
    const lengths = fc.integer({ min: 1, max: 'pet_live_'.length + 43 });
    fc.assert(
      fc.property(keys, lengths, ({ text }, length) => {
        const changed = [text.slice(0, length), text + text.slice(0, length)];
        return changed.every((each) => signer.verify(each) === undefined);
      }),
    );
  });

  it('says by its prefix which kind it is', () => {
    expect(kindOfKey(signer.issue('live').text)).toBe('secret');
    for (const text of [signer.issue('test', 'publishable').text, 'PET_PUB_', 'pet_Pub_live_mistyped'])
      expect(kindOfKey(text)).toBe('publishable');
    for (const text of ['', 'pet_pub', ' pet_pub_', 'pet_live_pet_pub_'])
      expect(kindOfKey(text)).toBe('secret');
  });
});

describe('while the pepper is changed', () => {
  const both = new KeySigner('the next pepper', ['a pepper of the tests']);

  it('keys of the previous pepper are recognized under their own hash, new ones have the new pepper', () => {
    const old = signer.issue('live');
    const fresh = both.issue('live');
    expect(both.verify(old.text)).toBe(old.hash);
    expect(both.verify(fresh.text)).toBe(fresh.hash);
    expect(signer.verify(fresh.text)).toBeUndefined();
    expect(new KeySigner('the next pepper').verify(fresh.text)).toBe(fresh.hash);
  });

  it('a stored secret says which pepper it needs', () => {
    expect(both.statusOf(both.issue('live').pepperId)).toBe('current');
    expect(both.statusOf(signer.issue('live').pepperId)).toBe('previous');
    expect(both.statusOf(stranger.issue('live').pepperId)).toBe('unknown');
  });

  it('the id of a pepper tells nothing of it', () => {
    const { pepperId } = signer.issue('live');
    expect(pepperId).toHaveLength(11);
    expect(new KeySigner('a pepper of the testt').issue('live').pepperId).not.toBe(pepperId);
  });
});

describe('the format of keys', () => {
  it('never generates the same twice, and uses every digit equally', () => {
    const many = Array.from({ length: 2_000 }, () => signer.issue('test').text.slice(0, -12));
    expect(new Set(many).size).toBe(many.length);
    const counts = new Map<string, number>();
    for (const body of many) for (const c of body.slice(9)) counts.set(c, (counts.get(c) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 characters: 1,032 of each expected, with a standard deviation of 32.
    const mean = (many.length * 32) / 62;
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });

  it.each([
    ...['', '=', 'pet_live_', 'x'.repeat(MAX_KEY_LENGTH), `pet_live_${'a'.repeat(38)}`],
    ...[`pet_test_${'a'.repeat(45)}`, `PET_TEST_${'a'.repeat(44)}`, `pet_test_${'a'.repeat(43)}~`],
    ...[`pet_test_${'a'.repeat(43)}\n`, `pet_test_${'a'.repeat(43)}é`],
  ])('is not that of %j', (text) => {
    expect(signer.verify(text)).toBeUndefined();
  });

  it('has a hint: the prefix and the last four characters, and nothing between', () => {
    const { text, hint } = signer.issue('live');
    expect(hint).toEqual({ prefix: 'pet_live_', lastFour: text.slice(-4) });
  });
});
