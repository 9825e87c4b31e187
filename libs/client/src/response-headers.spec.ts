import { describe, expect, it } from '@jest/globals';
import { helpLink } from './response-headers.js';

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
