import { describe, expect, it } from '@jest/globals';
import { DatabaseHealth } from './database-health.js';

const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));
const never = (): Promise<never> => new Promise(() => undefined);
const fine = (): Promise<void> => Promise.resolve();

describe('DatabaseHealth', () => {
  it.each([
    ['ok', (): Promise<string[]> => Promise.resolve([]), unavailable],
    ['schema_outdated', (): Promise<string[]> => Promise.resolve(['Later']), fine],
    ['busy', unavailable, fine],
    ['unavailable', unavailable, unavailable],
    ['unavailable', never, fine],
    ['unavailable', unavailable, never],
  ])('is %s', async (status, missingMigrations, responds) => {
    expect(await new DatabaseHealth({ missingMigrations, responds }).check()).toBe(status);
  });

  it('queries once for all calls at the same time, and again later', async () => {
    let asked = 0;
    const missingMigrations = (): Promise<string[]> => {
      asked++;
      return Promise.resolve([]);
    };
    const health = new DatabaseHealth({ missingMigrations, responds: fine });
    await Promise.all([health.check(), health.check()]);
    expect(asked).toBe(1);
    await health.check();
    expect(asked).toBe(2);
  });
});
