import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'node:querystring';
import { parseQuery } from './query.js';

const NAMES = ['limit', 'status', 'a'];

describe('a query', () => {
  it('finds what node finds', () => {
    const piece = fc.constantFrom(
      ...[
        'limit',
        'status',
        'a',
        'LIMIT',
        'limi',
        '%6cimit',
        'l%69mit',
        '%61',
        'a%',
        '%',
        '%zz',
        '%ff',
        '%C3%A9',
      ],
      ...['=', '=', '&', '&', '&', '+', '1', '20', 'available', '?', '/', '.', '[]'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const query = pieces.join('');
        const all = parse(query);
        const found = parseQuery(query);
        for (const name of NAMES) {
          const expected = Object.hasOwn(all, name) ? all[name] : undefined;
          // Given more than once, it counts that it was.
          if (Array.isArray(expected)) expect(Array.isArray(found[name])).toBe(true);
          else expect(found[name]).toBe(expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([null, '', '&&', 'other=1&limits=2', '__proto__=1&constructor=2'])(
    'finds nothing in %s',
    (query) => {
      for (const name of [...NAMES, 'toString']) expect(parseQuery(query)[name]).toBeUndefined();
    },
  );

  it('finds a parameter behind thousands of others', () => {
    expect(parseQuery(`${'b&'.repeat(4_000)}limit=5`)['limit']).toBe('5');
  });

  it('unescapes the longest value of the contract, and takes a longer one as it stands', () => {
    const escaped = '%31%2C'.repeat(999) + '%31';
    expect(parseQuery(`a=${escaped}`)['a']).toBe('1,'.repeat(999) + '1');
    expect(parseQuery(`a=${escaped}1`)['a']).toBe(`${escaped}1`);
  });
});
