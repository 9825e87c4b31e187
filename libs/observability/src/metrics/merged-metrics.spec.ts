import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { MergedMetrics, type MetricsSnapshot } from './merged-metrics.js';

/** A process that has served `requests`, with `connections` open and its event loop this busy. */
async function snapshot(requests: number, connections = 1, busy = 0.5): Promise<MetricsSnapshot> {
  const registers = [new Registry()];
  new Counter({ name: 'requests_total', help: '.', labelNames: ['code'], registers }).inc(
    { code: 'x' },
    requests,
  );
  new Gauge({ name: 'connections', help: '.', registers }).set(connections);
  new Gauge({ name: 'busy', help: '.', aggregator: 'max', registers }).set(busy);
  const duration = new Histogram({ name: 'seconds', help: '.', buckets: [1], registers });
  for (let i = 0; i < requests; i++) duration.observe(0.5);
  // As between processes.
  return JSON.parse(JSON.stringify(await registers[0]?.getMetricsAsJSON())) as MetricsSnapshot;
}

const linesOf = (text: string): string[] =>
  text.split('\n').filter((line) => !line.startsWith('#') && line !== '');

describe('MergedMetrics', () => {
  it('adds up what processes have, or takes the greatest where the metric says so', async () => {
    const merged = new MergedMetrics();
    const text = await merged.text(
      new Map([
        [1, await snapshot(3, 4, 0.2)],
        [2, await snapshot(5, 6, 0.9)],
      ]),
    );
    expect(linesOf(text)).toEqual([
      'requests_total{code="x"} 8',
      'connections 10',
      'busy 0.9',
      'seconds_bucket{le="1"} 8',
      'seconds_bucket{le="+Inf"} 8',
      'seconds_sum 4',
      'seconds_count 8',
    ]);
  });

  it('lets no counter go back when a process ends, and forgets its gauges', async () => {
    const merged = new MergedMetrics();
    const [first, second] = [await snapshot(3, 4), await snapshot(5, 6)];
    await merged.text(
      new Map([
        [1, first],
        [2, second],
      ]),
    );
    for (let pid = 1; pid <= 2; pid++) merged.ended(pid);
    const text = await merged.text(new Map([[3, await snapshot(1, 2, 0.1)]]));
    expect(linesOf(text)).toEqual(
      expect.arrayContaining(['requests_total{code="x"} 9', 'seconds_count 9', 'connections 2', 'busy 0.1']),
    );
  });

  it('counts on what a process said last that does not respond now', async () => {
    const merged = new MergedMetrics();
    await merged.text(
      new Map([
        [1, await snapshot(3)],
        [2, await snapshot(5)],
      ]),
    );
    const lines = linesOf(await merged.text(new Map([[2, await snapshot(6)]])));
    expect(lines).toEqual(expect.arrayContaining(['requests_total{code="x"} 9', 'connections 1']));
  });

  it('takes a process that was never heard of as one that has counted nothing', async () => {
    const merged = new MergedMetrics();
    merged.ended(7);
    expect(linesOf(await merged.text(new Map()))).toEqual([]);
  });
});
