import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'node:querystring';
import { queryParameters } from './query-parameters.js';

const NAMES = ['limit', 'status', 'a'];

describe('queryParameters', () => {
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
        const found = queryParameters(`/v1/pets?${query}`, NAMES);
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

  it.each(['/v1/pets', '/v1/pets?', '/v1/pets?&&', '/v1/pets?other=1&limits=2'])(
    'finds nothing in %s',
    (target) => {
      expect(queryParameters(target, NAMES)).toEqual({});
    },
  );

  it('finds a parameter behind thousands of others', () => {
    expect(queryParameters(`/v1/pets?${'b&'.repeat(4_000)}limit=5`, NAMES)).toEqual({ limit: '5' });
  });

  it('unescapes the longest value of the contract, and takes a longer one as it stands', () => {
    const escaped = '%31%2C'.repeat(999) + '%31';
    expect(queryParameters(`/v1/pets?a=${escaped}`, NAMES)).toEqual({ a: '1,'.repeat(999) + '1' });
    expect(queryParameters(`/v1/pets?a=${escaped}1`, NAMES)).toEqual({ a: `${escaped}1` });
  });
});
