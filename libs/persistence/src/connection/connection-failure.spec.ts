import { describe, expect, it } from '@jest/globals';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isConnectionFailure } from './connection-failure.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('isConnectionFailure', () => {
  it.each([
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
  ])('holds for %s', (_what, error) => {
    expect(isConnectionFailure(error)).toBe(true);
  });

  it.each([
    ['a unique violation', new QueryFailedError('insert', [], coded('23505'))],
    ['a missing table', coded('42P01')],
    ['a wrong password', coded('28P01')],
    ['a deadlock', coded('40P01')],
    ['a mistake of the program', new TypeError('x is undefined')],
    ['something that is no error', 'ECONNREFUSED'],
  ])('does not hold for %s', (_what, error) => {
    expect(isConnectionFailure(error)).toBe(false);
  });
});
