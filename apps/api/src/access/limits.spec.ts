import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry, type Telemetry } from '@petstore/observability';
import { WatchedLog } from '../../test/support/watched-log.js';
import { RateLimitTelemetry } from './rate-limit-telemetry.js';

describe('the metrics of the limiter', () => {
  let registry: Registry;
  let log: WatchedLog;
  let telemetry: RateLimitTelemetry;
  let now: number;
  beforeEach(() => {
    [registry, log, now] = [new Registry(), new WatchedLog(), 5_000];
    const usage = undefined as never;
    telemetry = new RateLimitTelemetry({ registry } as Telemetry, log.log, usage, () => now);
  });

  it('count the time without Redis once, however many nodes are unavailable', async () => {
    telemetry.degraded({ node: 'a:1', reason: 'hangs', refused: false });
    now = 7_000;
    telemetry.degraded({ node: 'b:1', reason: 'hangs', refused: false });
    expect(telemetry.isDegraded).toBe(true);
    expect(await registry.metrics()).toContain('petstore_rate_limit_degraded_nodes 2');
    now = 8_500;
    telemetry.recovered({ node: 'a:1', afterMs: 1 });
    now = 9_000;
    telemetry.recovered({ node: 'b:1', afterMs: 1 });
    now = 60_000;
    expect(telemetry.isDegraded).toBe(false);
    expect(await registry.metrics()).toMatch(/^petstore_rate_limit_degraded_seconds_total 4$/m);
  });

  it('count each loss of Redis, with one line of the log a minute', async () => {
    for (let n = 0; n < 7; n++) {
      telemetry.lost();
      now += 20_000;
    }
    const lines = log.lines.map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject(
      [1, 3, 3].map((count) => ({ count, msg: 'redis lost counters, keys begin anew' })),
    );
    expect(await registry.metrics()).toMatch(/^petstore_rate_limit_lost_counters_total 7$/m);
  });
});
