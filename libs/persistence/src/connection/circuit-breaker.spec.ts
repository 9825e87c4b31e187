import { setImmediate as nextTick } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { CircuitBreaker, type ServerProbes } from './circuit-breaker.js';
import { isConnectionFailure } from './connection-failure.js';
import { NoSessionError, SilentServerError } from './no-answer.error.js';

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
    ['a session that is refused for any reason', new NoSessionError(coded('28P01'))],
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
  const silent = (): SilentServerError => new SilentServerError(performance.now());

  /** A server whose replies are given by hand. */
  class Server implements ServerProbes {
    connected = false;
    /** What the next ping on an open connection rejects with; none for a response. */
    silence: Error | undefined = refused;
    connects = 0;
    private readonly waiting: ((error?: Error) => void)[] = [];

    readonly isConnected = (): boolean => this.connected;
    readonly ping = (): Promise<void> =>
      this.silence === undefined ? Promise.resolve() : Promise.reject(this.silence);
    readonly connect = (): Promise<void> =>
      new Promise((resolve, reject) => {
        this.connects++;
        this.waiting.push((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });

    /** Replies to the attempt to connect, which there is or will be. */
    async reply(error?: Error): Promise<void> {
      while (this.waiting.length === 0) await nextTick();
      this.waiting.shift()?.(error);
      await nextTick();
    }
  }

  let server: Server;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    server = new Server();
    breaker = new CircuitBreaker(server);
  });

  /** When the breaker has asked the open connections. */
  const untilConnecting = (): Promise<true> => waitFor(() => server.connects > 0);

  it('refuses from the first failure until a further connection can be made, when none is open', async () => {
    expect(breaker.refusal).toBeUndefined();
    breaker.recordFailure(refused);
    expect(breaker.refusal).toMatchObject({ name: 'NoAnswerError', cause: refused });
    await server.reply(refused);
    expect(breaker.refusal).toBeDefined();
    await server.reply();
    expect(breaker.refusal).toBeUndefined();
    await breaker.close();
  });

  it('is limited, and refuses nothing, when a further connection fails and the open ones respond', async () => {
    server.connected = true;
    server.silence = undefined;
    breaker.recordFailure(refused);
    await untilConnecting();
    expect([breaker.refusal, breaker.isLimited]).toEqual([undefined, true]);
    await server.reply(refused);
    expect([breaker.refusal, breaker.isLimited]).toEqual([undefined, true]);
    await server.reply();
    await breaker.closed;
    expect(breaker.isLimited).toBe(false);
    await breaker.close();
  });

  it('refuses when a further connection fails and the open ones do not respond', async () => {
    server.connected = true;
    breaker.recordFailure(refused);
    await untilConnecting();
    expect([breaker.refusal, breaker.isLimited]).toEqual([expect.any(Error), false]);
    await server.reply();
    await breaker.close();
  });

  it('refuses when an open connection is silent, until another one responds', async () => {
    server.connected = true;
    server.silence = undefined;
    breaker.recordFailure(silent());
    expect(breaker.refusal).toBeDefined();
    await untilConnecting();
    expect(breaker.refusal).toBeUndefined();
    await server.reply();
    await breaker.close();
  });

  it('takes no silent connection for a silent server when others have had responses meanwhile', () => {
    server.connected = true;
    const error = silent();
    breaker.recordResponse();
    breaker.recordFailure(error);
    expect([breaker.refusal, breaker.isLimited]).toEqual([undefined, false]);
  });

  it('makes one connection at a time, however many failures are recorded', async () => {
    for (let n = 0; n < 10; n++) breaker.recordFailure(refused);
    await server.reply();
    expect(server.connects).toBe(1);
    await breaker.close();
  });

  it('stops probing when it is closed', async () => {
    breaker.recordFailure(refused);
    await untilConnecting();
    const closed = breaker.close();
    await server.reply(refused);
    await closed;
    breaker.recordFailure(refused);
    expect(breaker.refusal).toBeUndefined();
  });
});
