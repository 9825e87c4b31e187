import { expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

it('returns the first value of the condition that is neither false nor undefined', async () => {
  const values = [false, undefined, 0, 1];
  expect(await waitFor(() => values.shift())).toBe(0);
  expect(await waitFor(() => Promise.resolve('now'))).toBe('now');
});

it('fails with the condition when it does not hold in time', async () => {
  const isThere = (): boolean => false;
  await expect(waitFor(isThere, 20)).rejects.toThrow('Not within 20 ms: ()=>false');
});

it('fails with the error of the condition', async () => {
  await expect(waitFor(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
