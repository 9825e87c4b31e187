import { describe, expect, it } from '@jest/globals';
import { allows, flawOf } from './manifest.js';

describe('allows', () => {
  it.each([
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '1.2.4', false],
    ['^1.2.3', '1.2.3', true],
    ['^1.2.3', '1.3.0', true],
    ['^1.2.3', '1.2.2', false],
    ['^1.2.3', '1.1.9', false],
    ['^1.2.3', '2.2.3', false],
  ])('says of %s and %s: %p', (range, version, allowed) => {
    expect(allows(range, version)).toBe(allowed);
  });
});

describe('flawOf', () => {
  const lib = { name: 'lib', version: '1.0.0' };

  it.each([
    [{ dependencies: { a: 'workspace:*' } }, 'lib asks for a as workspace:*, which nobody else has.'],
    [{ peerDependencies: { a: 'catalog:' } }, 'lib asks for a as catalog:, which nobody else has.'],
    [{ scripts: { postinstall: 'x' } }, "lib would run postinstall on its user's machine."],
    [{ dependencies: { a: '^1.0.0' }, scripts: { build: 'x' } }, undefined],
  ])('finds what is wrong with %j', (parts, flaw) => {
    expect(flawOf({ ...lib, ...parts })).toBe(flaw);
  });
});
