import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError, NoResponseError, type PetStoreError, UnexpectedResponseError } from './errors.js';
import { mayHaveActed, RetryPolicy } from './retry-policy.js';

const latest = new RetryPolicy(5, 90_000, () => 0.999_999);

const refused = (status: number, retryAfter?: number, code = 'made_up'): ApiError =>
  new ApiError(code, 'Made up.', status, 'listPets', {
    requestId: undefined,
    help: undefined,
    retryAfter,
    limits: undefined,
    isAfterUnknownOutcome: false,
  });
const ofGateway = (status: number, retryAfter?: number) =>
  new UnexpectedResponseError('Made up.', status, '', 'listPets', retryAfter);
const NO_RESPONSE = new NoResponseError('connection', 'Made up.', 'listPets');

describe('the retry policy', () => {
  it('waits exactly what a first refusal asks for, up to its longest wait', () => {
    expect(latest.waitBefore(0, refused(429, 90), true)).toBe(90_000);
    expect(latest.waitBefore(0, refused(503, 1), true)).toBe(1_000);
    expect(latest.waitBefore(0, refused(429, 91), true)).toBeUndefined();
    expect(latest.waitBefore(0, ofGateway(503, 90), true)).toBe(90_000);
    expect(latest.waitBefore(0, ofGateway(429, 91), true)).toBeUndefined();
    // A timer of that many seconds would fire at once.
    expect(new RetryPolicy(5, Infinity).waitBefore(0, refused(429, 2 ** 31), true)).toBeUndefined();
  });

  it('never comes back before the time that was asked for, and later when refused again', () => {
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.nat(90),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (retry, seconds, luck) => {
          const wait = new RetryPolicy(5, 90_000, () => luck).waitBefore(retry, refused(429, seconds), false);
          expect(wait).toBeGreaterThanOrEqual(seconds * 1_000);
        },
      ),
    );
    expect(latest.waitBefore(1, refused(429, 1), true)).toBe(1_500);
  });

  it('backs off exponentially with full jitter when no time is given', () => {
    const waits = (luck: number) =>
      [0, 1, 2, 3, 4, 5].map((n) => new RetryPolicy(5, 90_000, () => luck).waitBefore(n, refused(503), true));
    expect(waits(0.999_999)).toEqual([250, 500, 1_000, 2_000, 4_000, undefined]);
    expect(waits(0.5)).toEqual([125, 250, 500, 1_000, 2_000, undefined]);
    expect(waits(0)).toEqual([0, 0, 0, 0, 0, undefined]);
    // No time to wait, or one that is over, is no reason to come back sooner.
    for (const failure of [refused(503, 0), ofGateway(503, 0)])
      expect([0, 1, 2].map((n) => latest.waitBefore(n, failure, true))).toEqual([250, 500, 1_000]);
    expect(new RetryPolicy(99, 90_000, () => 0.999_999).waitBefore(60, NO_RESPONSE, true)).toBe(20_000);
  });

  it.each<[string, PetStoreError, boolean, boolean, boolean]>([
    ['no response', NO_RESPONSE, true, false, true],
    ['429', refused(429), true, true, false],
    ['429 of a gateway', ofGateway(429), true, true, false],
    ['502 of a gateway', ofGateway(502), true, false, true],
    ['503', refused(503), true, false, true],
    ['504 of a gateway', ofGateway(504), true, false, true],
    ['409 in progress', refused(409, undefined, 'idempotency_in_progress'), true, false, false],
    ['409', refused(409), false, false, false],
    ['404', refused(404), false, false, false],
    ['422', refused(422), false, false, false],
    ['500', refused(500), false, false, false],
  ])(
    'after %s: again what is repeatable, what is not, and whether it may have been carried out: %#',
    (_name, failure, repeatable, unrepeatable, acted) => {
      expect(latest.waitBefore(0, failure, true) !== undefined).toBe(repeatable);
      expect(latest.waitBefore(0, failure, false) !== undefined).toBe(unrepeatable);
      expect(mayHaveActed(failure)).toBe(acted);
    },
  );
});
