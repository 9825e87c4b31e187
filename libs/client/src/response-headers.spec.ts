import { describe, expect, it } from '@jest/globals';
import { helpLink, readRetryAfter } from './response-headers.js';

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['12', 12],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 30],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('%j is a wait of %j s', (field, expected) => {
    expect(readRetryAfter(new Headers({ 'Retry-After': field }), 30_000)).toBe(expected);
    expect(readRetryAfter(new Headers(), 30_000)).toBeUndefined();
  });
});

describe('the link of an error to the docs', () => {
  it.each([
    ['</docs#e>; rel="help"; type="text/html", </next>; rel="next"', 'https://store.example/docs#e'],
    ['<https://docs.example/e>; rel="help"', 'https://docs.example/e'],
    ['<https://>; rel="help"', undefined],
    ['</next>; rel="next"', undefined],
  ])('is a whole URL: %s', (field, expected) => {
    const headers = new Headers({ Link: field });
    expect(helpLink(headers, 'https://store.example/v1/pets')).toBe(expected);
  });
});
