import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { WebhookSecret } from '../secret/webhook-secret.js';
import { type SignedContent, signedHeaders } from './signature.js';

const [newest, older, foreign] = [
  WebhookSecret.generate(),
  WebhookSecret.generate(),
  WebhookSecret.generate(),
];
const now = (): number => Math.floor(Date.now() / 1_000);

const sign = (content: SignedContent, secrets: readonly WebhookSecret[]): string =>
  signedHeaders(content, secrets)['webhook-signature'] ?? '';

/** What a receiver with this secret says; it is an independent implementation. */
function verifies(
  secret: WebhookSecret,
  body: string,
  id: string,
  timestamp: number,
  signature: string,
): boolean {
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

  it('is verified by an independent receiver, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        (text, position) => {
          const content = { id: `evt_${position}`, timestamp: now(), body: text };
          const signature = sign(content, [newest]);
          expect(verifies(newest, content.body, content.id, content.timestamp, signature)).toBe(true);
          expect(verifies(foreign, content.body, content.id, content.timestamp, signature)).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of several secrets is verified by each of them, the newest standing first', () => {
    const content = { id: 'evt_1042', timestamp: now(), body: '{"id":1042}' };
    const signature = sign(content, [newest, older]);
    expect(signature.split(' ')).toEqual([sign(content, [newest]), sign(content, [older])]);
    for (const secret of [newest, older])
      expect(verifies(secret, content.body, content.id, content.timestamp, signature)).toBe(true);
    expect(verifies(foreign, content.body, content.id, content.timestamp, signature)).toBe(false);
  });

  it('holds for no other id, time or body', () => {
    const content = { id: 'evt_1042', timestamp: now(), body: '{"id":1042}' };
    const signature = sign(content, [newest]);
    expect(verifies(newest, content.body, 'evt_1043', content.timestamp, signature)).toBe(false);
    expect(verifies(newest, content.body, content.id, content.timestamp - 1, signature)).toBe(false);
    expect(verifies(newest, '{"id":1043}', content.id, content.timestamp, signature)).toBe(false);
  });
});
