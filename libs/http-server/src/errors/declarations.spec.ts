import { describe, expect, it } from '@jest/globals';
import { defineHeaders, distinctHeaders, textHeader } from '../headers/headers.js';
import { assembleErrorCatalogue, defineErrors, HTTP_ERRORS } from './http.errors.js';

const FEATURE = defineErrors({
  thing_not_found: { status: 404, message: 'No thing has this id.', when: 'No thing has the id.' },
  thing_gone: { status: 410, message: 'It is gone.', when: 'The thing is gone.' },
});

describe('errors of a feature', () => {
  it.each([
    ['a code in capitals', { Gone: { status: 410, message: '', when: '' } }],
    ['a status that is no error', { gone: { status: 304, message: '', when: '' } }],
  ])('are refused with %s', (_what, rows) => {
    expect(() => defineErrors(rows)).toThrow();
  });
});

describe('the error catalogue', () => {
  it('is ordered by status, and within one has the fallback last', () => {
    const catalogue = assembleErrorCatalogue([...Object.values(HTTP_ERRORS), ...Object.values(FEATURE)]);
    const codes = catalogue.map(({ code }) => code);
    expect(codes.indexOf('thing_not_found')).toBe(codes.indexOf('route_not_found') - 1);
    const statuses = catalogue.map(({ status }) => status);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
  });

  it('has an error once that several operations respond with', () => {
    const { thing_gone } = FEATURE;
    expect(assembleErrorCatalogue([thing_gone, HTTP_ERRORS.bad_request, thing_gone])).toEqual([
      HTTP_ERRORS.bad_request,
      thing_gone,
    ]);
  });

  it('is refused when two features define one code', () => {
    const { thing_gone: other } = defineErrors({ thing_gone: { status: 410, message: '', when: '' } });
    expect(() => assembleErrorCatalogue([FEATURE.thing_gone, other])).toThrow('thing_gone is defined twice');
  });
});

describe('header fields of a feature', () => {
  const { 'X-Thing': thing } = defineHeaders({ 'X-Thing': textHeader('A thing.', 'a') });

  it('are counted once, and refused when two features define one, in whatever case', () => {
    expect(distinctHeaders([thing, thing])).toEqual([thing]);
    const other = Object.values(defineHeaders({ 'x-thing': textHeader('Another thing.', 'b') }));
    expect(() => distinctHeaders([thing, ...other])).toThrow('x-thing is defined twice');
  });
});
