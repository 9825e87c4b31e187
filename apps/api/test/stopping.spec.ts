import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import http from 'node:http';
import net from 'node:net';
import type { Service } from '../src/startup/service.interface.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let key: string;

beforeAll(async () => {
  running = await runService();
  key = await running.issueKey();
});
afterAll(() => running.close());

const start = (): Promise<Service> => running.another();

interface Reply {
  readonly status: number;
  /** Whether the server asked its client to go elsewhere. */
  readonly closes: boolean;
}

function get(agent: http.Agent, url: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { Authorization: `Bearer ${key}` } }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' });
      });
    });
    request.on('error', reject);
  });
}

describe('a service that is told to stop', () => {
  it('loses no request while two instances are replaced one after the other under load', async () => {
    const instances = [await start(), await start()];
    const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
    const seen = new Map<number, number>();
    const closing = new Set<string>();
    let running = true;
    // As clients behind a load balancer: who has been told to go elsewhere takes another instance.
    const worker = async (): Promise<void> => {
      for (let i = 0; running; i++) {
        const serving = instances.filter(({ origin }) => !closing.has(origin));
        const origin = serving[i % serving.length]?.origin ?? '';
        const { status, closes } = await get(agent, `${origin}/v1/pets?limit=1`);
        if (closes) closing.add(origin);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    };
    const workers = Promise.all(Array.from({ length: 8 }, worker));
    for (const at of [0, 1]) {
      await sleep(200);
      const replacement = await start();
      const old = instances.splice(at, 1, replacement);
      // The old one still takes requests for a while, but is not given any.
      await old[0]?.close();
    }
    await sleep(200);
    running = false;
    await workers;
    agent.destroy();
    for (const instance of instances) await instance.close();
    expect([...seen.keys()]).toEqual([200]);
    expect(seen.get(200)).toBeGreaterThan(100);
  });

  it('says that it is not ready and closes every connection with its response', async () => {
    const service = await start();
    const agent = new http.Agent({ keepAlive: true });
    await get(agent, `${service.origin}/livez`);
    const closing = service.close();
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get(`${service.origin}/readyz`, { agent }, (reply) => {
          resolve(reply.resume());
        })
        .on('error', reject);
    });
    expect(response.statusCode).toBe(503);
    expect(response.headers.connection).toBe('close');
    await closing;
    await expect(get(agent, `${service.origin}/livez`)).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });

  it('does not wait for a client that says nothing', async () => {
    const service = await start();
    const { port } = new URL(service.origin);
    const silent = net.connect(Number(port), '127.0.0.1', () => silent.write('GET /livez HTTP/1.1\r\nHost:'));
    silent.on('error', () => undefined);
    await sleep(100);
    const before = Date.now();
    await service.close();
    expect(Date.now() - before).toBeLessThan(9_000);
    silent.destroy();
  });
});
