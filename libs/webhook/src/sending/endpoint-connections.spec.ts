import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { WebhookTargets } from '../address/webhook-targets.js';
import { closeOpened, openReceiver, openSender, send } from '../testing/test-sender.js';
import type { WebhookSender } from './webhook-sender.js';

const TAKEN = { isDelivered: true, responseStatus: 204 };

let receiver: Receiver;
let by: WebhookSender;

beforeEach(async () => {
  receiver = await openReceiver(Receiver.http());
  by = openSender();
});
afterEach(closeOpened);

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until so many connections are open, for two seconds. */
async function untilOpen(count: number): Promise<void> {
  for (let n = 0; n < 200 && receiver.open !== count; n++) await pass(10);
  expect(receiver.open).toBe(count);
}

describe('an idle connection', () => {
  it('is kept, but no more than four of an endpoint are', async () => {
    const sendMany = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 6 }, () => send(receiver.url(), by)));
    await sendMany();
    expect(receiver.connections).toBe(6);
    await untilOpen(4);
    await sendMany();
    expect(receiver.connections).toBe(8);
  });

  it('is used for its own endpoint only', async () => {
    const other = await openReceiver(Receiver.http());
    await send(receiver.url('one.example'), by);
    await send(receiver.url('two.example'), by);
    await send(other.url('one.example'), by);
    expect([receiver.connections, other.connections]).toEqual([2, 1]);
    await send(receiver.url('one.example', '/other'), by);
    expect(receiver.connections).toBe(2);
  });

  it.each([
    ['timeout=1', 0],
    ['timeout=2, max=5', 1_000],
  ])('is closed before the server closes it, which says %s', async (hint, afterMs) => {
    receiver.respond = (response) => response.writeHead(204, { 'keep-alive': hint }).end();
    const since = performance.now();
    expect(await send(receiver.url(), by)).toEqual(TAKEN);
    await untilOpen(0);
    expect(performance.now() - since).toBeGreaterThanOrEqual(afterMs);
  });

  it('that is sent something is closed: it is not the response of the next request', async () => {
    receiver.respond = (response, _received, socket) => {
      response.writeHead(204).end();
      setTimeout(() => socket.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'), 20);
    };
    await send(receiver.url(), by);
    await untilOpen(0);
    expect(await send(receiver.url(), by)).toEqual(TAKEN);
    expect(receiver.connections).toBe(2);
  });

  it('is closed with the sender, also one that becomes idle later', async () => {
    await send(receiver.url(), by);
    receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 50);
    const sending = Promise.all([send(receiver.url(), by), send(receiver.url(), by)]);
    await untilOpen(2);
    by.close();
    expect(await sending).toEqual([TAKEN, TAKEN]);
    await untilOpen(0);
  });
});

it('a connection is closed that its request cannot use', async () => {
  await send(receiver.url(), by);
  const message = { url: receiver.url(), headers: { 'webhook-id': 'two\nlines' }, body: '{}' };
  expect(await by.send(message, new AbortController().signal)).toEqual({
    isDelivered: false,
    error: 'connection',
  });
  await untilOpen(0);
  expect(receiver.received).toHaveLength(1);
});

it('a connection that the system refuses to open has failed at once', async () => {
  const targets = new WebhookTargets({ allowedNetworks: ['255.255.255.255/32'], http: true });
  const since = performance.now();
  expect(await send('http://255.255.255.255/', openSender({ targets }))).toEqual({
    isDelivered: false,
    error: 'connection',
  });
  expect(performance.now() - since).toBeLessThan(900);
});
