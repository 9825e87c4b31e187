import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManagementServer, type ManagementServerOptions } from './management-server.js';
import type { ReadinessReport } from './readiness-report.js';

const opened: ManagementServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function open(options: Partial<ManagementServerOptions> = {}): Promise<string> {
  const server = await ManagementServer.start({
    listen: { host: '127.0.0.1', port: 0 },
    metrics: () => Promise.resolve('metrics'),
    readiness: () => Promise.resolve({ status: 'ok' }),
    ...options,
  });
  opened.push(server);
  return server.origin ?? '';
}

describe('ManagementServer', () => {
  it.each<[ReadinessReport, number]>([
    [{ status: 'ok' }, 200],
    [{ status: 'degraded', reasons: ['redis'] }, 200],
    [{ status: 'unavailable', reasons: ['database'] }, 503],
  ])('reports readiness %j with status %i', async (report, status) => {
    const origin = await open({ readiness: () => Promise.resolve(report) });
    const response = await fetch(`${origin}/readyz`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(report);
  });

  it('collects the metrics once for scrapers that ask at the same time', async () => {
    let collected = 0;
    const origin = await open({
      metrics: async () => {
        collected++;
        await new Promise((resolve) => setTimeout(resolve, 200));
        return 'metrics';
      },
    });
    const scrape = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text();
    expect(await Promise.all([scrape(), scrape(), scrape()])).toEqual(['metrics', 'metrics', 'metrics']);
    expect(collected).toBe(1);
  });

  it('breaks the connection when the metrics cannot be collected, and serves the next request', async () => {
    let fails = true;
    const origin = await open({
      metrics: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve('metrics')),
    });
    await expect(fetch(`${origin}/metrics`)).rejects.toThrow();
    fails = false;
    expect((await fetch(`${origin}/metrics`)).status).toBe(200);
  });

  it('opens no listener without an address', async () => {
    expect(await open({ listen: undefined })).toBe('');
  });

  it('rejects when the port is taken, and can be closed then', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(open({ listen: { host: '127.0.0.1', port } })).rejects.toThrow('EADDRINUSE');
    other.close();
  });
});
