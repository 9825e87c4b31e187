import { describe, expect, it } from '@jest/globals';
import { Registry, type Telemetry } from '@petstore/observability';
import { type RateLimitResult, RateLimitExceededError } from '@petstore/rate-limit';
import { RateLimitExceededException } from '@petstore/rate-limit/nest';
import { toApiError } from '../http/to-api-error.js';
import { createLog } from '../logging/log.js';
import { RateLimitTelemetry } from './rate-limit-telemetry.js';

describe('what the limiter refuses', () => {
  it('is 429, with and without other interceptors on the handler', () => {
    const result = { admitted: false, banMs: 0, retryAfterMs: 1_000 } as RateLimitResult;
    const refused = new RateLimitExceededError(result);
    for (const exception of [refused, new RateLimitExceededException(refused)])
      expect(toApiError(exception)).toMatchObject({ code: refused.code, status: 429 });
  });
});

describe('the metrics of the limiter', () => {
  it('count the time without Redis once, however many nodes are unavailable', async () => {
    const registry = new Registry();
    let now = 5_000;
    const usage = undefined as never;
    const telemetry = new RateLimitTelemetry(
      { registry } as Telemetry,
      createLog('silent'),
      usage,
      () => now,
    );
    telemetry.degraded({ node: 'a:1', reason: 'hangs' });
    now = 7_000;
    telemetry.degraded({ node: 'b:1', reason: 'hangs' });
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
});
