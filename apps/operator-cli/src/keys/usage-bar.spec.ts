import { describe, expect, it } from '@jest/globals';
import { palette } from '../view/palette.js';
import { usageBar } from './usage-bar.js';

const plain = palette({ colour: false });

describe('usageBar', () => {
  it.each([
    [0, 1_000, '░░░░░░░░░░ 0 / 1,000'],
    [1, 100_000, '█░░░░░░░░░ 1 / 100,000'],
    [500, 1_000, '█████░░░░░ 500 / 1,000'],
    [999, 1_000, '█████████░ 999 / 1,000'],
    [1_000, 1_000, '██████████ 1,000 / 1,000'],
    [2_500, 1_000, '██████████ 2,500 / 1,000'],
  ])('shows %s of %s as %s', (used, limit, text) => {
    expect(usageBar(used, limit, plain)).toBe(text);
  });

  it.each([
    [799, '\u001b[32m'],
    [800, '\u001b[33m'],
    [1_000, '\u001b[31m'],
  ])('paints %s of 1,000 so that a person sees how near it is', (used, colour) => {
    expect(usageBar(used, 1_000, palette({ colour: true }))).toContain(`${colour}█`);
  });
});
