import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { KeyPlan } from '@petstore/api-key';
import { Registry, type Telemetry } from '@petstore/observability';
import { type RateLimitResult, RateLimitExceededError } from '@petstore/rate-limit';
import { PetStoreErrorMapper } from '../http/error-mapper.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { WatchedLog } from '../../test/support/watched-log.js';
import { PETSTORE_PLANS } from './petstore-plans.js';
import { RateLimitTelemetry } from './rate-limit-telemetry.js';

describe('what the limiter refuses', () => {
  it('is 429', () => {
    const result = { admitted: false, banMs: 0, retryAfterMs: 1_000 } as RateLimitResult;
    const refused = new RateLimitExceededError(result);
    const { toApiError } = new PetStoreErrorMapper(new LinkBuilder('/v1'));
    expect(toApiError(refused)).toMatchObject({ code: refused.code, status: 429 });
  });
});

describe('the plans', () => {
  it('are in the guide with their limits', () => {
    const guide = readFileSync(new URL('../../../../docs/guide/limits.md', import.meta.url), 'utf8');
    const rows = [...guide.matchAll(/^\| (\w+) +\| ([\d,]+|agreed) +\| ([\d,]+|agreed) +\|$/gm)];
    const written = (limit: number | undefined): string => limit?.toLocaleString('en') ?? 'agreed';
    expect(rows.map(([, name = '', ...limits]) => [name.toLowerCase(), ...limits])).toEqual(
      PETSTORE_PLANS.all.map((name) => {
        const { perMinute, perDay } = PETSTORE_PLANS.limitsOf(new KeyPlan(name)) ?? {};
        return [name, written(perMinute), written(perDay)];
      }),
    );
  });
});

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
