import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { isOfMediaType } from '../body/media-type.js';
import { assignRequestId, chooseRequestId, requestIdOf } from '../headers/request-id.js';
import { parseQuery } from './query.js';
import { deferredErrorOf, MAX_TARGET_BYTES, normalizeTarget, refusalOf } from './request-target.js';

describe('the target of a request', () => {
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
    expect(refusalOf(request)).toBeUndefined();
    expect(deferredErrorOf(request)).toBeUndefined();
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
    expect(refusalOf(request)?.code).toBe('bad_request');
    // What it becomes is no way to be refused for another client.
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

describe('a query', () => {
  const NAMES = ['limit', 'status', 'a'];

  it('is read as node reads it', () => {
    const names = ['limit', 'status', 'a', 'LIMIT', 'limi', '%6cimit', 'l%69mit', '%61'];
    const others = [
      'a%',
      '%',
      '%zz',
      '%ff',
      '%C3%A9',
      '=',
      '=',
      '&',
      '&',
      '&',
      '+',
      '1',
      '20',
      '?',
      '/',
      '.',
    ];
    const piece = fc.constantFrom(...names, ...others, 'available', '[]');
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
      { numRuns: 1_000 },
    );
  });

  it.each([null, '', '&&', 'other=1&limits=2', '__proto__=1&constructor=2'])(
    '%s has none of these',
    (query) => {
      for (const name of [...NAMES, 'toString']) expect(parseQuery(query)[name]).toBeUndefined();
    },
  );

  it('may have thousands of other parameters', () => {
    expect(parseQuery(`${'b&'.repeat(4_000)}limit=5`)['limit']).toBe('5');
  });

  it('is unescaped up to the longest value of the contract; a longer one is taken as it stands', () => {
    const escaped = '%31%2C'.repeat(999) + '%31';
    expect(parseQuery(`a=${escaped}`)['a']).toBe('1,'.repeat(999) + '1');
    expect(parseQuery(`a=${escaped}1`)['a']).toBe(`${escaped}1`);
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
  it.each(['12345678', 'a-b_c-D9', 'x'.repeat(64), 'pet_alive_1', 'pet-live-1'])('may be %s', (id) => {
    expect(chooseRequestId(id)).toBe(id);
  });

  it.each([
    ...[undefined, '', '1234567', 'x'.repeat(65)],
    ...['with space', 'line\nbreak', 'quote"quote', 'ümlaut-ümlaut'],
    ...[`pet_live_${'0'.repeat(38)}`, `pet_test_${'0'.repeat(38)}`],
    ...['Pet_Live_0000', 'order-PET_TEST_0000', 'pet_live_'],
  ])('is a new one instead of %j', (id) => {
    const chosen = chooseRequestId(id);
    expect(chosen).not.toBe(id);
    expect(chosen).toMatch(/^[\w-]{36}$/);
  });

  it('is what a caller proposes, but no piece of the key that it sends', () => {
    const assigned = (proposed: string): string | undefined => {
      const headers = { authorization: 'Bearer a-key-of-some-caller', 'x-request-id': proposed };
      const request = { headers } as unknown as IncomingMessage;
      assignRequestId(request, { setHeader: () => undefined } as unknown as ServerResponse);
      return requestIdOf(request);
    };
    expect(assigned('order-12345')).toBe('order-12345');
    expect(assigned('a-key-of-some')).not.toBe('a-key-of-some');
  });
});
