import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { blockLoop } from '../../test/block-loop.js';
import { LoopTimer } from './loop-timer.js';

/** When a timer of so many milliseconds expires, and for how long it saw the loop blocked. */
function expiry(ms: number): Promise<{ readonly after: number; readonly blocked: number }> {
  const since = performance.now();
  return new Promise((resolve) => {
    new LoopTimer(ms, (blocked) => {
      resolve({ after: performance.now() - since, blocked });
    });
  });
}

describe('LoopTimer', () => {
  it('expires after its time while the loop turns', async () => {
    const { after, blocked } = await expiry(250);
    expect(after).toBeGreaterThanOrEqual(249);
    expect(after - blocked).toBeGreaterThanOrEqual(249);
    expect(after - blocked).toBeLessThan(260);
  });

  it('does not count the time for which the loop was blocked', async () => {
    const expires = expiry(300);
    await sleep(20);
    blockLoop(600);
    const { after, blocked } = await expires;
    expect(blocked).toBeGreaterThanOrEqual(500);
    expect(after).toBeGreaterThanOrEqual(750);
  });

  it('lets what lies in a socket be read before it expires', async () => {
    const server = createServer((socket) => socket.end('answer')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const order: string[] = [];
    const client = connect((server.address() as { port: number }).port, '127.0.0.1');
    const read = once(client, 'data').then(() => order.push('answer'));
    await once(client, 'connect');
    const expires = expiry(1).then(() => order.push('expiry'));
    blockLoop(50);
    await Promise.all([read, expires]);
    expect(order).toEqual(['answer', 'expiry']);
    server.close();
    client.destroy();
  });

  it.each([0, 5, 30])('does not expire once it was cancelled, %i ms after its start', async (ms) => {
    let expired = false;
    const timer = new LoopTimer(20, () => (expired = true));
    if (ms < 20) {
      await sleep(ms);
      timer.cancel();
    }
    await sleep(60);
    timer.cancel();
    expect(expired).toBe(ms >= 20);
  });
});
