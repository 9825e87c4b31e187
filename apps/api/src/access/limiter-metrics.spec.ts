import { describe, expect, it } from '@jest/globals';
import { Registry, type Telemetry } from '@petstore/observability';
import { LimiterMetrics } from './limiter-metrics.js';

describe('LimiterMetrics', () => {
  it('counts the time without Redis once, however many nodes are unavailable', async () => {
    const registry = new Registry();
    let now = 0;
    const metrics = new LimiterMetrics({ registry } as Telemetry, () => now);
    const seconds = async (): Promise<string> =>
      /^petstore_rate_limit_degraded_seconds_total (\S+)$/m.exec(await registry.metrics())?.[1] ?? '';

    now = 5_000;
    metrics.degraded('a:1');
    now = 7_000;
    metrics.degraded('b:1');
    expect(metrics.isDegraded).toBe(true);
    expect(await registry.metrics()).toContain('petstore_rate_limit_degraded_nodes 2');
    now = 8_500;
    expect(await seconds()).toBe('3.5');
    metrics.recovered('a:1');
    now = 9_000;
    metrics.recovered('b:1');
    now = 60_000;
    expect(metrics.isDegraded).toBe(false);
    expect(await seconds()).toBe('4');
  });

  it('counts decisions by outcome and kind of subject, and bans', async () => {
    const registry = new Registry();
    const metrics = new LimiterMetrics({ registry } as Telemetry);
    metrics.decided('key', 'admitted');
    metrics.decided('key', 'admitted');
    metrics.decided('address', 'refused');
    metrics.banned();
    const text = await registry.metrics();
    expect(text).toContain('petstore_rate_limit_decisions_total{outcome="admitted",subject="key"} 2');
    expect(text).toContain('petstore_rate_limit_decisions_total{outcome="refused",subject="address"} 1');
    expect(text).toContain('petstore_rate_limit_bans_total 1');
  });
});
