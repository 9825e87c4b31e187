import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { CircuitBreaker } from './circuit-breaker.js';

const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('x'), { code: '53300' });

/** A server whose replies to the probes are given by hand. */
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

describe('CircuitBreaker', () => {
  it('refuses from the first report until a probe gets through', async () => {
    const { probe, answer } = probes();
    const breaker = new CircuitBreaker(probe);
    expect(breaker.refusal).toBeUndefined();
    breaker.recordFailure(refused);
    expect(breaker.refusal).toMatchObject({ name: 'NoAnswerError', cause: refused });
    await answer(refused);
    expect(breaker.refusal).toBeDefined();
    await answer();
    expect(breaker.refusal).toBeUndefined();
    await breaker.close();
  });

  it('takes a server that refuses with reasons for one that is there', async () => {
    const { probe, answer } = probes();
    const breaker = new CircuitBreaker(probe);
    breaker.recordFailure(full);
    expect(breaker.refusal).toBeUndefined();
    breaker.recordFailure(refused);
    await answer(full);
    expect(breaker.refusal).toBeUndefined();
    await breaker.close();
  });

  it('looks with one connection at a time, however many tell', async () => {
    let looks = 0;
    const { probe, answer } = probes();
    const breaker = new CircuitBreaker(() => {
      looks++;
      return probe();
    });
    for (let n = 0; n < 10; n++) breaker.recordFailure(refused);
    await answer();
    expect(looks).toBe(1);
    await breaker.close();
  });

  it('stops looking when it is closed', async () => {
    const { probe, answer } = probes();
    const breaker = new CircuitBreaker(probe);
    breaker.recordFailure(refused);
    const closed = breaker.close();
    await answer(refused);
    await closed;
    breaker.recordFailure(refused);
    expect(breaker.refusal).toBeUndefined();
  });
});
