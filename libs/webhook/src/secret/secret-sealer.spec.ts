import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretNotOpenedError, SecretSealer } from './secret-sealer.js';
import { WebhookSecret } from './webhook-secret.js';

const PEPPER = 'a pepper of the tests';
const sealer = new SecretSealer(PEPPER);
const secret = WebhookSecret.generate();

describe('WebhookSecret', () => {
  it('is whsec_ and the base64 of 32 random bytes, another one each time', () => {
    expect(WebhookSecret.bytesOf(secret)).toHaveLength(32);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(WebhookSecret.of(WebhookSecret.bytesOf(secret))).toBe(secret);
    expect(new Set(Array.from({ length: 100 }, () => WebhookSecret.generate())).size).toBe(100);
  });
});

describe('a sealed secret', () => {
  it('is opened with its pepper, also when that has become an earlier one', () => {
    const sealed = sealer.seal(secret);
    expect(new SecretSealer(PEPPER).open(sealed)).toBe(secret);
    expect(new SecretSealer('the next pepper', ['another pepper', PEPPER]).open(sealed)).toBe(secret);
  });

  it('never looks the same, and shows nothing of the secret', () => {
    const [one, other] = [sealer.seal(secret), sealer.seal(secret)];
    expect(one).not.toEqual(other);
    expect(one.includes(WebhookSecret.bytesOf(secret).subarray(0, 4))).toBe(false);
  });

  it('is not opened without its pepper, and the message says what is missing', () => {
    const other = new SecretSealer('the next pepper', ['another pepper']);
    expect(() => other.open(sealer.seal(secret))).toThrow(SecretNotOpenedError);
    expect(() => other.open(sealer.seal(secret))).toThrow('API_KEY_PEPPER_PREVIOUS');
  });

  it('is not opened when any bit of it has been changed', () => {
    const sealed = sealer.seal(secret);
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => sealer.open(changed)).toThrow(SecretNotOpenedError);
      }),
    );
  });

  it('is not opened when it is shorter, longer, empty or of another version', () => {
    const sealed = sealer.seal(secret);
    for (const bytes of [Buffer.alloc(0), sealed.subarray(1), Buffer.concat([sealed, Buffer.of(0)])])
      expect(() => sealer.open(bytes)).toThrow('not in a form');
    expect(() => sealer.open(Buffer.concat([Buffer.of(2), sealed.subarray(1)]))).toThrow('not in a form');
  });
});
