import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  ConfigurationError,
  defineSettings,
  mergeSettings,
  optionalSetting,
  readSettings,
} from './setting.js';

const TEXT = { meaning: 'A text.', allowed: 'a letter', schema: z.string().length(1) };
const FIRST = defineSettings({ first: optionalSetting({ ...TEXT, variable: 'FIRST' }) });
const SECOND = defineSettings({ second: optionalSetting({ ...TEXT, variable: 'SECOND' }) });

describe('mergeSettings', () => {
  it('reads the settings of all groups, typed', () => {
    const read = readSettings(mergeSettings(FIRST, SECOND), { FIRST: 'a' });
    const { first, second }: { first: string | undefined; second: string | undefined } = read;
    expect({ first, second }).toEqual({ first: 'a', second: undefined });
  });

  it('refuses two settings with one name or one variable', () => {
    expect(() => mergeSettings(FIRST, FIRST)).toThrow('The setting first (FIRST) is declared twice.');
    const other = defineSettings({ other: FIRST.first });
    expect(() => mergeSettings(FIRST, other)).toThrow('The setting other (FIRST) is declared twice.');
  });
});

describe('readSettings', () => {
  it('reports what a feature does not allow, as for every other setting', () => {
    expect(() => readSettings(SECOND, { SECOND: 'ab' })).toThrow(
      new ConfigurationError('SECOND is "ab"; allowed: a letter.'),
    );
  });
});
