import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread of its own for clients that send a request after the other until one fails: how many were served, and what becomes of the last. */

const { port, clients, keepsConnection } = workerData;

/** @returns {Promise<string>} a status, or the code of an error */
function request(agent) {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/things/1', agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    }).on('error', ({ code }) => resolve(code));
  });
}

async function untilOneFails() {
  const agent = keepsConnection && new Agent({ keepAlive: true, maxSockets: 1 });
  for (let served = 0; ; served++) {
    const outcome = await request(agent);
    if (outcome !== '200') return { served, outcome };
    if (served === 0) parentPort.postMessage('served');
  }
}

parentPort.postMessage(await Promise.all(Array.from({ length: clients }, untilOneFails)));
