import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Battlefield, prepareBattlefield } from './attacked-service.js';
import {
  act,
  drip,
  flood,
  halfClose,
  send,
  silence,
  type Step,
  stopReading,
  untilResponse,
} from './hostile-client.js';
import { bearer, chunkABytes, CHUNKED, head, JSON_TYPE } from './hostile-requests.js';

/** As long may a stop take, in milliseconds, whatever clients do (docs/operations.md). */
const STOPPED_WITHIN = 10_000;
/** As long does each client go on after the signal. */
const GOES_ON = 12_000;

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const unread = head('GET', '/docs/swagger-ui-bundle.js').repeat(16);
const slowly = 'a'.repeat(GOES_ON / 100);

/** What a client does before the signal, and what it goes on with afterwards. */
interface Client {
  readonly before: readonly Step[];
  readonly then?: readonly Step[];
}

/** Kinds of clients; those of one kind have a service of their own, which is told to stop under them. */
const KINDS: Readonly<Record<string, (key: string) => readonly Client[]>> = {
  'say nothing, or nothing more': () => [
    { before: [] },
    { before: [send(head('GET', '/livez')), untilResponse(1_000)] },
    { before: [send('GET /livez HTTP/1.1\r\nHos')] },
  ],
  'send a byte now and then': (key) => [
    { before: [send('GET /livez HTTP/1.1\r\nHost: a\r\nX: ')], then: [drip(slowly, 100)] },
    {
      before: [send(head('POST', '/v1/pets', bearer(key), JSON_TYPE, 'Content-Length: 1000'))],
      then: [drip(slowly, 100)],
    },
    {
      before: [send(head('POST', '/v1/pets', bearer(key), JSON_TYPE, CHUNKED))],
      then: [drip(chunkABytes(Buffer.from(slowly)), 100)],
    },
  ],
  'send without end, or more than is served': (key) => [
    {
      before: [send(head('GET', '/livez', CHUNKED)), untilResponse(1_000)],
      then: [flood(chunkABytes(Buffer.alloc(100)), 2_000)],
    },
    { before: [send(head('GET', '/v1/pets', bearer(key)).repeat(200))], then: [halfClose] },
  ],
  'read nothing, or ask for a tunnel': (key) => [
    { before: [stopReading, send(unread), silence(200)] },
    { before: [stopReading, send(unread + CONNECT), silence(200)], then: [halfClose] },
    { before: [send(CONNECT)], then: [send('more')] },
    {
      before: [send(head('GET', '/v1/pets', bearer(key), 'Connection: Upgrade', 'Upgrade: websocket'))],
      then: [send('\x81\x00')],
    },
  ],
};

/** Clients of each sort. */
const EACH = 3;

let field: Battlefield;
/** How each service ended: its exit code, and whether in time. */
const ends = new Map<string, { readonly code: number | null; readonly isInTime: boolean }>();

// Side by side, since each of them mostly waits.
beforeAll(async () => {
  field = await prepareBattlefield();
  await Promise.all(Object.keys(KINDS).map(stopUnder));
}, 90_000);
afterAll(() => field.close());

async function stopUnder(kind: string): Promise<void> {
  const service = await field.start();
  const sorts = KINDS[kind]?.(field.hostileKey) ?? [];
  const clients = await Promise.all(
    sorts.flatMap(({ before, then = [] }) =>
      Array.from({ length: EACH }, async () => ({ connection: await act(service.port, before), then })),
    ),
  );
  const since = performance.now();
  const late = setTimeout(() => void service.end('SIGKILL'), GOES_ON);
  for (const { connection, then } of clients) {
    void (async () => {
      for (const step of then) await step(connection);
    })();
  }
  const code = await service.end('SIGTERM');
  clearTimeout(late);
  ends.set(kind, { code, isInTime: performance.now() - since < STOPPED_WITHIN });
  for (const { connection } of clients) connection.socket.resetAndDestroy();
}

describe('a service that is told to stop is gone within ten seconds, in order, though its clients', () => {
  it.each(Object.keys(KINDS))('%s', (kind) => {
    expect(ends.get(kind)).toEqual({ code: 0, isInTime: true });
  });
});
