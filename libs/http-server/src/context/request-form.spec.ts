import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import fc from 'fast-check';
import { requireForm, toOriginForm } from './request-form.js';

/** The target of a request as it is routed. @throws ApiError for one that is refused */
function routed(sent: string): string {
  const url = toOriginForm(sent);
  const request = { url, originalUrl: url, rawHeaders: [], headers: { host: 'a' } } as unknown as Request;
  requireForm(request);
  return request.url;
}

describe('the target of a request', () => {
  it.each([
    ['/v1/things?limit=1', '/v1/things?limit=1'],
    ['*', '*'],
    ['http://a/v1/things?limit=1', '/v1/things?limit=1'],
    ['HTTPS://a:443/v1/things', '/v1/things'],
    ['http://a', '/'],
    ['http://a?b', '/?b'],
    ['http://[::1]:3000/v1', '/v1'],
    ['/v1/things/%31', '/v1/things/%31'],
    ['/v1/things/%zz?a=%zz', '/v1/things/%25zz?a=%zz'],
    ['/v1/things/%ff', '/v1/things/%25ff'],
    ['/v1\\things/\\?a=\\', '/v1\\things/\\?a=\\'],
  ])('%s is routed as %s', (sent, becomes) => {
    expect(routed(sent)).toBe(becomes);
  });

  it.each(
    '/v1/things#a /a?b#c \\ http://a\\b/v1 http:// http:///v1 http://a@b/v1 ftp://a/b a:1 http://a/b#c'.split(
      ' ',
    ),
  )('is refused as %s', (sent) => {
    expect(() => routed(sent)).toThrow('The request target is not a path with an optional query.');
  });

  it('is a path that can be decoded, or refused, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 600 }), (sent) => {
        let target = '/';
        try {
          target = routed(sent);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_request' });
        }
        if (target === '*') return;
        const [path = ''] = target.split('?');
        expect(path).toMatch(/^\//);
        expect(() => decodeURIComponent(path)).not.toThrow();
      }),
    );
  });
});
