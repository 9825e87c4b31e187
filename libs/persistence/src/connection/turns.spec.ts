import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { Turns } from './turns.js';

describe('turns of a name', () => {
  it('come one after the other, in the order of asking, whatever the one before has done', async () => {
    const turns = new Turns(10_000);
    const events: string[] = [];
    const results = await Promise.allSettled(
      [0, 1, 2, 3].map((n) =>
        turns.run('a_1', async () => {
          events.push(`begin ${n}`);
          await turn();
          events.push(`end ${n}`);
          if (n === 1) throw new RangeError('no');
          return n;
        }),
      ),
    );
    expect(events).toEqual([0, 1, 2, 3].flatMap((n) => [`begin ${n}`, `end ${n}`]));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('of different names do not wait for each other, and nobody waits for ever', async () => {
    const turns = new Turns(50);
    const end = new AbortController();
    const held = turns.run('a_1', () => sleep(60_000, 'held', { signal: end.signal }));
    expect(await turns.run('a_2', () => Promise.resolve('free'))).toBe('free');
    await expect(turns.run('a_1', () => Promise.resolve('late'))).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
    end.abort();
    await expect(held).rejects.toThrow();
    expect(await turns.run('a_1', () => Promise.resolve('next'))).toBe('next');
  });
});
