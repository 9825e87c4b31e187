import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { WebhookTargets } from '../address/webhook-targets.js';
import { WebhookUrl } from './webhook-url.js';

const strict = new WebhookTargets();
const loopback = new WebhookTargets({ allowedNetworks: ['127.0.0.0/8', '::1'], http: true });

describe('WebhookUrl', () => {
  it.each([
    ['https://shop.example.com/hooks', 'https://shop.example.com/hooks'],
    ['HTTPS://Shop.Example.com:443', 'https://shop.example.com/'],
    [' https://shop.example.com/a/../b?x=1 ', 'https://shop.example.com/b?x=1'],
    ['https://münchen.example/ö', 'https://xn--mnchen-3ya.example/%C3%B6'],
    ['https://1.1.1.1:8443/', 'https://1.1.1.1:8443/'],
    ['https://[2606:4700:4700:0::1111]/', 'https://[2606:4700:4700::1111]/'],
    // Judged when it is dialled, so that nobody learns what resolves to what.
    ['https://localhost/', 'https://localhost/'],
  ])('reads %s as %s', (text, url) => {
    expect(WebhookUrl.read(text, strict)).toEqual({ url });
  });

  it.each([
    ['malformed', ''],
    ['malformed', 'shop.example.com'],
    ['malformed', 'https://'],
    ['malformed', 'https://a b/'],
    ['malformed', 'https://[fe80::1%25eth0]/'],
    ['malformed', 'https://example.com:99999/'],
    ['malformed', 'https://example.com/\uD800'],
    ['protocol', 'http://shop.example.com/'],
    ['protocol', 'ftp://shop.example.com/'],
    ['protocol', 'file:///etc/passwd'],
    ['protocol', 'javascript:alert(1)'],
    ['credentials', 'https://user@shop.example.com/'],
    ['credentials', 'https://:secret@shop.example.com/'],
    ['fragment', 'https://shop.example.com/#a'],
    ['fragment', 'https://shop.example.com/#'],
    ['too_long', `https://shop.example.com/${'a'.repeat(2_048)}`],
    // Short as sent, long as normalised.
    ['too_long', `https://shop.example.com/${'ö'.repeat(1_000)}`],
  ] as const)('refuses as %s: %s', (flaw, text) => {
    expect(WebhookUrl.read(text, strict)).toEqual({ flaw });
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '１２７.0.0.1',
    '127.0.0.1.',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00::1]',
    '[fe80::1]',
  ])('refuses the literal address %s', (host) => {
    expect(WebhookUrl.read(`https://${host}/`, strict)).toEqual({ flaw: 'address' });
  });

  it('takes http under WEBHOOK_HTTP, with literal addresses of allowed networks only', () => {
    expect(WebhookUrl.read('http://127.0.0.1:8080/hook', loopback)).toEqual({
      url: 'http://127.0.0.1:8080/hook',
    });
    expect(WebhookUrl.read('https://[::1]:8443/', loopback)).toEqual({ url: 'https://[::1]:8443/' });
    expect(WebhookUrl.read('http://1.1.1.1/', loopback)).toEqual({ flaw: 'address' });
    expect(WebhookUrl.read('http://10.0.0.1/', loopback)).toEqual({ flaw: 'address' });
    expect(WebhookUrl.read('http://shop.example.com/', loopback)).toEqual({
      url: 'http://shop.example.com/',
    });
  });

  it('is normalised: read again it is itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true }),
          fc.webUrl().map((text) => text.toUpperCase()),
        ),
        (text) => {
          const read = WebhookUrl.read(text, loopback);
          if ('url' in read) expect(WebhookUrl.read(read.url, loopback)).toEqual(read);
        },
      ),
    );
  });

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const read = WebhookUrl.read(text, strict);
          if ('url' in read) expect(read.url).toMatch(/^https:\/\/[^@#]+\/[^#]*$/);
        },
      ),
    );
  });
});
