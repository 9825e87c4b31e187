import { describe, expect, it } from '@jest/globals';
import { DatabaseHealth } from './database-health.js';

const away = (): Promise<never> => Promise.reject(new Error('away'));
const never = (): Promise<never> => new Promise(() => undefined);
const fine = (): Promise<void> => Promise.resolve();

describe('DatabaseHealth', () => {
  it.each([
    ['ok', (): Promise<string[]> => Promise.resolve([]), away],
    ['schema_outdated', (): Promise<string[]> => Promise.resolve(['Later']), fine],
    ['busy', away, fine],
    ['unavailable', away, away],
    ['unavailable', never, fine],
    ['unavailable', away, never],
  ])('is %s', async (status, missingMigrations, answers) => {
    expect(
      await new DatabaseHealth({
        missingMigrations,
        answers,
      }).check(),
    ).toBe(status);
  });

  it('asks once for all who ask at the same time, and again later', async () => {
    let asked = 0;
    const missingMigrations = (): Promise<string[]> => {
      asked++;
      return Promise.resolve([]);
    };
    const health = new DatabaseHealth({ missingMigrations, answers: fine });
    await Promise.all([health.check(), health.check()]);
    expect(asked).toBe(1);
    await health.check();
    expect(asked).toBe(2);
  });
});
