import type { Branded } from '@petstore/pet-domain';
import type { AddressPolicy } from '../address/address-policy.js';

/** URL of an endpoint, normalised: two that are the same for a browser are the same text. */
export type WebhookUrl = Branded<string, 'WebhookUrl'>;

const MAX_LENGTH = 2_048;

/**
 * The URL that `text` spells, normalised (WHATWG URL) and without a dot behind its host, which no certificate has; or what
 * it must do to be allowed: "url must ...". Names are not resolved, so that no client learns from the response what is
 * behind them: they are judged when they are dialled.
 */
function read(text: string, policy: AddressPolicy): { url: WebhookUrl } | { problem: string } {
  const tooLong = { problem: `have at most ${MAX_LENGTH} characters, in its normalised form too` };
  if (text.length > MAX_LENGTH) return tooLong;
  if (!text.isWellFormed() || !URL.canParse(text)) return { problem: 'be a URL' };
  const url = new URL(text);
  if (!policy.permitsProtocol(url.protocol))
    return { problem: policy.http ? 'be an https or http URL' : 'be an https URL' };
  if (url.username !== '' || url.password !== '') return { problem: 'not have a user name or password' };
  // An empty one, too, which `hash` does not show.
  if (url.href.includes('#')) return { problem: 'not have a fragment' };
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.href.length > MAX_LENGTH) return tooLong;
  if (!policy.permitsUrl(url)) return { problem: 'not name an address that is not public' };
  return { url: url.href as WebhookUrl };
}

export const WebhookUrl = {
  /** Longest URL in characters, as sent and normalised. */
  MAX_LENGTH,
  read,
} as const;
