import type { CreateOptions } from './client-options.js';
import type { Call } from './transport.js';

/** What all creations have in common: a token, and with it that they may be sent again. */
export function creationSettings({
  idempotencyKey = randomKey(),
}: CreateOptions): Pick<Call, 'headers' | 'repeatable'> {
  return {
    headers: idempotencyKey === false ? {} : { 'Idempotency-Key': idempotencyKey },
    repeatable: idempotencyKey !== false,
  };
}

/** 128 random bits; crypto.randomUUID is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
