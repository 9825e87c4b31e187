import { describe, expect, it } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { parseExpiry, parseOverlap } from './options.js';

describe('parseOverlap', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['0d', 0],
  ])('reads %s', (text, milliseconds) => {
    expect(parseOverlap(text)).toBe(milliseconds);
  });

  it.each(['', '7', 'd', '-1d', '1.5h', '1 d', '7D', '1w', '1e3s', '1h30m', '9999999d'])(
    'refuses %j',
    (text) => {
      expect(() => parseOverlap(text)).toThrow(InvalidArgumentError);
    },
  );
});

describe('parseExpiry', () => {
  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T18:00Z', '2027-01-31T18:00:00.000Z'],
    ['2027-01-31T18:00:00.5+05:30', '2027-01-31T12:30:00.500Z'],
    ['2027-01-01T00:30:00+01:00', '2026-12-31T23:30:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseExpiry(text)).toEqual(new Date(iso));
  });

  it.each([
    '',
    '2027',
    '2027-02-29',
    '2027-02-30T00:00:00Z',
    '2027-13-01',
    '2027-01-31T25:00:00Z',
    '2027-01-31T18:00:00',
    '31.01.2027',
    '1800000000',
    'tomorrow',
  ])('refuses %j', (text) => {
    expect(() => parseExpiry(text)).toThrow(InvalidArgumentError);
  });
});
