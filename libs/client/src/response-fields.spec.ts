import { describe, expect, it } from '@jest/globals';
import { deprecationNotice } from './deprecation-notice.js';
import { readLimitState } from './limit-state.js';
import { parseLinks } from './web-link.js';

describe('limit state', () => {
  it('is read from both kinds of header fields', () => {
    const headers = new Headers({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': '1785628800',
      'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
      RateLimit: '"minute";r=59;t=60, "day";r=999;t=86400',
    });
    expect(readLimitState(headers)).toEqual({
      limit: 60,
      remaining: 59,
      resetAt: new Date('2026-08-02T00:00:00Z'),
      windows: [
        { name: 'minute', quota: 60, seconds: 60, remaining: 59, resetSeconds: 60 },
        { name: 'day', quota: 1000, seconds: 86_400, remaining: 999, resetSeconds: 86_400 },
      ],
    });
  });

  it('is unknown when a response does not have them', () => {
    expect(readLimitState(new Headers())).toBeUndefined();
  });
});

describe('links', () => {
  it('are found by their relation', () => {
    const links = parseLinks(
      '</v1/pets?cursor=a,b>; rel="next", </docs>; rel="deprecation"; type="text/html"',
    );
    expect([...links]).toEqual([
      ['next', '/v1/pets?cursor=a,b'],
      ['deprecation', '/docs'],
    ]);
    expect(parseLinks(null).size).toBe(0);
  });
});

describe('a deprecation notice', () => {
  it('says since when, until when, what instead, and where to read on', () => {
    const headers = new Headers({
      Deprecation: '@1764892800',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: '</docs>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"',
    });
    expect(deprecationNotice('getPet', headers)).toBe(
      'getPet is deprecated since 2025-12-05 and will be removed on 2030-12-05. Use /v1/pets instead. See /docs.',
    );
  });

  it('is not there for other operations', () => {
    expect(deprecationNotice('listPets', new Headers())).toBeUndefined();
  });
});
