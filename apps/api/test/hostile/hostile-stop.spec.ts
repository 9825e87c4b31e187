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
  untilAnswered,
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
const KINDS: Readonly<Record<string, (key: string) => { before: readonly Step[]; then: readonly Step[] }>> = {
  'says nothing': () => ({ before: [], then: [] }),
  'has been answered and stays': () => ({
    before: [send(head('GET', '/livez')), untilAnswered(1_000)],
    then: [],
  }),
  'sends a byte of a header field now and then': () => ({
    before: [send('GET /livez HTTP/1.1\r\nHost: a\r\nX: ')],
    then: [drip(slowly, 100)],
  }),
  'sends a byte of a body now and then': (key) => ({
    before: [send(head('POST', '/v1/pets', bearer(key), JSON_TYPE, 'Content-Length: 1000'))],
    then: [drip(slowly, 100)],
  }),
  'sends a body without end after its answer': () => ({
    before: [send(head('GET', '/livez', CHUNKED)), untilAnswered(1_000)],
    then: [flood(chunkABytes(Buffer.alloc(100)), 2_000)],
  }),
  'reads nothing': () => ({ before: [stopReading, send(unread), silence(200)], then: [] }),
  'reads nothing and asks for a tunnel': () => ({
    before: [stopReading, send(unread + CONNECT), silence(200)],
    then: [halfClose],
  }),
  'asks for a tunnel': () => ({ before: [send(CONNECT)], then: [send('more')] }),
  'asks for another protocol': (key) => ({
    before: [send(head('GET', '/v1/pets', bearer(key), 'Connection: Upgrade', 'Upgrade: websocket'))],
    then: [send('\x81\x00')],
  }),
  'pipelines and has said its last word': (key) => ({
    before: [send(head('GET', '/v1/pets', bearer(key)).repeat(200))],
    then: [halfClose],
  }),
};

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
  const { before, then } = KINDS[kind]?.(field.hostileKey) ?? { before: [], then: [] };
  const clients = await Promise.all(Array.from({ length: 4 }, () => act(service.port, before)));
  const since = performance.now();
  const late = setTimeout(() => void service.end('SIGKILL'), GOES_ON);
  for (const client of clients) {
    void (async () => {
      for (const step of [...then, silence(GOES_ON)]) await step(client);
    })();
  }
  const code = await service.end('SIGTERM');
  clearTimeout(late);
  ends.set(kind, { code, isInTime: performance.now() - since < STOPPED_WITHIN });
  for (const { socket } of clients) socket.resetAndDestroy();
}

describe('a service that is told to stop is gone within ten seconds, in order, though a client', () => {
  it.each(Object.keys(KINDS))('%s', (kind) => {
    expect(ends.get(kind)).toEqual({ code: 0, isInTime: true });
  });
});
