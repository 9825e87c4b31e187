import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Availability } from './circuit-breaker.js';

const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('x'), { code: '53300' });

/** A server whose answers to the probes are given by hand. */
function probes(): {
  readonly probe: () => Promise<void>;
  readonly answer: (error?: Error) => Promise<void>;
} {
  const asked: ((error?: Error) => void)[] = [];
  return {
    probe: () =>
      new Promise((resolve, reject) => {
        asked.push((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      }),
    answer: async (error) => {
      while (asked.length === 0) await turn();
      asked.shift()?.(error);
      await turn();
    },
  };
}

describe('Availability', () => {
  it('refuses from the first report until a probe gets through', async () => {
    const { probe, answer } = probes();
    const availability = new Availability(probe);
    expect(availability.refusal).toBeUndefined();
    availability.report(refused);
    expect(availability.refusal).toMatchObject({ name: 'NoAnswer', cause: refused });
    await answer(refused);
    expect(availability.refusal).toBeDefined();
    await answer();
    expect(availability.refusal).toBeUndefined();
    await availability.close();
  });

  it('takes a server that refuses with reasons for one that is there', async () => {
    const { probe, answer } = probes();
    const availability = new Availability(probe);
    availability.report(full);
    expect(availability.refusal).toBeUndefined();
    availability.report(refused);
    await answer(full);
    expect(availability.refusal).toBeUndefined();
    await availability.close();
  });

  it('looks with one connection at a time, however many tell', async () => {
    let looks = 0;
    const { probe, answer } = probes();
    const availability = new Availability(() => {
      looks++;
      return probe();
    });
    for (let n = 0; n < 10; n++) availability.report(refused);
    await answer();
    expect(looks).toBe(1);
    await availability.close();
  });

  it('stops looking when it is closed', async () => {
    const { probe, answer } = probes();
    const availability = new Availability(probe);
    availability.report(refused);
    const closed = availability.close();
    await answer(refused);
    await closed;
    availability.report(refused);
    expect(availability.refusal).toBeUndefined();
  });
});
