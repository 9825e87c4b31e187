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

const WRONG = `v1,${Buffer.alloc(32).toString('base64')} `;

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
    ['in arrays', (fields) => Object.fromEntries(Object.entries(fields).map(([n, v]) => [n, [v]]))],
    [
      'in another case',
      (fields) => Object.fromEntries(Object.entries(fields).map(([n, v]) => [n.toUpperCase(), v])),
    ],
  ])('is verified by header fields %s', async (_how, headersOf) => {
    expect(await verifyWebhook(Buffer.from(BODY), headersOf(sent()), SECRET)).toHaveProperty('type');
  });

  it('is verified by a secret with the newline of its file', async () => {
    expect(await verifyWebhook(BODY, sent(), `${SECRET}\n`)).toHaveProperty('type', 'pet.updated');
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

  it.each([
    ['200 s old', { ageSeconds: 200 }, {}],
    ['200 s ahead', { ageSeconds: -200 }, {}],
    ['older, if that is tolerated', { ageSeconds: 400 }, { toleranceSeconds: 500 }],
  ])('is accepted when it is %s', async (_when, when, options) => {
    expect(await verifyWebhook(BODY, sent(BODY, when), SECRET, options)).toHaveProperty('type');
  });

  it.each([
    ['is too old', sent(BODY, { ageSeconds: 400 }), 'timestamp'],
    ['is from the future', sent(BODY, { ageSeconds: -400 }), 'timestamp'],
    ...Object.keys(sent()).flatMap(
      (name): [string, Record<string, string | string[] | undefined>, string][] => [
        [`has no ${name}`, { ...sent(), [name]: undefined }, 'headers'],
        [`has ${name} twice`, { ...sent(), [name]: ['a', 'b'] }, 'headers'],
        [`has ${name} in an empty array`, { ...sent(), [name]: [] }, 'headers'],
      ],
    ),
    ['has a time that is none', { ...sent(), 'webhook-timestamp': 'soon' }, 'headers'],
    // It costs little however many signatures it has.
    [
      'has too many signatures',
      { ...sent(), 'webhook-signature': `${WRONG.repeat(100)}${sent()['webhook-signature']}` },
      'signature',
    ],
  ])('is refused when it %s', async (_what, headers, reason) => {
    const refusal = await verifyWebhook(BODY, headers, SECRET).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WebhookVerificationError);
    expect(refusal).toMatchObject({ name: 'WebhookVerificationError', reason });
  });

  it('is refused with a tolerance that is no number', async () => {
    const attempt = verifyWebhook(BODY, sent(), SECRET, { toleranceSeconds: Number('soon') });
    await expect(attempt).rejects.toMatchObject({ reason: 'timestamp' });
  });

  it.each(['', 'whsec_', 'whsec_AAAA', SECRET.slice('whsec_'.length), `${SECRET} x`])(
    'is not looked at with the secret %j',
    async (secret) => {
      await expect(verifyWebhook(BODY, sent(), secret)).rejects.toThrow(TypeError);
    },
  );
});
