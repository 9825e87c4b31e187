import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { deferredErrorOf, MAX_TARGET_BYTES, normalizeTarget, refusalOf } from './request-target.js';

function normalized(url: string, headers: Record<string, string> = { host: 'a' }): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat();
  const request = { url, headers, rawHeaders, httpVersion: '1.1' } as unknown as IncomingMessage;
  normalizeTarget(request);
  return request;
}

describe('the target of a request', () => {
  it.each([
    ['/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['*', '*'],
    ['http://a/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['HTTPS://a:443/v1/pets', '/v1/pets'],
    ['http://a', '/'],
    ['http://a?b', '/?b'],
    ['http://[::1]:3000/v1', '/v1'],
    ['/v1/pets/%31', '/v1/pets/%31'],
    ['/v1/pets/%zz?a=%zz', '/v1/pets/%25zz?a=%zz'],
    ['/v1/pets/%ff', '/v1/pets/%25ff'],
    [`/v1/pets/${'1'.repeat(300)}?a=b`, '/v1/pets/-'],
    [`/v1/${'%'.repeat(3_000)}`, '/v1/-'],
    [`/${'a/'.repeat(300)}`, '/-/-'],
  ])('%s becomes %s', (sent, becomes) => {
    const request = normalized(sent);
    expect(request.url).toBe(becomes);
    expect(refusalOf(request)).toBeUndefined();
    expect(deferredErrorOf(request)).toBeUndefined();
  });

  it.each([
    '/v1/pets#a',
    '/a?b#c',
    '\\',
    '/v1\\pets',
    'http://',
    'http:///v1',
    'http://a@b/v1',
    'ftp://a/b',
    'a:1',
  ])('is refused as %s', (sent) => {
    expect(refusalOf(normalized(sent))?.code).toBe('bad_request');
  });

  it('needs a Host beside it', () => {
    expect(refusalOf(normalized('/v1/pets', {}))?.code).toBe('bad_request');
  });

  it.each([
    { host: 'a b' },
    { host: 'a', Host: 'b' },
    { host: 'a/b' },
    { host: 'a', 'transfer-encoding': 'gzip, chunked' },
  ])('is refused beside %j', (headers) => {
    expect(refusalOf(normalized('/v1/pets', headers))?.code).toBe('bad_request');
  });

  it('cannot pass itself off as a refused one', () => {
    const request = normalized('/v1/pets#a');
    expect(refusalOf(normalized(request.url ?? ''))).toBeUndefined();
  });

  it.each([
    ['/v1/pets', '/v1/-'],
    ['/v1', '/v1/-'],
    ['/v1/pets/1', '/v1/pets/-'],
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
