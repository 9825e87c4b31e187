import { describe, expect, it } from '@jest/globals';
import { table, widthOf } from './table.js';

describe('table', () => {
  it('puts cells under each other, with nothing behind the last one', () => {
    expect(
      table([
        ['ID', 'NAME', 'PLAN'],
        ['1', 'a longer name', ''],
      ]),
    ).toBe('ID  NAME           PLAN\n1   a longer name\n');
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
    expect(widthOf(text)).toBe(width);
  });
});
