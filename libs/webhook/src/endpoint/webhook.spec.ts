import { describe, expect, it } from '@jest/globals';
import { anyCharacter, urlPart } from '@petstore/arbitraries';
import { FreeText } from '@petstore/pet-domain';
import fc from 'fast-check';
import { AddressPolicy } from '../address/address-policy.js';
import { WebhookUrl } from './webhook-url.js';
import { webhookJson } from './webhook.fields.js';
import { type AttemptResult, Webhook, type WebhookId, type WebhookPatch } from './webhook.js';

const strict = new AddressPolicy();
const loopback = new AddressPolicy({ allowedNetworks: ['127.0.0.0/8', '::1'], http: true });

describe('WebhookUrl', () => {
  it.each([
    ['https://shop.example.com/hooks', 'https://shop.example.com/hooks'],
    ['HTTPS://Shop.Example.com:443', 'https://shop.example.com/'],
    [' https://shop.example.com/a/../b?x=1 ', 'https://shop.example.com/b?x=1'],
    ['https://münchen.example/ö', 'https://xn--mnchen-3ya.example/%C3%B6'],
    // A server name has no dot at its end (RFC 6066, section 3).
    ['https://shop.example.com.:8443/', 'https://shop.example.com:8443/'],
    ['https://1.1.1.1:8443/', 'https://1.1.1.1:8443/'],
    ['https://[2606:4700:4700:0::1111]/', 'https://[2606:4700:4700::1111]/'],
    // Judged when it is dialled, so that nobody learns what resolves to what.
    ['https://localhost/', 'https://localhost/'],
  ])('reads %s as %s', (text, url) => {
    expect(WebhookUrl.read(text, strict)).toEqual({ url });
  });

  it.each(
    '127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 0 0.0.0.0 １２７.0.0.1 127.0.0.1. 10.0.0.1 [::1] [::] [::ffff:127.0.0.1] [fd00::1]'
      .split(' ')
      .map((host) => `https://${host}/`),
  )('must not name an address inside: %s', (text) => {
    expect(WebhookUrl.read(text, strict)).toEqual({ problem: 'not name an address that is not public' });
  });

  it('takes http where it is allowed, with literal addresses of allowed networks only', () => {
    for (const url of ['http://127.0.0.1:8080/hook', 'https://[::1]:8443/', 'http://shop.example.com/'])
      expect(WebhookUrl.read(url, loopback)).toEqual({ url });
    for (const url of ['http://1.1.1.1/', 'http://10.0.0.1/'])
      expect(WebhookUrl.read(url, loopback)).toHaveProperty('problem');
  });

  it('is normalised, whatever is sent: read again it is itself', () => {
    const urls = fc
      .tuple(fc.constantFrom('http', 'https'), fc.domain(), urlPart, urlPart)
      .map(([scheme, host, path, query]) => `${scheme}://${host}/${path}?${query}`);
    const texts = fc.oneof(
      urls,
      urls.map((text) => text.toUpperCase()),
      fc.string({ unit: anyCharacter }),
      fc.string().map((text) => `https://${text}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = WebhookUrl.read(text, loopback);
        if ('url' in read) expect(WebhookUrl.read(read.url, loopback)).toEqual(read);
        const secure = WebhookUrl.read(text, strict);
        if ('url' in secure) expect(secure.url).toMatch(/^https:\/\/[^@#]+\/[^#]*$/);
      }),
      { numRuns: 200 },
    );
  });
});

const text = (value: string): FreeText => {
  const parsed = FreeText.parse(value);
  if (parsed === undefined) throw new Error(`"${value}" is no text.`);
  return parsed;
};

const ONE = 'https://a.example/' as WebhookUrl;
const OTHER = 'https://b.example/' as WebhookUrl;
const NOTHING = {
  types: null,
  description: null,
  disabledReason: null,
  failingSince: null,
};
type State = Pick<Webhook, 'url' | 'status' | 'isSlow' | keyof typeof NOTHING>;

/** One whose last attempt was slow. */
const ENABLED: State = { ...NOTHING, url: ONE, status: 'enabled', isSlow: true };
const FAILING: State = { ...ENABLED, failingSince: new Date('2026-11-21T19:12:07.123Z') };
const GONE: State = { ...FAILING, status: 'disabled', disabledReason: 'gone' };
const DESCRIBED: State = { ...ENABLED, types: ['pet.*'], description: text('The site.') };

const created = {
  id: '9007199254740993' as WebhookId,
  keyId: 'key_1',
  createdAt: new Date('2026-11-21T19:12:07.100Z'),
};
const webhookIn = (state: State): Webhook => Object.assign(new Webhook(), created, state);
const patched = (state: State, patch: WebhookPatch): Webhook => {
  const webhook = webhookIn(state);
  webhook.patch(patch);
  return webhook;
};

describe('a patch of an endpoint', () => {
  it.each<[string, State, WebhookPatch, State]>([
    ['changes what it has, and nothing else', DESCRIBED, { types: ['a'] }, { ...DESCRIBED, types: ['a'] }],
    ['takes away what is null', DESCRIBED, { types: null, description: null }, ENABLED],
    [
      'forgives a disabled endpoint that is enabled',
      GONE,
      { status: 'enabled' },
      { ...ENABLED, isSlow: false },
    ],
    ['forgives a failing endpoint that is enabled', FAILING, { status: 'enabled' }, ENABLED],
    [
      'forgives a URL what another one has failed',
      FAILING,
      { url: OTHER },
      { ...ENABLED, url: OTHER, isSlow: false },
    ],
    ['keeps the reason of one that the service disabled before', GONE, { status: 'disabled' }, GONE],
    [
      'gives no reason for what is disabled by hand',
      ENABLED,
      { status: 'disabled' },
      { ...ENABLED, status: 'disabled' },
    ],
  ])('%s', (_what, state, patch, after) => {
    expect(patched(state, patch)).toEqual(webhookIn(after));
  });
});

const HOUR = 3_600_000;
const NOW = new Date('2026-11-26T19:12:07.123Z');
const before = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
const OK: AttemptResult = {
  url: ENABLED.url,
  isTest: false,
  isDelivered: true,
  isGone: false,
  isSlow: false,
};
const FAILED: AttemptResult = { ...OK, isDelivered: false };
const IS_GONE: AttemptResult = { ...FAILED, isGone: true };
const failures = (count: number): AttemptResult[] => Array<AttemptResult>(count).fill(FAILED);
/** Since so many hours all of so many attempts have failed. */
const failing = (hours: number, failedAttempts: number): Partial<Webhook> => ({
  failingSince: before(hours),
  failedAttempts,
});
const DISABLED: Partial<Webhook> = { status: 'disabled', failingSince: before(1), failedAttempts: 3 };

describe('an endpoint that takes note of attempts', () => {
  it.each<[string, Partial<Webhook>, AttemptResult[], object | undefined, Partial<Webhook>]>([
    ['is well after a success', {}, [OK, OK], undefined, {}],
    ['fails from the first failure on', {}, failures(3), { change: 'failing', reason: null }, failing(0, 3)],
    [
      'fails anew after a success',
      { failedAttempts: 9 },
      [FAILED],
      { change: 'failing', reason: null },
      failing(0, 1),
    ],
    ['goes on failing', failing(7, 20), failures(2), undefined, failing(7, 22)],
    [
      'is well again, whatever else has failed',
      failing(200, 30),
      [FAILED, OK],
      { change: 'well', reason: null },
      { failingSince: null },
    ],
    [
      'is given up after five days and ten attempts',
      failing(120, 7),
      failures(3),
      { change: 'disabled', reason: 'failing' },
      { ...failing(120, 10), status: 'disabled', disabledReason: 'failing' },
    ],
    ['is not after fewer attempts', failing(120, 6), failures(3), undefined, failing(120, 9)],
    ['is not after a shorter time', failing(119.99, 50), failures(3), undefined, failing(119.99, 53)],
    [
      'is given up when it is gone, whatever else was delivered',
      {},
      [OK, IS_GONE],
      { change: 'disabled', reason: 'gone' },
      { ...failing(0, 1), status: 'disabled', disabledReason: 'gone' },
    ],
    [
      'does not change by what its former URL did',
      {},
      [{ ...IS_GONE, url: OTHER, isSlow: true }],
      undefined,
      {},
    ],
    [
      'is not well again by what its former URL did',
      failing(7, 20),
      [{ ...OK, url: OTHER }],
      undefined,
      failing(7, 20),
    ],
    ['does not change by tests', {}, [{ ...IS_GONE, isTest: true }], undefined, {}],
    ['does not change while it is disabled', DISABLED, [FAILED, OK], undefined, DISABLED],
    ['is slow by its last attempt', {}, [OK, { ...OK, isSlow: true }], undefined, { isSlow: true }],
    [
      'is slow by its last test',
      DISABLED,
      [{ ...FAILED, isTest: true, isSlow: true }],
      undefined,
      { ...DISABLED, isSlow: true },
    ],
    ['is fast again', { isSlow: true }, [{ ...OK, isSlow: true }, OK], undefined, { isSlow: false }],
  ])('%s', (_what, state, attempts, change, after) => {
    const well = { ...ENABLED, isSlow: false };
    const webhook = Object.assign(webhookIn(well), state);
    expect(webhook.judge(attempts, NOW)).toEqual(change && { webhookId: webhook.id, ...change });
    expect(webhook).toMatchObject({ ...well, ...after });
  });
});

describe('the JSON of an endpoint', () => {
  it('has the id digit for digit, and nothing that is absent', () => {
    expect(webhookJson(webhookIn(ENABLED))).toBe(
      '{"id":9007199254740993,"url":"https://a.example/","status":"enabled","createdAt":"2026-11-21T19:12:07.100Z"}',
    );
  });
});
