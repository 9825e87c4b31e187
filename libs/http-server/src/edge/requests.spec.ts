import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { isOfMediaType } from '../body/request-body.js';
import { MAX_TARGET_BYTES } from '../options/limits.js';
import { normalizeTarget, recordOf, RequestRecord } from './request-record.js';

describe('the target of a request', () => {
  /** As of an app with things under `/v1/things`. */
  function shorten(path: string): string {
    if (/^\/v1\/things\/[^/]+$/.test(path)) return '/v1/things/-';
    return path === '/v1' || path.startsWith('/v1/') ? '/v1/-' : '/-/-';
  }

  function normalized(url: string, headers: Record<string, string> = { host: 'a' }): IncomingMessage {
    const rawHeaders = Object.entries(headers).flat();
    const request = { url, headers, rawHeaders, httpVersion: '1.1' } as unknown as IncomingMessage;
    normalizeTarget(
      request,
      RequestRecord.begin(request, () => false),
      shorten,
    );
    return request;
  }

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
    [`/v1/things/${'1'.repeat(300)}?a=b`, '/v1/things/-'],
    [`/v1/${'%'.repeat(3_000)}`, '/v1/-'],
    [`/${'a/'.repeat(300)}`, '/-/-'],
  ])('%s becomes %s', (sent, becomes) => {
    const request = normalized(sent);
    expect(request.url).toBe(becomes);
    expect(recordOf(request)).toMatchObject({ refusal: undefined, isTargetTooLong: false });
  });

  it.each<[string, Record<string, string>]>([
    ...[
      '/v1/things#a',
      '/a?b#c',
      '\\',
      'http://a\\b/v1',
      'http://',
      'http:///v1',
      'http://a@b/v1',
      'ftp://a/b',
      'a:1',
    ].map((sent): [string, Record<string, string>] => [sent, { host: 'a' }]),
    ['/v1/things', {}],
    ['/v1/things', { host: 'a b' }],
    ['/v1/things', { host: 'a', Host: 'b' }],
    ['/v1/things', { host: 'a/b' }],
    ['/v1/things', { host: 'a', 'transfer-encoding': 'gzip, chunked' }],
  ])('is refused as %s with the fields %j', (sent, headers) => {
    const request = normalized(sent, headers);
    expect(recordOf(request)?.refusal?.code).toBe('bad_request');
    // What it becomes is no way to be refused for another client.
    expect(recordOf(normalized(request.url ?? ''))?.refusal).toBeUndefined();
  });

  it.each([
    ['/v1/things', '/v1/-'],
    ['/v1', '/v1/-'],
    ['/v1/things/1', '/v1/things/-'],
    ['/docs', '/-/-'],
  ])('that is too long leads from %s to a path that does not exist, and is noted', (path, leadsTo) => {
    const request = normalized(`${path}?a=${'b'.repeat(MAX_TARGET_BYTES)}`);
    expect(request.url).toBe(leadsTo);
    expect(recordOf(request)).toMatchObject({ refusal: undefined, isTargetTooLong: true });
  });

  it('is a short path that can be decoded, or refused, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 600 }), (sent) => {
        const request = normalized(sent);
        if (recordOf(request)?.refusal !== undefined || request.url === '*') return;
        const [path = ''] = (request.url ?? '').split('?');
        expect(path).toMatch(/^\//);
        expect(path.length).toBeLessThanOrEqual(3 * 256);
        expect(() => decodeURIComponent(path)).not.toThrow();
      }),
    );
  });
});

describe('a Content-Type', () => {
  it.each([
    ['application/json', true],
    ['Application/JSON', true],
    ['application/json;charset=utf-8', true],
    ['application/json; charset="UTF-8" ; a=b;', true],
    ['application/json ;charset=utf8', true],
    [undefined, false],
    ['', false],
    ['text/json', false],
    ['application/json-patch+json', false],
    ['application/json; charset=latin1', false],
    ['application/json; charset', false],
    ['application/json; charset=utf-8; charset=latin1', false],
    ['application/json, application/json', false],
    [`application/json; a=${'b'.repeat(300)}`, false],
  ])('%s is that of JSON: %s', (field, expected) => {
    expect(isOfMediaType(field, ['application/json'])).toBe(expected);
  });
});

describe('the id of a request', () => {
  function idOf(proposed: string | undefined): string {
    const headers = { authorization: 'Bearer a-key-of-some-caller', 'x-request-id': proposed };
    const request = { headers } as unknown as IncomingMessage;
    return RequestRecord.begin(request, (text) => text.startsWith('secret')).id;
  }

  it.each(['12345678', 'a-b_c-D9', 'x'.repeat(64), 'a-secret', 'order-12345'])('may be %s', (id) => {
    expect(idOf(id)).toBe(id);
  });

  it.each([
    ...[undefined, '', '1234567', 'x'.repeat(65)],
    ...['with space', 'line\nbreak', 'quote"quote', 'ümlaut-ümlaut'],
    // What the app calls secret, and a piece of the key that the request carries.
    ...['secret-12345', 'a-key-of-some'],
  ])('is a new one instead of %j', (id) => {
    expect(idOf(id)).not.toBe(id);
    expect(idOf(id)).toMatch(/^[\w-]{36}$/);
  });
});
