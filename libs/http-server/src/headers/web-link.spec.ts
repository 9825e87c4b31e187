import { describe, expect, it } from '@jest/globals';
import { formatLinks } from './web-link.js';

describe('formatLinks', () => {
  it('writes targets, relations and types as RFC 8288 has them', () => {
    expect(
      formatLinks([
        { target: '/v1/pets?cursor=abc', rel: 'next' },
        { target: '/docs', rel: 'deprecation', type: 'text/html' },
      ]),
    ).toBe('</v1/pets?cursor=abc>; rel="next", </docs>; rel="deprecation"; type="text/html"');
  });
});
