import { describe, expect, it } from '@jest/globals';
import { defineHeaders, distinctHeaders, textHeader } from './define-headers.js';

const { 'X-Thing': thing } = defineHeaders({ 'X-Thing': textHeader('A thing.', 'a') });

describe('header fields of a feature', () => {
  it('are refused with a name that no field has', () => {
    expect(() => defineHeaders({ 'X Thing': textHeader('A thing.', 'a') })).toThrow('"X Thing"');
  });

  it('are counted once, however many operations name them', () => {
    expect(distinctHeaders([thing, thing])).toEqual([thing]);
  });

  it('are refused when two features define one, in whatever case', () => {
    const other = Object.values(defineHeaders({ 'x-thing': textHeader('Another thing.', 'b') }));
    expect(() => distinctHeaders([thing, ...other])).toThrow('x-thing is defined twice');
  });
});
