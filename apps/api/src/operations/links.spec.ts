import { describe, expect, it } from '@jest/globals';
import { Links } from './links.js';

const links = new Links('/v1');
const last = { next: undefined, isFirst: false };

describe('links of a page', () => {
  it('are none for the only page', () => {
    expect(links.ofPage('/things', { limit: 20 }, { next: undefined, isFirst: true })).toBeUndefined();
  });

  it('keep the limit unless it is the usual one, and the filters that there are', () => {
    const filters = { status: 'sold', petId: undefined, other: '1' };
    expect(links.ofPage('/things', { limit: 7, ...filters }, { next: 'abc', isFirst: false })).toBe(
      '</v1/things?limit=7&status=sold&other=1&cursor=abc>; rel="next", </v1/things?limit=7&status=sold&other=1>; rel="first"',
    );
    expect(links.ofPage('/things', { limit: 20 }, last)).toBe('</v1/things>; rel="first"');
    expect(links.ofPage('/things', { limit: 20 }, { next: 'abc', isFirst: true })).toBe(
      '</v1/things?cursor=abc>; rel="next"',
    );
  });
});
