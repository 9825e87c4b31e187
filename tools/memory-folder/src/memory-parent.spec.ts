import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { parentInMemory } from './memory-parent.js';

it('is the file system in memory where there is room', async () => {
  expect(await parentInMemory('/', 1)).toBe('/');
});

it.each([
  ['too small', '/', Infinity],
  ['missing', '/dev/no-memory', 1],
])('is the temporary folder of the system where that is %s', async (_why, memory, enoughBytes) => {
  expect(await parentInMemory(memory, enoughBytes)).toBe(tmpdir());
});
