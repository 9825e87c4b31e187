import { describe, expect, it } from '@jest/globals';
import { isOfMediaType } from './media-type.js';

describe('isOfMediaType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8" ; a=b;',
    'application/json ;charset=utf8',
  ])('takes %s', (field) => {
    expect(isOfMediaType(field, ['application/json'])).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/json',
    'application/json-patch+json',
    'application/json; charset=latin1',
    'application/json; charset',
    'application/json; charset=utf-8; charset=latin1',
    'application/json, application/json',
    `application/json; a=${'b'.repeat(300)}`,
  ])('refuses %s', (field) => {
    expect(isOfMediaType(field, ['application/json'])).toBe(false);
  });
});
