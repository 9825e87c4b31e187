import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';
import { Client } from '../support/client.js';
import { Program } from '../support/program.js';
import { RequestSender } from './request-sender.js';
import { type RequestShape, requestShapes } from './request-shapes.js';
import { runService, type RunningService } from '../support/running-service.js';
import { madeUpKey } from '../support/made-up-key.js';

/** Connections that send at the same time. */
const CONNECTIONS = 4;
/** Requests of a shape in a round; of the list, which each shape is compared with, as many. */
const REQUESTS = 8;
/** Rounds after which code is compiled for good. */
const WARM_ROUNDS = 36;
/** So much above its bound a shape may be measured: on a shared machine two runs of one shape differ by a third. */
const NOISE = 1.5;

/** The share of its responses that may be 503: the database is not asked for a moment when the machine stood still. */
const RARE = 1 / 4;

/** How often at most a shape is measured: what is too costly is so each time. The first time also compiles its code. */
const ATTEMPTS = 12;

let running: RunningService;
let folder: TemporaryFolder;
let program: Program;
let senders: RequestSender[];

beforeAll(async () => {
  running = await runService();
  folder = await temporaryFolder('request-cost');
});
afterAll(async () => {
  for (const sender of senders) sender.close();
  await program.end();
  await folder.remove();
  await running.close();
});

/** Starts the service as a process of its own, with enough animals, and makes the shapes for it. */
async function prepare(): Promise<{ list: RequestShape; shapes: RequestShape[] }> {
  const { environment } = running;
  const key = await running.issueKey();
  program = new Program(
    folder.path,
    // Limits in the process, so that nothing is measured but the service.
    {
      ...environment,
      REDIS_URL: undefined,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'info',
      DOCS_PER_MINUTE: '1000000',
      DOCS_PER_DAY: '1000000',
    },
    { reportsCpu: true },
  );
  await program.started();
  const client = new Client(program.origin, key);
  for (let n = 0; n < 120; n++) await client.post('/v1/pets', { name: `pet ${n}`, categoryId: n + 1 });
  client.close();
  senders = Array.from({ length: CONNECTIONS }, () => new RequestSender(program.origin));
  const list: RequestShape = {
    name: 'list of 20',
    status: 200,
    most: 1,
    request: Buffer.from(
      `GET /v1/pets HTTP/1.1\r\nHost: petstore.example\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ),
  };
  const wrongKey = madeUpKey();
  return { list, shapes: requestShapes({ key, wrongKey }) };
}

/** Statuses of all responses so far, by the name of their shape. */
const responses = new Map<string, number[]>();

/** CPU time of the server for one request of a shape, in microseconds. */
async function costOf({ request, name }: RequestShape): Promise<number> {
  const statuses = responses.get(name) ?? [];
  responses.set(name, statuses);
  const before = await program.cpuMicros();
  let left = REQUESTS;
  await Promise.all(
    senders.map(async (sender) => {
      while (left-- > 0) statuses.push(await sender.send(request));
    }),
  );
  return ((await program.cpuMicros()) - before) / REQUESTS;
}

/** For each shape its cost, as a multiple of the lists before and after it. */
async function multiplesOf(shapes: readonly RequestShape[], list: RequestShape): Promise<number[]> {
  const multiples: number[] = [];
  let before = await costOf(list);
  for (const shape of shapes) {
    const cost = await costOf(shape);
    const after = await costOf(list);
    multiples.push((2 * cost) / (before + after));
    before = after;
  }
  return multiples;
}

describe('CPU time of the server', () => {
  it('is bounded for every request, as a multiple of what a list of 20 takes', async () => {
    const { list, shapes } = await prepare();
    for (let round = 0; round < WARM_ROUNDS; round++) await costOf(list);
    const multiples = new Map<RequestShape, number>();
    const isOver = (shape: RequestShape): boolean => (multiples.get(shape) ?? Infinity) > NOISE * shape.most;
    // What is over its bound is measured again: something else may have been at work.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const measured = shapes.filter(isOver);
      for (const [index, multiple] of (await multiplesOf(measured, list)).entries()) {
        const shape = measured[index];
        if (shape !== undefined) multiples.set(shape, Math.min(multiple, multiples.get(shape) ?? Infinity));
      }
    }
    const lists = await costOf(list);
    const table = shapes.toSorted((a, b) => (multiples.get(b) ?? 0) - (multiples.get(a) ?? 0));
    const lines = table.map(
      (shape) => `${multiples.get(shape)?.toFixed(1).padStart(6)} of ${shape.most}  ${shape.name}`,
    );
    process.stdout.write(
      `A list of 20 takes ${lists.toFixed()} µs of CPU time. Multiples of it:\n${lines.join('\n')}\n`,
    );
    const wrong = [list, ...shapes].flatMap(({ name, status }) => {
      const all = responses.get(name) ?? [];
      const others = all.filter((each) => ![status].flat().includes(each));
      return others.length > RARE * all.length
        ? [`${name}: ${[...new Set(others)].join(', ')} instead of ${String(status)}`]
        : [];
    });
    expect(wrong).toEqual([]);
    expect(table.filter(isOver).map(({ name, most }) => `${name}: more than ${NOISE} times ${most}`)).toEqual(
      [],
    );
    // Against hanging alone: on a machine that others use, too, the same work takes many times as long.
  }, 600_000);
});
