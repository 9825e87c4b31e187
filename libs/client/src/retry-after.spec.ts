import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.js';

/** Sunday. */
const NOW = Date.UTC(1994, 10, 6, 8, 49, 7);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['12', 12],
    ['99999999999999999999', 2 ** 31],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
    ['Sun Nov  6 08:49:37 1994', 30],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    // More than 50 years ahead: of this century. Not as much: of the next one.
    ['Wednesday, 06-Nov-45 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-44 08:49:37 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 2 ** 31],
    ['30,120', 120],
    ['soon, 30', 30],
    ['5, Sun, 06 Nov 1994 08:49:37 GMT, Sunday, 06-Nov-94 08:49:57 GMT, 7', 50],
  ])('%j is a wait of %j s', (field, expected) => {
    expect(readRetryAfter(new Headers({ 'Retry-After': field }), NOW)).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '1.5',
    '-5',
    '1e3',
    '"120"',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 25:49:37 GMT',
  ])('%j is none', (field) => {
    expect(readRetryAfter(new Headers({ 'Retry-After': field }), NOW)).toBeUndefined();
    expect(readRetryAfter(new Headers(), NOW)).toBeUndefined();
  });
});
