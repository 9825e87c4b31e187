import { describe, expect, it } from '@jest/globals';
import { readLimitState } from './limit-state.js';
import { deprecationNotice, helpLink } from './response-headers.js';

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

describe('the state of the limits', () => {
  it.each([
    ['60', '59', '1764288000', { limit: 60, remaining: 59, resetAt: new Date('2025-11-28') }],
    ['60, 60;w=60', '59', '1764288000', undefined],
    ['60', '-1', '1764288000', undefined],
    ['60', '59', '9999999999999999', undefined],
    ['60', '59', '', undefined],
  ])('is read from three numbers: %j, %j, %j', (limit, remaining, reset, state) => {
    const fields = {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset': reset,
    };
    expect(readLimitState(new Headers(fields))).toEqual(state && { ...state, windows: [] });
  });
});

describe('the notice of a deprecation', () => {
  it.each([
    ['@1764288000', 'listPets is deprecated since 2025-11-28.'],
    ['@99999999999', 'listPets is deprecated since 5138-11-16.'],
    ['@99999999999999999', undefined],
    ['soon', undefined],
  ])('is made of a date: %s', (since, notice) => {
    const headers = new Headers({ Deprecation: since });
    expect(deprecationNotice('listPets', headers, 'https://store.example/v1/pets')).toBe(notice);
  });
});
