import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type SignedContent, signedHeaders, WebhookSecret } from '../secret/webhook-secret.js';
import { MAX_ATTEMPTS, stepAfter } from './retry-schedule.js';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';

const HOUR = 3_600_000;
const refused: AttemptOutcome = { isDelivered: false, error: 'connection' };
const status = (responseStatus: number, retryAfterMs?: number): AttemptOutcome => ({
  isDelivered: false,
  error: 'http_status',
  responseStatus,
  retryAfterMs,
});
const after = (attempt: number, outcome: AttemptOutcome = refused, random = 0) =>
  stepAfter({ attempt, isTest: false }, outcome, random);

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('after an attempt', () => {
  it('that was taken, the delivery is delivered', () => {
    expect(after(1, { isDelivered: true, responseStatus: 204 })).toEqual({ status: 'delivered' });
  });

  it('that has failed, the next one is due by the schedule of Standard Webhooks, ten in 75.6 hours', () => {
    const delays = Array.from({ length: 9 }, (_, n) => after(n + 1)).map((step) =>
      step.status === 'pending' ? step.delayMs : NaN,
    );
    const [second, minute] = [1_000, 60_000];
    expect(delays).toEqual([
      ...[5 * second, 5 * minute, 30 * minute, 2 * HOUR, 5 * HOUR],
      ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
    ]);
    expect(delays.reduce((sum, delay) => sum + delay) / HOUR).toBeCloseTo(75.585, 2);
    expect(MAX_ATTEMPTS).toBe(10);
    expect(after(10)).toEqual({ status: 'failed', isGone: false });
  });

  it('that has failed, the next one comes up to a fifth earlier by chance, and never later', () => {
    expect(after(2, refused, 0.5)).toEqual({ status: 'pending', delayMs: 270_000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), random, (attempt, chance) => {
        const [step, latest] = [after(attempt, refused, chance), after(attempt)];
        if (step.status !== 'pending' || latest.status !== 'pending') throw new Error('not pending');
        expect(step.delayMs).toBeLessThanOrEqual(latest.delayMs);
        expect(step.delayMs).toBeGreaterThanOrEqual(latest.delayMs * 0.8);
      }),
    );
  });

  it('to which the endpoint has said Retry-After with 429 or 503, it is left alone so long, at most a day', () => {
    for (const code of [429, 503]) {
      expect(after(1, status(code, 60_000))).toEqual({ status: 'pending', delayMs: 60_000 });
      expect(after(1, status(code, 1_000))).toEqual({ status: 'pending', delayMs: 5_000 });
      expect(after(1, status(code, 400 * HOUR))).toEqual({ status: 'pending', delayMs: 24 * HOUR });
    }
    for (const code of [301, 400, 500, 504])
      expect(after(1, status(code, 60_000))).toEqual({ status: 'pending', delayMs: 5_000 });
  });

  it('to which the endpoint has said 410, nothing follows', () => {
    expect(after(1, status(410))).toEqual({ status: 'failed', isGone: true });
  });

  it('of a test, nothing follows, whatever the response', () => {
    for (const outcome of [refused, status(410), status(503, 60_000)])
      expect(stepAfter({ attempt: 1, isTest: true }, outcome, 0)).toEqual({
        status: 'failed',
        isGone: false,
      });
  });
});

const [newest, older, foreign] = [
  WebhookSecret.generate(),
  WebhookSecret.generate(),
  WebhookSecret.generate(),
];
const now = (): number => Math.floor(Date.now() / 1_000);

const sign = (content: SignedContent, secrets: readonly WebhookSecret[]): string =>
  signedHeaders(content, secrets)['webhook-signature'] ?? '';

/** Whether a receiver with this secret takes the content; it is an independent implementation. */
function verifies(secret: WebhookSecret, { id, timestamp, body }: SignedContent, signature: string): boolean {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

describe('a signature', () => {
  it('is the one of the example in the specification of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' as WebhookSecret;
    const body = '{"test": 2432232314}';
    const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body };
    expect(sign(content, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('of one or several secrets is verified by each of them, the newest first, and no other', () => {
    const ids = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map((position) => `evt_${position}`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), ids, (body, id) => {
        const content = { id, timestamp: now(), body };
        const [one, both] = [sign(content, [newest]), sign(content, [newest, older])];
        expect(both.split(' ')).toEqual([one, sign(content, [older])]);
        const verdicts = (signature: string): boolean[] =>
          [newest, older, foreign].map((secret) => verifies(secret, content, signature));
        expect([verdicts(one), verdicts(both)]).toEqual([
          [true, false, false],
          [true, true, false],
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([{ id: 'evt_1043' }, { timestamp: now() - 10 }, { body: '{"id":1043}' }])(
    'holds for nothing else: %j',
    (change) => {
      const content = { id: 'evt_1042', timestamp: now(), body: '{"id":1042}' };
      const signature = sign(content, [newest]);
      expect(verifies(newest, content, signature)).toBe(true);
      expect(verifies(newest, { ...content, ...change }, signature)).toBe(false);
    },
  );
});
