import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { deferredErrorOf, MAX_TARGET_BYTES, normalizeTarget, refusalOf } from './request-target.js';

/** As of an app with things under `/v1/things`. */
function shorten(path: string): string {
  if (/^\/v1\/things\/[^/]+$/.test(path)) return '/v1/things/-';
  return path === '/v1' || path.startsWith('/v1/') ? '/v1/-' : '/-/-';
}

function normalized(url: string, headers: Record<string, string> = { host: 'a' }): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat();
  const request = { url, headers, rawHeaders, httpVersion: '1.1' } as unknown as IncomingMessage;
  normalizeTarget(request, shorten);
  return request;
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
    [`/v1/things/${'1'.repeat(300)}?a=b`, '/v1/things/-'],
    [`/v1/${'%'.repeat(3_000)}`, '/v1/-'],
    [`/${'a/'.repeat(300)}`, '/-/-'],
  ])('%s becomes %s', (sent, becomes) => {
    const request = normalized(sent);
    expect(request.url).toBe(becomes);
    expect(refusalOf(request)).toBeUndefined();
    expect(deferredErrorOf(request)).toBeUndefined();
  });

  it.each([
    '/v1/things#a',
    '/a?b#c',
    '\\',
    '/v1\\things',
    'http://',
    'http:///v1',
    'http://a@b/v1',
    'ftp://a/b',
    'a:1',
  ])('is refused as %s', (sent) => {
    expect(refusalOf(normalized(sent))?.code).toBe('bad_request');
  });

  it('needs a Host beside it', () => {
    expect(refusalOf(normalized('/v1/things', {}))?.code).toBe('bad_request');
  });

  it.each([
    { host: 'a b' },
    { host: 'a', Host: 'b' },
    { host: 'a/b' },
    { host: 'a', 'transfer-encoding': 'gzip, chunked' },
  ])('is refused beside %j', (headers) => {
    expect(refusalOf(normalized('/v1/things', headers))?.code).toBe('bad_request');
  });

  it('cannot pass itself off as a refused one', () => {
    const request = normalized('/v1/things#a');
    expect(refusalOf(normalized(request.url ?? ''))).toBeUndefined();
  });

  it.each([
    ['/v1/things', '/v1/-'],
    ['/v1', '/v1/-'],
    ['/v1/things/1', '/v1/things/-'],
    ['/docs', '/-/-'],
  ])('that is too long leads from %s to a path that does not exist, with its error', (path, leadsTo) => {
    const request = normalized(`${path}?a=${'b'.repeat(MAX_TARGET_BYTES)}`);
    expect(request.url).toBe(leadsTo);
    expect(deferredErrorOf(request)?.code).toBe('uri_too_long');
    expect(refusalOf(request)).toBeUndefined();
  });

  it('is a short path that can be decoded, or refused, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 600 }), (sent) => {
        const request = normalized(sent);
        if (refusalOf(request) !== undefined || request.url === '*') return;
        const [path = ''] = (request.url ?? '').split('?');
        expect(path).toMatch(/^\//);
        expect(path.length).toBeLessThanOrEqual(3 * 256);
        expect(() => decodeURIComponent(path)).not.toThrow();
      }),
    );
  });
});
