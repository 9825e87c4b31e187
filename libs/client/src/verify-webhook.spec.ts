import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;
const BODY =
  '{"id":9007199254740993,"type":"pet.updated","timestamp":"2026-11-21T19:12:07.123Z","data":{"pet":{"id":42,"name":"Rëx 🐕","categoryId":7,"status":"pending"}}}';

type Fields = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** What a sender that is not ours sends. */
function sent(
  body = BODY,
  { secret = SECRET, ageSeconds = 0, id = 'evt_1042', now = Date.now() } = {},
): Fields {
  const at = new Date(now - 1_000 * ageSeconds);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const refusal = (reason: string): object => ({ name: 'WebhookVerificationError', reason });

describe('a delivery', () => {
  it('is verified, and read with exact ids', async () => {
    expect(await verifyWebhook(BODY, sent(), SECRET)).toEqual({
      id: 9007199254740993n,
      type: 'pet.updated',
      timestamp: '2026-11-21T19:12:07.123Z',
      data: { pet: { id: 42n, name: 'Rëx 🐕', categoryId: 7n, status: 'pending' } },
    });
  });

  it.each<[string, (fields: Fields) => Parameters<typeof verifyWebhook>[1]]>([
    ['of fetch', (fields) => new Headers(fields)],
    ['of Node.js', (fields) => ({ ...fields, 'set-cookie': ['a', 'b'], other: undefined })],
    [
      'in another case',
      (fields) => Object.fromEntries(Object.entries(fields).map(([n, v]) => [n.toUpperCase(), v])),
    ],
  ])('is verified by header fields %s', async (_how, headersOf) => {
    expect(await verifyWebhook(Buffer.from(BODY), headersOf(sent()), SECRET)).toHaveProperty('type');
  });

  it('is verified by either secret during a rotation', async () => {
    const now = Date.now();
    const [current, previous] = [sent(BODY, { now }), sent(BODY, { now, secret: OTHER })];
    const both = {
      ...current,
      'webhook-signature': `v1a,x ${current['webhook-signature']} ${previous['webhook-signature']}`,
    };
    for (const secret of [SECRET, OTHER])
      expect(await verifyWebhook(BODY, both, secret)).toHaveProperty('type', 'pet.updated');
  });

  it('is accepted and refused as an independent receiver does, whatever is changed', async () => {
    const independent = new Webhook(SECRET);
    const isAccepted = (work: () => unknown): Promise<boolean> =>
      Promise.resolve()
        .then(work)
        .then(
          () => true,
          () => false,
        );
    const changes = fc.record({
      body: fc.constantFrom(BODY, `${BODY} `, BODY.replace('42', '43')),
      id: fc.constantFrom(undefined, 'evt_1043', ''),
      timestamp: fc.constantFrom(undefined, '1', 'x', ''),
      signature: fc.constantFrom(
        undefined,
        'v1,',
        'v1,AAAA',
        '',
        sent(BODY, { secret: OTHER })['webhook-signature'],
      ),
    });
    await fc.assert(
      fc.asyncProperty(changes, async ({ body, id, timestamp, signature }) => {
        const fields = sent();
        const headers = {
          'webhook-id': id ?? fields['webhook-id'],
          'webhook-timestamp': timestamp ?? fields['webhook-timestamp'],
          'webhook-signature': signature ?? fields['webhook-signature'],
        };
        const ours = await isAccepted(() => verifyWebhook(body, headers, SECRET));
        expect(ours).toBe(await isAccepted(() => independent.verify(body, headers)));
      }),
    );
  });

  it('is refused when any bit of the signature is another one', async () => {
    const fields = sent();
    const [, base64 = ''] = fields['webhook-signature'].split(',');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 255 }), async (bit) => {
        const bytes = Buffer.from(base64, 'base64');
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const forged = { ...fields, 'webhook-signature': `v1,${bytes.toString('base64')}` };
        await expect(verifyWebhook(BODY, forged, SECRET)).rejects.toMatchObject(refusal('signature'));
      }),
    );
  });

  it('is refused when it is too old or from the future', async () => {
    for (const ageSeconds of [400, -400])
      await expect(verifyWebhook(BODY, sent(BODY, { ageSeconds }), SECRET)).rejects.toMatchObject(
        refusal('timestamp'),
      );
    for (const ageSeconds of [200, -200])
      expect(await verifyWebhook(BODY, sent(BODY, { ageSeconds }), SECRET)).toHaveProperty('type');
    const old = sent(BODY, { ageSeconds: 400 });
    expect(await verifyWebhook(BODY, old, SECRET, { toleranceSeconds: 500 })).toHaveProperty('type');
    await expect(
      verifyWebhook(BODY, sent(), SECRET, { toleranceSeconds: Number('soon') }),
    ).rejects.toMatchObject(refusal('timestamp'));
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', async (name) => {
    const all: Record<string, string> = sent();
    const fields = Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
    await expect(verifyWebhook(BODY, fields, SECRET)).rejects.toThrow(WebhookVerificationError);
    await expect(verifyWebhook(BODY, { ...fields, [name]: ['a', 'b'] }, SECRET)).rejects.toMatchObject(
      refusal('headers'),
    );
  });

  it('costs little however many signatures it has', async () => {
    const { 'webhook-signature': right, ...fields } = sent();
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const many = { ...fields, 'webhook-signature': `${`${wrong} `.repeat(100)}${right}` };
    await expect(verifyWebhook(BODY, many, SECRET)).rejects.toMatchObject(refusal('signature'));
  });

  it.each(['', 'whsec_', 'whsec_AAAA', SECRET.slice('whsec_'.length), `${SECRET} `])(
    'is not looked at with the secret %j',
    async (secret) => {
      await expect(verifyWebhook(BODY, sent(), secret)).rejects.toThrow(TypeError);
    },
  );
});
