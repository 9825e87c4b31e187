import { describe, expect, it } from '@jest/globals';
import { entityTag, matchesEntityTag } from './entity-tag.js';

describe('entityTag', () => {
  it('is a quoted string, the same for the same body only', () => {
    expect(entityTag('[]')).toMatch(/^"[\w-]{27}"$/);
    expect(entityTag('[]')).toBe(entityTag('[]'));
    expect(entityTag('[]')).not.toBe(entityTag('[ ]'));
  });
});

describe('matchesEntityTag', () => {
  it.each(['"a"', 'W/"a"', '*', '"b", "a"', ' W/"b" ,W/"a" '])('finds "a" in %s', (field) => {
    expect(matchesEntityTag(field, '"a"')).toBe(true);
  });

  it.each([undefined, '', 'a', '"A"', '"b"', '"aa"', 'w/"a"'])('does not find "a" in %s', (field) => {
    expect(matchesEntityTag(field, '"a"')).toBe(false);
  });
});
