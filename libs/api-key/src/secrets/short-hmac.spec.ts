import { expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { ShortHmac } from './short-hmac.js';

it('is the HMAC-SHA-256 of node:crypto', () => {
  const secrets = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const texts = fc.string({ minLength: 41, maxLength: 41, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(secrets, fc.array(texts, { minLength: 1, maxLength: 3 }), (secret, all) => {
      const hmac = new ShortHmac(secret, 41);
      for (const text of all)
        expect(hmac.hexOf(text)).toBe(createHmac('sha256', secret).update(text).digest('hex'));
    }),
  );
});
