import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { isOfMediaType } from '../body/request-body.js';
import { RequestContext } from './request-context.js';
import { isOriginForm, toOriginForm, withPlainPercents } from './request-form.js';

describe('the target of a request', () => {
  const normalizeTarget = (sent: string): string => withPlainPercents(toOriginForm(sent));

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
  ])('%s becomes %s', (sent, becomes) => {
    const target = normalizeTarget(sent);
    expect([target, isOriginForm(target)]).toEqual([becomes, true]);
  });

  it.each(
    '/v1/things#a /a?b#c \\ http://a\\b/v1 http:// http:///v1 http://a@b/v1 ftp://a/b a:1 http://a/b#c'.split(
      ' ',
    ),
  )('has no known form as %s', (sent) => {
    expect(isOriginForm(normalizeTarget(sent))).toBe(false);
  });

  it('is a path that can be decoded, or has no known form, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 600 }), (sent) => {
        const target = normalizeTarget(sent);
        if (!isOriginForm(target) || target === '*') return;
        const [path = ''] = target.split('?');
        expect(path).toMatch(/^\//);
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
    return RequestContext.begin(request, (text) => !text.startsWith('secret')).id;
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
