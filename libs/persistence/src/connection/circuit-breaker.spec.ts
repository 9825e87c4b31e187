import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { CircuitBreaker } from './circuit-breaker.js';
import { isConnectionFailure } from './connection-failure.js';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });

describe('a connection failure', () => {
  it.each<[string, unknown]>([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a reset connection', coded('ECONNRESET')],
    ['an unknown host', coded('ENOTFOUND')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a full pool', new Error('timeout exceeded when trying to connect')],
    ['a server that fell silent', new Error('Query read timeout')],
    ['a server that shuts down', coded('57P01')],
    ['a server that starts', coded('57P03')],
    ['a protocol failure', coded('08P01')],
    ['too many connections', coded('53300')],
    ['a full disk', coded('53100')],
    ['no memory left', coded('53200')],
    ['a statement that took too long', coded('57014')],
    ['a row that stayed locked', coded('55P03')],
    ['an error that TypeORM has wrapped', new QueryFailedError('select 1', [], coded('57P01'))],
    ['a connection that broke within a transaction', new QueryRunnerAlreadyReleasedError()],
    ['one that broke before its first statement', new QueryRunnerProviderAlreadyReleasedError()],
    ['several addresses that all refused', new AggregateError([coded('ECONNREFUSED')])],
  ])('is %s', (_what, error) => {
    expect(isConnectionFailure(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a unique violation', new QueryFailedError('insert', [], coded('23505'))],
    ['a missing table', coded('42P01')],
    ['a wrong password', coded('28P01')],
    ['a deadlock', coded('40P01')],
    ['a mistake of the program', new TypeError('x is undefined')],
    ['a value that is no error', 'ECONNREFUSED'],
  ])('is not %s', (_what, error) => {
    expect(isConnectionFailure(error)).toBe(false);
  });
});

describe('CircuitBreaker', () => {
  const refused = coded('ECONNREFUSED');
  const full = coded('53300');

  /** A server whose replies to probes are given by hand. */
  class Probes {
    count = 0;
    private readonly waiting: ((error?: Error) => void)[] = [];

    readonly probe = (): Promise<void> =>
      new Promise((resolve, reject) => {
        this.count++;
        this.waiting.push((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });

    async reply(error?: Error): Promise<void> {
      while (this.waiting.length === 0) await nextTick();
      this.waiting.shift()?.(error);
      await nextTick();
    }
  }

  it('refuses from the first failure until a probe succeeds', async () => {
    const probes = new Probes();
    const breaker = new CircuitBreaker(probes.probe);
    expect(breaker.refusal).toBeUndefined();
    breaker.recordFailure(refused);
    expect(breaker.refusal).toMatchObject({ name: 'NoAnswerError', cause: refused });
    await probes.reply(refused);
    expect(breaker.refusal).toBeDefined();
    await probes.reply();
    expect(breaker.refusal).toBeUndefined();
    await breaker.close();
  });

  it('takes a server that refuses with reasons for one that is there', async () => {
    const probes = new Probes();
    const breaker = new CircuitBreaker(probes.probe);
    breaker.recordFailure(full);
    expect(breaker.refusal).toBeUndefined();
    breaker.recordFailure(refused);
    await probes.reply(full);
    expect(breaker.refusal).toBeUndefined();
    await breaker.close();
  });

  it('probes with one connection at a time, however many failures are recorded', async () => {
    const probes = new Probes();
    const breaker = new CircuitBreaker(probes.probe);
    for (let n = 0; n < 10; n++) breaker.recordFailure(refused);
    await probes.reply();
    expect(probes.count).toBe(1);
    await breaker.close();
  });

  it('stops probing when it is closed', async () => {
    const probes = new Probes();
    const breaker = new CircuitBreaker(probes.probe);
    breaker.recordFailure(refused);
    const closed = breaker.close();
    await probes.reply(refused);
    await closed;
    breaker.recordFailure(refused);
    expect(breaker.refusal).toBeUndefined();
  });
});
