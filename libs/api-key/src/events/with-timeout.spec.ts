import { describe, expect, it } from '@jest/globals';
import { withTimeout } from './with-timeout.js';

describe('withTimeout', () => {
  it('gives what is there in time', async () => {
    await expect(withTimeout(1_000, Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(1_000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('rejects what takes too long, and ignores a rejection that comes later', async () => {
    const work = new Promise((_, reject) => setTimeout(reject, 30, new Error('late')));
    await expect(withTimeout(5, work)).rejects.toThrow('Redis did not respond within 5 ms.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
