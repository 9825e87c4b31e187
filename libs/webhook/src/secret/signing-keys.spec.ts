import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretNotOpenedError, SecretSealer } from './secret-sealer.js';
import { SigningKeys } from './signing-keys.js';
import { WebhookSecret } from './webhook-secret.js';

/** Counts what it opens. */
class CountingSealer extends SecretSealer {
  opened = 0;

  override open(sealed: Uint8Array): WebhookSecret {
    this.opened++;
    return super.open(sealed);
  }
}

const sealer = new CountingSealer('a pepper of the tests');

describe('a signing key', () => {
  it('is that of the secret, which is opened once', () => {
    const keys = new SigningKeys(sealer);
    const secret = WebhookSecret.generate();
    const sealed = sealer.seal(secret);
    sealer.opened = 0;
    const expected = createHmac('sha256', WebhookSecret.bytesOf(secret)).update('text').digest('hex');
    for (let n = 0; n < 3; n++)
      expect(
        createHmac('sha256', keys.of(Buffer.from(sealed)))
          .update('text')
          .digest('hex'),
      ).toBe(expected);
    expect(sealer.opened).toBe(1);
  });

  it('is kept for the thousand secrets that were used last', () => {
    const keys = new SigningKeys(sealer);
    const seal = (): Buffer => sealer.seal(WebhookSecret.generate());
    const [first, second] = [seal(), seal()];
    for (const sealed of [first, second]) keys.of(sealed);
    for (let n = 0; n < 998; n++) keys.of(seal());
    keys.of(first);
    keys.of(seal());
    sealer.opened = 0;
    keys.of(first);
    expect(sealer.opened).toBe(0);
    keys.of(second);
    expect(sealer.opened).toBe(1);
  });

  it('is none for what cannot be opened, however often it is asked for', () => {
    const keys = new SigningKeys(new SecretSealer('another pepper'));
    const sealed = sealer.seal(WebhookSecret.generate());
    for (let n = 0; n < 2; n++) expect(() => keys.of(sealed)).toThrow(SecretNotOpenedError);
  });
});
