import { afterEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ManagementServer, Registry, watchProcess } from '../src/index.js';
import type { ManagementServerOptions } from '../src/management-server.js';

const opened: ManagementServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const OPTIONS: ManagementServerOptions = {
  listen: { host: '127.0.0.1', port: 0 },
  metrics: () => Promise.resolve('metrics'),
  readiness: () => Promise.resolve({ status: 'ok' }),
};

async function open(options: Partial<ManagementServerOptions> = {}): Promise<string> {
  const server = new ManagementServer({ ...OPTIONS, ...options });
  await server.listen();
  opened.push(server);
  return server.origin ?? '';
}

describe('the management server', () => {
  it('collects the metrics once for scrapers that ask at the same time', async () => {
    let collected = 0;
    let [asking, letGo] = [0, (): void => undefined];
    const allAsk = new Promise<void>((resolve) => (letGo = resolve));
    const note = (): void => {
      if (++asking === 3) letGo();
    };
    const origin = await open({
      metrics: async () => {
        collected++;
        await allAsk;
        return 'metrics';
      },
    });
    const scrape = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text();
    subscribe('http.server.request.start', note);
    expect(await Promise.all([scrape(), scrape(), scrape()])).toEqual(['metrics', 'metrics', 'metrics']);
    unsubscribe('http.server.request.start', note);
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

  it.each(['/metrics', '/livez', '/readyz', '/livez?x'])('has %s to be read only', async (path) => {
    const origin = await open();
    const answers = async (method: string): Promise<[number, string | null]> => {
      const { status, headers } = await fetch(origin + path, { method });
      return [status, headers.get('Allow')];
    };
    expect(await answers('GET')).toEqual([200, null]);
    expect(await answers('HEAD')).toEqual([200, null]);
    expect(await answers('OPTIONS')).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(await answers('POST')).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await fetch(`${origin}/nothing`, { method: 'POST' })).status).toBe(404);
  });

  it('opens no listener without an address, and rejects when the port is taken', async () => {
    expect(await open({ listen: undefined })).toBe('');
    const port = Number(new URL(await open()).port);
    await expect(open({ listen: { host: '127.0.0.1', port } })).rejects.toThrow('EADDRINUSE');
  });
});

describe('the metrics of a process', () => {
  const metricsWith = async (
    replica: { ageMs: number; state: string } | undefined,
    shown = /^petstore_(?:database|ready|log)/,
  ): Promise<string[]> => {
    const registry = new Registry();
    watchProcess(registry, {
      version: '1.0.0',
      pool: () => ({ total: 3, idle: 1, waiting: 2 }),
      replica: () => replica,
      isReady: () => Promise.resolve(true),
      jobs: () => [
        {
          name: 'orders:expire',
          intervalMs: 10_000,
          succeeded: 7,
          failed: 2,
          notStarted: 1,
          sinceSuccessMs: 90_500,
        },
      ],
      droppedLogLines: () => 5,
      diskFullErrors: () => 4,
    });
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => shown.test(line));
  };
  const WITHOUT_REPLICA = [
    'petstore_database_connections{state="idle"} 1',
    'petstore_database_connections{state="busy"} 2',
    'petstore_log_lines_dropped_total 5',
    'petstore_database_disk_full_total 4',
    'petstore_database_waiting 2',
    'petstore_ready 1',
  ];

  it('say nothing of a replica that there is not', async () => {
    expect(await metricsWith(undefined)).toEqual(WITHOUT_REPLICA);
  });

  it('say how the runs of each scheduled job have ended, and how long ago one was a success', async () => {
    expect(await metricsWith(undefined, /^petstore_scheduled/)).toEqual([
      'petstore_scheduled_job_runs_total{scheduled_job="orders:expire",outcome="succeeded"} 7',
      'petstore_scheduled_job_runs_total{scheduled_job="orders:expire",outcome="failed"} 2',
      'petstore_scheduled_job_runs_total{scheduled_job="orders:expire",outcome="not_started"} 1',
      'petstore_scheduled_job_success_age_seconds{scheduled_job="orders:expire"} 90.5',
      'petstore_scheduled_job_interval_seconds{scheduled_job="orders:expire"} 10',
    ]);
  });

  it('say how far the replica is behind, and whether it serves alone', async () => {
    const lines = await metricsWith({ ageMs: 1_500, state: 'standalone' });
    expect(lines.filter((line) => !WITHOUT_REPLICA.includes(line))).toEqual([
      'petstore_database_replica_age_seconds 1.5',
      'petstore_database_replica_alone 1',
    ]);
  });
});
