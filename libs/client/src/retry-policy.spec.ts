import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type FailedAttempt, mayHaveActed, readRetryAfter, RetryPolicy } from './retry-policy.js';

const latest = new RetryPolicy(5, 90_000, () => 0.999_999);
const failed = (attempt: Partial<FailedAttempt>): FailedAttempt => ({
  status: undefined,
  code: undefined,
  retryAfter: undefined,
  ...attempt,
});

describe('the retry policy', () => {
  it('waits exactly what a first refusal asks for', () => {
    expect(latest.waitBefore(0, failed({ status: 429, retryAfter: 12_000 }), true)).toBe(12_000);
    expect(latest.waitBefore(0, failed({ status: 503, retryAfter: 1_000 }), true)).toBe(1_000);
  });

  it('never comes back before the time that was asked for, and later when refused again', () => {
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.nat(90_000),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (retry, asked, luck) => {
          const policy = new RetryPolicy(5, 90_000, () => luck);
          const wait = policy.waitBefore(retry, failed({ status: 429, retryAfter: asked }), false);
          expect(wait).toBeGreaterThanOrEqual(asked);
        },
      ),
    );
    expect(latest.waitBefore(1, failed({ status: 429, retryAfter: 1_000 }), true)).toBe(1_500);
  });

  it('backs off exponentially with full jitter when no time is given', () => {
    const waits = (luck: number) =>
      [0, 1, 2, 3, 4].map((retry) =>
        new RetryPolicy(5, 90_000, () => luck).waitBefore(retry, failed({ status: 503 }), true),
      );
    expect(waits(0.999_999)).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(waits(0)).toEqual([0, 0, 0, 0, 0]);
    expect(waits(0.5)).toEqual([125, 250, 500, 1_000, 2_000]);
    expect(new RetryPolicy(99, 90_000, () => 0.999_999).waitBefore(60, failed({}), true)).toBe(20_000);
  });

  it('gives up after its number of retries, and at once when asked to wait for too long', () => {
    expect(latest.waitBefore(5, failed({ status: 503 }), true)).toBeUndefined();
    expect(latest.waitBefore(0, failed({ status: 429, retryAfter: 90_001 }), true)).toBeUndefined();
  });

  it.each([
    ['no response', failed({}), true, false],
    ['429', failed({ status: 429 }), true, true],
    ['502', failed({ status: 502 }), true, false],
    ['503', failed({ status: 503 }), true, false],
    ['504', failed({ status: 504 }), true, false],
    ['409 in progress', failed({ status: 409, code: 'idempotency_in_progress' }), true, false],
    ['400', failed({ status: 400 }), false, false],
    ['401', failed({ status: 401 }), false, false],
    ['404', failed({ status: 404 }), false, false],
    ['422', failed({ status: 422, code: 'idempotency_key_reused' }), false, false],
    ['500', failed({ status: 500 }), false, false],
  ])('%s: again if repeatable %#', (_name, attempt, repeatable, unrepeatable) => {
    expect(latest.waitBefore(0, attempt, true) !== undefined).toBe(repeatable);
    expect(latest.waitBefore(0, attempt, false) !== undefined).toBe(unrepeatable);
  });
});

describe('a request that failed', () => {
  it.each([
    ['no response', undefined, true],
    ['429', 429, false],
    ['502', 502, true],
    ['503', 503, true],
    ['504', 504, true],
    ['409 in progress', 409, false],
  ])('may have been carried out or not: %s', (_name, status, expected) => {
    expect(mayHaveActed(failed({ status }))).toBe(expected);
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['12', 12_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 30_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('%j is a wait of %j ms', (field, expected) => {
    expect(readRetryAfter(field, 30_000)).toBe(expected);
  });
});
