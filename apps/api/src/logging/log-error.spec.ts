import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client, type DatabaseError } from 'pg';
import { createLog, NestLog } from './log.js';
import { logError } from './log-error.js';

const SECRET = 'Hunter2-is-the-secret';

/** As TypeORM's: it takes over the driver's message and members, and keeps the statement and its values. */
class QueryFailedError extends Error {
  override readonly name = 'QueryFailedError';

  constructor(
    readonly query: string,
    readonly parameters: readonly unknown[],
    readonly driverError: Error,
  ) {
    super(driverError.message);
    const { code, detail, constraint } = driverError as Partial<DatabaseError>;
    Object.assign(this, { code, detail, constraint });
  }
}

/** The lines that a log writes of these errors. */
function linesOf(...errors: unknown[]): string {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  for (const error of errors) {
    log.error({ err: error }, 'request failed');
    if (error instanceof Error) log.error(error);
    log.error({ err: error });
  }
  return lines.join('');
}

describe('an error in the log', () => {
  it('has its type, message, code, place and cause, and nothing else', () => {
    const cause = Object.assign(new TypeError('no such host'), { code: 'ENOTFOUND', hostname: SECRET });
    const error = Object.assign(new Error('It failed.', { cause }), { request: SECRET, status: 7 });
    expect(logError(error)).toEqual({
      type: 'Error',
      message: 'It failed.',
      stack: expect.stringMatching(/^ {4}at .*log-error\.spec\.ts:\d+:\d+/),
      cause: {
        type: 'TypeError',
        message: 'no such host',
        code: 'ENOTFOUND',
        stack: expect.stringMatching(/^ {4}at /),
      },
    });
    expect(linesOf(error)).not.toContain(SECRET);
  });

  it('has no message in its stack, be it of several lines that look like places', () => {
    const error = new Error(`first\n    at ${SECRET} (file:///a.js:1:1)`);
    expect(logError(error).stack).not.toContain(SECRET);
    error.message = 'another one';
    error.stack = `Error: ${SECRET}\n${SECRET}\n    at ${SECRET}\n    at f (file:///a.js:1:2)`;
    expect(logError(error).stack).toBe('    at f (file:///a.js:1:2)');
  });

  it('is bounded in depth and length', () => {
    let error = new Error('x'.repeat(100_000));
    error.stack = 'Error\n' + '    at f (file:///a.js:1:2)\n'.repeat(10_000);
    for (let n = 0; n < 100; n++) error = new Error('x'.repeat(100_000), { cause: error });
    (error as { cause?: unknown }).cause = error.cause;
    expect(linesOf(error).length).toBeLessThan(100_000);
    const ring = new Error('ring');
    ring.cause = new Error('ring', { cause: ring });
    expect(linesOf(ring).length).toBeLessThan(100_000);
  });

  it('is nothing that was thrown and is no error', () => {
    expect(logError(SECRET)).toEqual({ type: 'string', message: 'a value that is not an error was thrown' });
    expect(linesOf({ password: SECRET }, [SECRET], undefined, null)).not.toContain(SECRET);
  });

  it('does not repeat the arguments of a command of Redis', () => {
    const error = new Error(`ERR unknown command 'EVALSHA', with args beginning with: '${SECRET}'`);
    expect(logError(error).message).toBe(`ERR unknown command 'EVALSHA'`);
  });

  it('has no place of its own in what Nest says', () => {
    const lines: string[] = [];
    const nest = new NestLog(createLog('trace', { write: (line) => void lines.push(line) }));
    const error = new QueryFailedError(SECRET, [SECRET], Object.assign(new Error(SECRET), { code: '22P02' }));
    nest.error(error);
    nest.warn(error);
    nest.error('It failed.', error.stack, 'Context');
    expect(lines.join('')).not.toContain(SECRET);
    expect(lines).toHaveLength(3);
  });
});

describe('an error of PostgreSQL in the log', () => {
  let server: TestPostgres;
  let session: Client;

  beforeAll(async () => {
    server = await startTestPostgres();
    session = new Client(server.url);
    await session.connect();
    await session.query(`
      create table rows (id bigint primary key, name text not null unique, status varchar(5) check (status <> 'x'));
      insert into rows values (1, '${SECRET}', 'a');
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no %', new.name; end $$;
      create table refused (name text);
      create trigger refuse before insert on refused for each row execute function refuse();`);
  });
  afterAll(async () => {
    await session.end();
    await server.stop();
  });

  async function failureOf(sql: string, values: unknown[] = []): Promise<Error> {
    return session.query(sql, values).then(
      () => {
        throw new Error('It did not fail.');
      },
      (error: unknown) => error as Error,
    );
  }

  it.each<[string, string, unknown[], string]>([
    ['a text that is no number', 'select $1::bigint', [SECRET], '22P02'],
    ['a name that is taken', `insert into rows values (3, $1, 'a')`, [SECRET], '23505'],
    ['a row that is not allowed', `insert into rows values (4, $1, 'x')`, [SECRET + 'x'], '23514'],
    ['SQL with a value in it', `select '${SECRET}' '' ${SECRET}`, [], '42601'],
    ['a trigger that says what it refuses', 'insert into refused values ($1)', [SECRET], 'P0001'],
    ['JSON that is none', 'select $1::json', [`{${SECRET}}`], '22P02'],
  ])('holds nothing of %s', async (_what, sql, values, code) => {
    const error = await failureOf(sql, values);
    expect(error).toMatchObject({ code });
    const wrapped = new QueryFailedError(sql, values, error);
    const lines = linesOf(error, wrapped, new Error('It failed.', { cause: wrapped }));
    expect(lines).not.toContain(SECRET);
    expect(lines).toContain(code);
    expect(lines).not.toContain('insert into');
  });

  it('names the constraint, and what is no value', async () => {
    const taken = await failureOf(`insert into rows values (3, $1, 'a')`, [SECRET]);
    expect(logError(taken)).toMatchObject({
      code: '23505',
      constraint: 'rows_name_key',
      message: 'duplicate key value violates unique constraint "rows_name_key"',
    });
    const missing = new QueryFailedError('select', [], await failureOf('select * from nowhere'));
    expect(logError(missing)).toMatchObject({
      type: 'QueryFailedError',
      code: '42P01',
      message: 'relation "nowhere" does not exist',
    });
  });

  it('names the reason when the connection was lost', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(logError(new QueryFailedError('select', [SECRET], refused))).toMatchObject({
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
