import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { Pipeline } from '../src/pipeline/pipeline.js';
import { firstColumn, handOutRawRows, type RawRow, type RowReader } from '../src/pipeline/raw-rows.js';
import type { Statement } from '../src/pipeline/statement.js';
import { CircuitBreaker } from '../src/connection/circuit-breaker.js';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { type CuttableWire, cuttableWire } from './cuttable-wire.js';

/** Fails for 0. */
const DIVIDE: Statement = { name: 'divide', text: 'select 1000 / $1::int' };
const TRANSACTION: Statement = { name: 'transaction', text: 'select pg_current_xact_id()' };
const END_SESSION: Statement = { name: 'end_session', text: 'select pg_terminate_backend(pg_backend_pid())' };
const SLEEP: Statement = { name: 'sleep', text: 'select pg_sleep($1::float8)' };
const SESSION = prepareSession([DIVIDE, TRANSACTION, END_SESSION, SLEEP]);

/** Reads the only column of the only row. */
class TextReader implements RowReader<string> {
  private text = '';

  take(row: RawRow): void {
    this.text += firstColumn(row);
  }

  answer(): string {
    return this.text;
  }
}

let server: TestPostgres;
let line: CuttableWire;
let breaker: CircuitBreaker;
const open: Pipeline[] = [];

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  line = await cuttableWire(server.url);
  const config = { connectionString: line.url };
  breaker = new CircuitBreaker(async () => endClient(await openClient(config, 1_000)));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((pipeline) => pipeline.close()));
  await breaker.close();
  line.close();
});

function pipelineOf(connections: number, batchSize: number): Pipeline {
  const pipeline = new Pipeline({
    open: () => openClient({ connectionString: line.url, pipeline: true }, 1_000, SESSION, handOutRawRows),
    breaker,
    connections,
    batchSize,
    answerTimeoutMs: 2_000,
    failure: (error) => error,
  });
  open.push(pipeline);
  return pipeline;
}

const ask = (pipeline: Pipeline, statement: Statement, ...values: string[]): Promise<string> =>
  pipeline.ask(statement, values, new TextReader());

/** What became of queries: the results, and the codes of errors. */
async function outcomesOf(answers: readonly Promise<string>[]): Promise<string[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : String((one.reason as { code?: string }).code),
  );
}

describe('a query behind another one', () => {
  const behind = (pipeline: Pipeline, statement: Statement, ...values: string[]): Promise<string> =>
    pipeline.ask(TRANSACTION, [], new TextReader(), undefined, { statement, values });

  it('is one transaction with it, apart from others, and has its own result alone', async () => {
    const pipeline = pipelineOf(1, 1);
    const ids = await Promise.all(Array.from({ length: 4 }, () => behind(pipeline, TRANSACTION)));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^\d+$/);
  });

  it.each([1, 5])('fails with it, and none beside it does, %i at a time', async (batchSize) => {
    const pipeline = pipelineOf(1, batchSize);
    const answers = [0, 1, 0, 2].flatMap((divisor) => [
      behind(pipeline, DIVIDE, String(divisor)),
      ask(pipeline, DIVIDE, '4'),
    ]);
    const id = expect.stringMatching(/^\d{1,4}$/);
    expect(await outcomesOf(answers)).toEqual(['22012', '250', id, '250', '22012', '250', id, '250']);
  });
});

describe('queries of one turn', () => {
  it('are executed together, as many as may be', async () => {
    const pipeline = pipelineOf(1, 4);
    const ids = await Promise.all(Array.from({ length: 8 }, () => ask(pipeline, TRANSACTION)));
    const [first, , , , fifth] = ids;
    expect(fifth).not.toBe(first);
    expect(ids).toEqual([first, first, first, first, fifth, fifth, fifth, fifth]);
  });

  it('are executed apart where they must', async () => {
    const pipeline = pipelineOf(1, 1);
    const ids = await Promise.all(Array.from({ length: 8 }, () => ask(pipeline, TRANSACTION)));
    expect(new Set(ids).size).toBe(8);
  });

  it('get each its own result, and none fails because of another one', async () => {
    const pipeline = pipelineOf(2, 5);
    const divisors = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(divisors, async (wanted) => {
        const answers = wanted.map((divisor) => ask(pipeline, DIVIDE, String(divisor)));
        expect(await outcomesOf(answers)).toEqual(
          wanted.map((divisor) => (divisor === 0 ? '22012' : String(Math.trunc(1000 / divisor)))),
        );
      }),
      { numRuns: 60 },
    );
    const { total, idle, waiting } = pipeline.stats;
    expect({ busy: total - idle, waiting }).toEqual({ busy: 0, waiting: 0 });
  });

  it('are asked again elsewhere when the one before them has ended the session', async () => {
    const pipeline = pipelineOf(1, 5);
    const answers = [ask(pipeline, DIVIDE, '1'), ask(pipeline, END_SESSION), ask(pipeline, DIVIDE, '2')];
    expect(await outcomesOf(answers)).toEqual(['1000', '57P01', '500']);
  });

  it('all fail when the connection is lost: what became of them is not known', async () => {
    const pipeline = pipelineOf(1, 5);
    await ask(pipeline, DIVIDE, '1');
    const outcomes = outcomesOf([ask(pipeline, SLEEP, '1'), ask(pipeline, DIVIDE, '2')]);
    await sleep(100);
    line.cut();
    expect(await outcomes).toEqual(['undefined', 'undefined']);
    await line.restore();
    expect(await ask(pipeline, DIVIDE, '4')).toBe('250');
  });

  it('are all settled when the pipeline is closed', async () => {
    const pipeline = pipelineOf(1, 5);
    await ask(pipeline, DIVIDE, '1');
    const outcomes = outcomesOf([
      ...[ask(pipeline, DIVIDE, '2'), ask(pipeline, SLEEP, '0.2')],
      ...[ask(pipeline, DIVIDE, '0'), ask(pipeline, DIVIDE, '4')],
    ]);
    await sleep(50);
    await pipeline.close();
    // The last was passed over, and is not asked again.
    expect(await outcomes).toEqual(['500', '', '22012', 'undefined']);
  });
});
