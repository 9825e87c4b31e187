import { parseJson } from './json.js';
import type { PetStoreEvent } from './resources.js';

/** Header fields of a request: those of `fetch`, or of Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How many seconds the clocks may differ, transport included; 300 unless given. */
  readonly toleranceSeconds?: number;
}

/** A request that is no delivery of the service, or not any more. Respond with 400, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    /** `headers`: one is missing or malformed. `timestamp`: too old, or from the future. `signature`: none matches. */
    readonly reason: 'headers' | 'timestamp' | 'signature',
    message: string,
  ) {
    super(message);
  }
}

/** Most signatures that are checked: the service sends two at most. */
const MAX_SIGNATURES = 10;
const SECRET = /^\s*whsec_([A-Za-z0-9+/]{43}=)\s*$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Checks that a request was sent by the service, to the owner of the secret, a short time ago (Standard Webhooks 1.0.0;
 * `docs/contract.md`, "Deliveries"). Works wherever WebCrypto does.
 *
 * @param body as it arrived: bytes, or their text. JSON that was parsed and written again has another signature.
 * @param headers where one has several values it is refused; an array of one value is that value
 * @param secret `whsec_...`; white space around it, such as the newline at the end of a file, does not count
 * @returns the event, with int64 values as `bigint`; a test has the type `webhook.test`
 * @throws WebhookVerificationError; TypeError for a secret that is none
 */
export async function verifyWebhook(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<PetStoreEvent> {
  const key = await keyOf(secret);
  const id = fieldOf(headers, 'webhook-id');
  const timestamp = fieldOf(headers, 'webhook-timestamp');
  const signatures = fieldOf(headers, 'webhook-signature').split(' ').slice(0, MAX_SIGNATURES);
  refuseOld(timestamp, toleranceSeconds);
  const payload = new Blob([body as BlobPart]);
  const signed = await new Blob([`${id}.${timestamp}.`, payload]).arrayBuffer();
  for (const signature of signatures) {
    const [, base64] = SIGNATURE.exec(signature) ?? [];
    // WebCrypto compares in constant time.
    if (base64 !== undefined && (await crypto.subtle.verify('HMAC', key, bytesOf(base64), signed)))
      return parseJson(await payload.text()) as PetStoreEvent;
  }
  throw new WebhookVerificationError('signature', 'No signature of the request matches the secret.');
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 === undefined)
    throw new TypeError('The secret must be the one that the service gave: whsec_...');
  return crypto.subtle.importKey('raw', bytesOf(base64), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function fieldOf(headers: WebhookHeaders, name: string): string {
  // By what they can do: frameworks have `Headers` of their own.
  const given: unknown =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const [value, ...others] = [given].flat();
  if (others.length === 0 && typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers', `The request must have the header field ${name} once.`);
}

function refuseOld(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('headers', 'The header field webhook-timestamp must be Unix seconds.');
  const difference = Math.abs(Date.now() / 1_000 - Number(timestamp));
  // Also for a tolerance that is no number.
  if (!(difference <= toleranceSeconds))
    throw new WebhookVerificationError('timestamp', 'The request is too old, or the clocks differ.');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
