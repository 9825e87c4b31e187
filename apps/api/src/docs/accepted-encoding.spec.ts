import { describe, expect, it } from '@jest/globals';
import { acceptedEncoding } from './accepted-encoding.js';

describe('acceptedEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['br ; q=1.000 ,gzip', 'br'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=0.0001', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip br', 'identity'],
    [`gzip${' '.repeat(252)}`, 'gzip'],
    [`gzip${' '.repeat(253)}`, 'identity'],
    [','.repeat(256), 'identity'],
  ])('takes "%s" as %s', (field, encoding) => {
    expect(acceptedEncoding(field)).toBe(encoding);
  });
});
