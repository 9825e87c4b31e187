import { expect, it } from '@jest/globals';
import { ApiKeyFormat } from './api-key-format.js';

it('never generates the same twice, and uses every digit equally', () => {
  const many = Array.from({ length: 2_000 }, () => ApiKeyFormat.generateBody('test'));
  expect(new Set(many).size).toBe(many.length);
  const counts = new Map<string, number>();
  for (const body of many) for (const c of body.slice(9)) counts.set(c, (counts.get(c) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 64,000 characters: 1,032 of each expected, with a standard deviation of 32.
  const mean = (many.length * 32) / 62;
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
});

it.each([
  ['', false],
  ['=', false],
  ['pet_live_', false],
  ['x'.repeat(ApiKeyFormat.LENGTH), false],
  [`pet_live_${'a'.repeat(38)}`, false],
  [`pet_live_${'a'.repeat(44)}`, true],
  [`pet_test_${'Z0'.repeat(22)}`, true],
  [`pet_test_${'a'.repeat(45)}`, false],
  [`PET_TEST_${'a'.repeat(44)}`, false],
  [`pet_test_${'a'.repeat(43)}~`, false],
  [`pet_test_${'a'.repeat(43)}\n`, false],
  [`pet_test_${'a'.repeat(43)}é`, false],
])('%j is well-formed: %s', (text, expected) => {
  expect(ApiKeyFormat.isWellFormed(text)).toBe(expected);
});
