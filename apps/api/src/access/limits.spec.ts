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

  it('count the nodes of Redis that are unavailable', async () => {
    telemetry.degraded({ node: 'a:1', reason: 'hangs', refused: false });
    telemetry.degraded({ node: 'b:1', reason: 'hangs', refused: false });
    expect(await registry.metrics()).toContain('petstore_rate_limit_degraded_nodes 2');
    telemetry.recovered({ node: 'a:1', afterMs: 1 });
    expect(telemetry.isDegraded).toBe(true);
    telemetry.recovered({ node: 'b:1', afterMs: 1 });
    expect(telemetry.isDegraded).toBe(false);
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
