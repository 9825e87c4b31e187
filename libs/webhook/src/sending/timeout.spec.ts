import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from '@jest/globals';
import { closeOpened, openSender, send, standStill } from '../testing/test-sender.js';
import { startTimeout } from './timeout.js';

afterEach(closeOpened);

it('a timeout that was ended calls nobody', async () => {
  let isOver = false;
  startTimeout(20, () => (isOver = true))();
  await sleep(100);
  expect(isOver).toBe(false);
});

it('an endpoint that has responded while the sender stood still has responded in time', async () => {
  const endpoint = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:http').createServer((_, response) => {
       parentPort.postMessage('request');
       setTimeout(() => response.writeHead(204).end(), 200);
     });
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  // It takes longer to load than an attempt may take on a busy machine.
  await import('./endpoint-agent.js');
  try {
    const [port] = (await once(endpoint, 'message')) as [number];
    const outcome = send(`http://127.0.0.1:${port}/`, openSender({ totalTimeoutMs: 2_000 }));
    await once(endpoint, 'message');
    standStill(2_500);
    expect(await outcome).toEqual({ isDelivered: true, responseStatus: 204 });
  } finally {
    await endpoint.terminate();
  }
});
