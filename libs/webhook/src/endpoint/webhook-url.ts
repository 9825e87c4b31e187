import type { Branded } from '@petstore/pet-domain';
import type { AddressPolicy } from '../address/address-policy.js';

/** URL of an endpoint, normalised (WHATWG URL): two that are the same for a browser are the same text. */
export type WebhookUrl = Branded<string, 'WebhookUrl'>;

/** Why a URL is not allowed. `address`: it names an address that may not be called. */
export type WebhookUrlProblem =
  | 'malformed'
  | 'too_long'
  | 'protocol'
  | 'credentials'
  | 'fragment'
  | 'address';

const MAX_LENGTH = 2_048;

/**
 * The URL that `text` spells, or what keeps it from being allowed. Names are not resolved, so that no client learns from
 * the response what is behind them: they are judged when they are dialled.
 */
function read(text: string, policy: AddressPolicy): { url: WebhookUrl } | { problem: WebhookUrlProblem } {
  if (text.length > MAX_LENGTH) return { problem: 'too_long' };
  if (!text.isWellFormed() || !URL.canParse(text)) return { problem: 'malformed' };
  const url = new URL(text);
  if (!policy.permitsProtocol(url.protocol)) return { problem: 'protocol' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' };
  // An empty one, too, which `hash` does not show.
  if (url.href.includes('#')) return { problem: 'fragment' };
  if (url.href.length > MAX_LENGTH) return { problem: 'too_long' };
  if (!policy.permitsUrl(url)) return { problem: 'address' };
  return { url: url.href as WebhookUrl };
}

export const WebhookUrl = {
  /** Longest URL in characters, as sent and normalised. */
  MAX_LENGTH,
  read,
} as const;
