import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from './any-character.js';

describe('anyCharacter', () => {
  it('is one character, and no half of one', () => {
    fc.assert(
      fc.property(anyCharacter, (character) => {
        expect(character).toMatch(/^.$/su);
        expect(character.isWellFormed()).toBe(true);
      }),
    );
  });

  it('is also the first, the last, and those beside the halves', () => {
    for (const character of ['\0', '\u{d7ff}', '\u{e000}', '\u{10ffff}', 'é', '🐶'])
      expect(anyCharacter.canShrinkWithoutContext(character)).toBe(true);
    for (const other of ['', 'ab', '\ud800', '\udfff', 7, undefined])
      expect(anyCharacter.canShrinkWithoutContext(other)).toBe(false);
  });

  it('makes strings that are known to cause trouble, as the units of fast-check do', () => {
    const found = fc.sample(fc.string({ unit: anyCharacter }), { numRuns: 5_000, seed: 1 });
    expect(found).toContain('__proto__');
  });
});
