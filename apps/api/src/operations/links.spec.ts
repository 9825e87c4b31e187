import { describe, expect, it } from '@jest/globals';
import { Links } from './links.js';

const links = new Links('/v1');
const page = { path: '/things', limit: 20, next: undefined, isFirst: true };

describe('links of a page', () => {
  it('are none for the only page', () => {
    expect(links.ofPage(page)).toBeUndefined();
  });

  it('keep the limit unless it is the usual one, and the filters that there are', () => {
    const filters = { status: 'sold', petId: undefined, other: '1' };
    expect(links.ofPage({ ...page, limit: 7, filters, next: 'abc', isFirst: false })).toBe(
      '</v1/things?limit=7&status=sold&other=1&cursor=abc>; rel="next", </v1/things?limit=7&status=sold&other=1>; rel="first"',
    );
    expect(links.ofPage({ ...page, isFirst: false })).toBe('</v1/things>; rel="first"');
    expect(links.ofPage({ ...page, next: 'abc' })).toBe('</v1/things?cursor=abc>; rel="next"');
  });
});
