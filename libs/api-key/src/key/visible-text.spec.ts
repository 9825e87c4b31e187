import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { VisibleText } from './visible-text.js';

describe('visible text', () => {
  it.each(['shop', 'Zoë 🐈', 'Белка 猫 كلب', 'a  b', '❤️', '⚠︎', 'e\u0301', '\u00A0', '', '🇳🇴'])(
    'is %j',
    (text) => {
      expect(VisibleText.hiddenCharacter(text)).toBeUndefined();
      expect(VisibleText.escape(text)).toBe(text);
    },
  );

  it.each([
    ['a right-to-left override', 'shop\u202Eorp', 'U+202E', 'shop\\u{202e}orp'],
    ['an isolate', '\u2066x', 'U+2066', '\\u{2066}x'],
    ['a zero-width space', 'shop\u200B', 'U+200B', 'shop\\u{200b}'],
    ['a joiner', '👩\u200D🚀', 'U+200D', '👩\\u{200d}🚀'],
    ['a soft hyphen', 'sh\u00ADop', 'U+00AD', 'sh\\u{ad}op'],
    ['a byte order mark', '\uFEFFshop', 'U+FEFF', '\\u{feff}shop'],
    ['a tag', 'shop\u{E0041}', 'U+E0041', 'shop\\u{e0041}'],
    ['a line separator', 'a\u2028b', 'U+2028', 'a\\u{2028}b'],
    ['a line break', 'a\nb', 'U+000A', 'a\\u{a}b'],
    ['a terminal escape', '\u001B[31m', 'U+001B', '\\u{1b}[31m'],
    ['a C1 control', '\u009B31m', 'U+009B', '\\u{9b}31m'],
    ['a filler', 'shop\u3164', 'U+3164', 'shop\\u{3164}'],
    ['blank Braille', '\u2800', 'U+2800', '\\u{2800}'],
    ['private use', '\uF8FF', 'U+F8FF', '\\u{f8ff}'],
    ['a noncharacter', '\uFFFF', 'U+FFFF', '\\u{ffff}'],
    ['a lone surrogate', 'a\uD800', 'U+D800', 'a\\u{d800}'],
  ])('is not %s', (_what, text, hidden, escaped) => {
    expect(VisibleText.hiddenCharacter(text)).toBe(hidden);
    expect(VisibleText.escape(text)).toBe(escaped);
  });

  it('comes of escaping any text, and JSON stays what it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(VisibleText.hiddenCharacter(VisibleText.escape(text))).toBeUndefined();
        const json = VisibleText.escapeJson(JSON.stringify(text));
        expect(VisibleText.hiddenCharacter(json)).toBeUndefined();
        expect(JSON.parse(json)).toBe(text);
      }),
    );
  });
});
