import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Receiver } from '@petstore/test-servers';
import { Deliverers } from './deliverers.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let shop: Deliverers;
let other: Stores;
beforeAll(async () => {
  shop = await Deliverers.open();
  other = await Stores.open({ url: shop.shop.feed.postgres.url });
});
afterAll(async () => {
  await other.close();
  await shop.close();
});
beforeEach(() => shop.reset());
afterEach(() => shop.end());

const within = (attempt: () => void | Promise<void>): Promise<void> => soon(async () => attempt(), 20_000);

/** Far more than a sender holds at a time, for all endpoints together. */
const MANY = 1_000;

describe('1,000 events for a dead endpoint', () => {
  it.each([
    ['hangs', (receiver: Receiver) => void (receiver.respond = () => undefined)],
    [
      'resets',
      (receiver: Receiver) =>
        void (receiver.respond = (_response, _received, socket) => socket.resetAndDestroy()),
    ],
    ['refuses', (receiver: Receiver) => void receiver.close()],
    [
      'takes a byte a time',
      (receiver: Receiver) =>
        void (receiver.respond = (_response, _received, socket) => {
          const timer = setInterval(() => {
            if (!socket.write('H')) clearInterval(timer);
          }, 100);
          socket.on('close', () => {
            clearInterval(timer);
          });
        }),
    ],
  ])('that %s delay a healthy one by a moment', async (_what, die) => {
    const [dead, healthy] = [await shop.receiver(), await shop.receiver()];
    await shop.endpointAt(dead);
    await shop.endpointAt(healthy);
    die(dead);
    shop.start({ sender: { totalTimeoutMs: 5_000 } });
    await shop.happenAtOnce(MANY);
    await within(() => {
      expect(healthy.received).toHaveLength(MANY);
    });
    // And while the dead one is called again and again, what happens next arrives at once.
    await shop.happen(1);
    const happened = performance.now();
    await within(() => {
      expect(healthy.received).toHaveLength(MANY + 1);
    });
    expect(performance.now() - happened).toBeLessThan(4_500);
    expect(new Set(shop.verified(healthy)).size).toBe(MANY + 1);
  });
});

describe('many endpoints that', () => {
  const hang = (receiver: Receiver): void => void (receiver.respond = () => undefined);

  /** How long one event takes to a healthy endpoint, in milliseconds. */
  async function timeOfOne(healthy: Receiver): Promise<number> {
    const [since, before] = [performance.now(), healthy.received.length];
    await shop.happen(1);
    await within(() => {
      expect(healthy.received.length).toBeGreaterThan(before);
    });
    return performance.now() - since;
  }

  it('have never responded hold up nobody who has', async () => {
    const [dead, healthy] = [await shop.receiver(), await shop.receiver()];
    await shop.endpointAt(healthy);
    shop.start({ sender: { totalTimeoutMs: 15_000 } });
    await timeOfOne(healthy);
    hang(dead);
    for (let n = 0; n < 100; n++) await shop.endpoint(dead.url('127.0.0.1', `/${n}`));
    await timeOfOne(healthy);
    expect(await timeOfOne(healthy)).toBeLessThan(5_000);
  });

  it('have never responded do not keep a new one from being called', async () => {
    const [dead, added] = [await shop.receiver(), await shop.receiver()];
    hang(dead);
    for (let n = 0; n < 200; n++) await shop.endpoint(dead.url('127.0.0.1', `/${n}`));
    shop.start({ sender: { totalTimeoutMs: 15_000 } });
    await shop.happenAtOnce(3);
    await within(() => {
      expect(dead.connections).toBeGreaterThan(0);
    });
    await shop.endpointAt(added);
    expect(await timeOfOne(added)).toBeLessThan(5_000);
  });

  it('have all responded, and then hang at the same time, hold others up for a moment', async () => {
    const [turning, healthy] = [await shop.receiver(), await shop.receiver()];
    await shop.endpointAt(healthy);
    for (let n = 0; n < 20; n++) await shop.endpoint(turning.url('127.0.0.1', `/${n}`));
    shop.start({ sender: { totalTimeoutMs: 15_000 } });
    await shop.happen(1);
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 21 });
    });
    hang(turning);
    await shop.happenAtOnce(5);
    await within(() => {
      expect(turning.connections).toBeGreaterThanOrEqual(60);
    });
    expect(await timeOfOne(healthy)).toBeLessThan(5_000);
  });

  it('take a while each, with long queues, do not starve one with a short queue', async () => {
    const [slow, healthy] = [await shop.receiver(), await shop.receiver()];
    slow.respond = (response) => setTimeout(() => response.writeHead(204).end(), 700);
    for (let n = 0; n < 10; n++) await shop.endpoint(slow.url('127.0.0.1', `/${n}`));
    shop.start({ sender: { totalTimeoutMs: 15_000 } });
    await shop.happenAtOnce(100);
    await within(() => {
      expect(slow.received.length).toBeGreaterThan(40);
    });
    await shop.endpointAt(healthy);
    await timeOfOne(healthy);
    expect(await timeOfOne(healthy)).toBeLessThan(5_000);
  });
});

describe('two senders', () => {
  it('share what is due, and nothing is sent twice', async () => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => shop.receiver()));
    for (const receiver of receivers) await shop.endpointAt(receiver);
    shop.start();
    shop.start({ stores: other });
    await shop.happenAtOnce(100);
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 500 });
    });
    for (const receiver of receivers) {
      expect(receiver.received).toHaveLength(100);
      expect(new Set(shop.verified(receiver)).size).toBe(100);
    }
  });

  it('replace each other: what one had claimed when it was cut off is repeated after its lease', async () => {
    const receiver = await shop.receiver();
    await shop.endpointAt(receiver);
    const doomed = await Stores.open({ url: shop.shop.feed.postgres.url });
    shop.start({ stores: doomed, leaseMs: 2_000 });
    await shop.happenAtOnce(1);
    await within(() => {
      expect(receiver.received).toHaveLength(1);
    });
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 1 });
    });
    // It sends, and can never say so.
    receiver.respond = (response) => {
      void doomed.close().finally(() => response.writeHead(204).end());
    };
    await shop.happenAtOnce(20);
    await within(() => {
      expect(receiver.received.length).toBeGreaterThan(1);
    });
    receiver.respond = (response) => response.writeHead(204).end();
    shop.start({ leaseMs: 2_000 });
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 21 });
    });
    const ids = shop.verified(receiver);
    expect(new Set(ids).size).toBe(21);
    // What it had sent came twice, and no more than what it could send at a time.
    expect(ids.length - 21).toBeGreaterThanOrEqual(1);
  });
});

describe('while the database is unavailable', () => {
  it('nothing is lost: what was sent is written down, and the rest is sent, when it is back', async () => {
    const receiver = await shop.receiver();
    await shop.endpointAt(receiver);
    shop.start({ leaseMs: 5_000 });
    await shop.happenAtOnce(1);
    await within(() => {
      expect(receiver.received).toHaveLength(1);
    });
    await shop.happenAtOnce(200);
    await shop.shop.feed.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    );
    await within(async () => {
      expect(await shop.states()).toEqual({ delivered: 201 });
    });
    expect(new Set(shop.verified(receiver)).size).toBe(201);
  });
});
