import { describe, expect, it } from '@jest/globals';
import { MALFORMED, readBearerToken } from './read-bearer-token.js';

const key = (...values: string[]): string | undefined =>
  readBearerToken({ rawHeaders: values.flatMap((value) => ['Authorization', value]) });

describe('readBearerToken', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR   abc'])('reads %j', (value) => {
    expect(key(value)).toBe('abc');
  });

  it('finds the field whatever the case of its name', () => {
    expect(readBearerToken({ rawHeaders: ['Host', 'x', 'aUTHORIZATION', 'Bearer abc==', 'Via', 'y'] })).toBe(
      'abc==',
    );
  });

  it.each(['', 'Bearer', 'bearer ', 'Basic dXNlcjpwYXNz', 'Basic', 'Digest a=b, c=d', 'BearerX abc', 'abc'])(
    'takes %j for no key at all',
    (value) => {
      expect(key(value)).toBeUndefined();
    },
  );

  it.each([
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer a,b',
    'Bearer "abc"',
    'Bearer a=b',
    'Bearer \tabc',
    'Bearer schlüssel',
  ])('takes %j for a malformed one', (value) => {
    expect(key(value)).toBe(MALFORMED);
  });

  it('takes two fields for a malformed one, even when they agree', () => {
    expect(key('Bearer abc', 'Bearer abc')).toBe(MALFORMED);
    expect(key('', 'Bearer abc')).toBe(MALFORMED);
    expect(key('Bearer abc', 'Basic abc')).toBe(MALFORMED);
  });

  it('finds nothing where there is nothing', () => {
    expect(readBearerToken({ rawHeaders: ['X-Api-Key', 'abc', 'Cookie', 'key=abc'] })).toBeUndefined();
  });
});
