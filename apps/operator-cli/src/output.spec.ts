import { describe, expect, it } from '@jest/globals';
import { usageBar } from './keys/key.view.js';
import { palette } from './output.js';
import { table } from './tables.js';

describe('a table', () => {
  it('has cells under each other, with nothing behind the last one', () => {
    const rows = [
      ['ID', 'NAME', 'PLAN'],
      ['1', 'a longer name', ''],
    ];
    expect(table(rows)).toBe('ID  NAME           PLAN\n1   a longer name\n');
  });

  it.each([
    ['plain', 5],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['猫と犬', 6],
    ['🐈', 2],
    ['👩‍👧', 2],
    ['\u001b[31mred\u001b[39m', 3],
  ])('counts the columns of %j as %s', (text, width) => {
    const under = '-'.repeat(width);
    expect(
      table([
        [text, 'x'],
        [under, 'x'],
      ]),
    ).toBe(`${text}  x\n${under}  x\n`);
  });
});

describe('a usage bar', () => {
  it.each([
    [0, 1_000, '░░░░░░░░░░ 0 / 1,000'],
    [1, 100_000, '█░░░░░░░░░ 1 / 100,000'],
    [500, 1_000, '█████░░░░░ 500 / 1,000'],
    [999, 1_000, '█████████░ 999 / 1,000'],
    [1_000, 1_000, '██████████ 1,000 / 1,000'],
    [2_500, 1_000, '██████████ 2,500 / 1,000'],
  ])('shows %s of %s as %s', (used, limit, text) => {
    expect(usageBar(used, limit, palette(false))).toBe(text);
  });

  it.each([
    [799, '\u001b[32m'],
    [800, '\u001b[33m'],
    [1_000, '\u001b[31m'],
  ])('paints %s of 1,000 so that a person sees how near it is', (used, colour) => {
    expect(usageBar(used, 1_000, palette(true))).toContain(`${colour}█`);
  });
});
