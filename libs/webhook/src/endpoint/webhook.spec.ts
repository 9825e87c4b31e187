import { describe, expect, it } from '@jest/globals';
import { FreeText } from '@petstore/pet-domain';
import fc from 'fast-check';
import type { WebhookUrl } from './webhook-url.js';
import { patchWebhook, type Webhook, type WebhookPatch } from './webhook.js';

const text = (value: string): FreeText => {
  const parsed = FreeText.parse(value);
  if (parsed === undefined) throw new Error(`"${value}" is no text.`);
  return parsed;
};

const ONE = 'https://a.example/' as WebhookUrl;
const OTHER = 'https://b.example/' as WebhookUrl;
const ENABLED: Webhook = { url: ONE, status: 'enabled' };
const GONE: Webhook = {
  ...ENABLED,
  status: 'disabled',
  disabledReason: 'gone',
  failingSince: new Date('2026-11-21T19:12:07.123Z'),
};

describe('a patch of an endpoint', () => {
  it('changes what it has, and nothing else', () => {
    const webhook: Webhook = { ...ENABLED, types: ['pet.*'], description: text('The site.') };
    expect(patchWebhook(webhook, { types: ['order.placed'] })).toEqual({
      ...webhook,
      types: ['order.placed'],
    });
  });

  it('takes away what is null', () => {
    const webhook: Webhook = { ...ENABLED, types: ['pet.*'], description: text('The site.') };
    expect(patchWebhook(webhook, { types: null, description: null })).toEqual(ENABLED);
  });

  it('forgives an endpoint that is enabled', () => {
    expect(patchWebhook(GONE, { status: 'enabled' })).toEqual(ENABLED);
    const failing: Webhook = { ...ENABLED, failingSince: GONE.failingSince };
    expect(patchWebhook(failing, { status: 'enabled' })).toEqual(ENABLED);
  });

  it('does not hold against a URL what another one has failed', () => {
    const failing: Webhook = { ...ENABLED, failingSince: GONE.failingSince };
    expect(patchWebhook(failing, { url: OTHER })).toEqual({ ...ENABLED, url: OTHER });
  });

  it('keeps the reason of one that the service disabled before', () => {
    expect(patchWebhook(GONE, { status: 'disabled' })).toBe(GONE);
  });

  it('gives no reason for what is disabled by hand', () => {
    expect(patchWebhook(ENABLED, { status: 'disabled' })).toEqual({ ...ENABLED, status: 'disabled' });
  });

  const optional = { requiredKeys: [] as never[] };
  const patches: fc.Arbitrary<WebhookPatch> = fc.record(
    {
      url: fc.constantFrom(ONE, OTHER),
      types: fc.constantFrom(null, ['pet.*'], ['pet.*', 'order.*']),
      description: fc.constantFrom(null, text('One.'), text('Two.')),
      status: fc.constantFrom('enabled' as const, 'disabled' as const),
    },
    optional,
  );
  const webhooks = fc
    .tuple(fc.constantFrom(ENABLED, GONE), patches)
    .map(([webhook, patch]) => patchWebhook(webhook, patch));

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(webhooks, patches, (webhook, patch) => {
        const once = patchWebhook(webhook, patch);
        expect(patchWebhook(once, patch)).toBe(once);
      }),
    );
  });

  it('leaves no reason behind where nothing is disabled', () => {
    fc.assert(
      fc.property(webhooks, patches, (webhook, patch) => {
        const after = patchWebhook(webhook, patch);
        expect(after.status === 'enabled' && after.disabledReason !== undefined).toBe(false);
      }),
    );
  });
});
