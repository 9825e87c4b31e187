import { describe, expect, it } from '@jest/globals';
import { ApiError, errorBody } from './api-error.js';
import { defineErrors } from './define-errors.js';
import { assembleErrorCatalogue } from './error-catalogue.js';
import { HTTP_ERRORS } from './http.errors.js';

const FEATURE = defineErrors({
  thing_not_found: {
    status: 404,
    message: 'No thing has this id.',
    when: 'No thing has the id in the path.',
  },
  thing_gone: { status: 410, message: 'It is gone.', when: 'The thing is gone.' },
});

describe('errors of a feature', () => {
  it('know their codes', () => {
    expect(FEATURE.thing_gone).toMatchObject({ code: 'thing_gone', status: 410 });
  });

  it.each([
    ['a code in capitals', { Gone: { status: 410, message: '', when: '' } }],
    ['a status that is no error', { gone: { status: 304, message: '', when: '' } }],
  ])('are refused with %s', (_what, rows) => {
    expect(() => defineErrors(rows)).toThrow();
  });

  it('make bodies of exactly code, message and status', () => {
    expect(JSON.parse(errorBody(FEATURE.thing_not_found))).toEqual({
      code: 'thing_not_found',
      message: 'No thing has this id.',
      status: 404,
    });
  });
});

describe('an ApiError', () => {
  it('has the words and status of its definition unless it has better words', () => {
    expect(new ApiError(FEATURE.thing_gone)).toMatchObject({
      code: 'thing_gone',
      status: 410,
      message: 'It is gone.',
    });
    expect(new ApiError('validation_failed', { message: 'name is missing.' })).toMatchObject({
      code: 'validation_failed',
      message: 'name is missing.',
    });
  });
});

describe('the error catalogue', () => {
  it('is ordered by status, and within one has the fallback last', () => {
    const codes = assembleErrorCatalogue(Object.values(FEATURE)).map(({ code }) => code);
    expect(codes.indexOf('thing_not_found')).toBe(codes.indexOf('route_not_found') - 1);
    const statuses = assembleErrorCatalogue(Object.values(FEATURE)).map(({ status }) => status);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
  });

  it('has an error once that several operations respond with', () => {
    const twice = [FEATURE.thing_gone, HTTP_ERRORS.bad_request, FEATURE.thing_gone];
    expect(assembleErrorCatalogue(twice)).toHaveLength(Object.keys(HTTP_ERRORS).length + 1);
  });

  it('is refused when two features define one code', () => {
    const { thing_gone: other } = defineErrors({ thing_gone: { status: 410, message: '', when: '' } });
    expect(() => assembleErrorCatalogue([FEATURE.thing_gone, other])).toThrow('thing_gone is defined twice');
  });
});
