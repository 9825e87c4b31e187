import { VisibleText } from '@petstore/api-key';
import { MAX_COUNTED, type WebhookDetails, type WebhookOverview } from '@petstore/persistence';
import { ago, distance, moment, type Palette, wholeNumber } from './output.js';
import { factTable, listTable } from './tables.js';

const HEADINGS = ['ID', 'KEY', 'NAME', 'STATUS', 'PENDING', 'FAILING', 'URL'];
const DELIVERY_HEADINGS = ['DELIVERY', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'RESULT'];

/** What a person reads of many webhooks. */
export function listText(webhooks: readonly WebhookOverview[], paint: Palette): string {
  if (webhooks.length === 0) return 'There is no webhook.\n';
  const now = new Date();
  const rows = webhooks.map((webhook) => [
    webhook.id,
    webhook.keyId,
    VisibleText.escape(webhook.keyName),
    statusText(webhook, paint),
    countText(webhook.pending),
    failingText(webhook, now, paint),
    urlText(webhook.url),
  ]);
  return listTable(paint, HEADINGS, rows);
}

/** What a person reads of one webhook. */
export function detailsText(webhook: WebhookDetails, paint: Palette): string {
  const now = new Date();
  const { id, url, keyId, keyName, types, description, createdAt, secrets } = webhook;
  const counts = Object.entries(webhook.deliveries).map(([status, count]) => `${countText(count)} ${status}`);
  const facts = factTable(paint, [
    ['Webhook', id],
    ['URL', VisibleText.escape(url)],
    ['Key', `${keyId} (${VisibleText.escape(keyName)})`],
    ['Types', types?.join(', ') ?? 'all that the key may see'],
    ['Description', VisibleText.escape(description ?? 'none')],
    ['Status', statusText(webhook, paint)],
    ['Failing', failingText(webhook, now, paint)],
    ['Added', moment(createdAt)],
    ['Secrets', wholeNumber(secrets)],
    ['Deliveries', counts.join(', ')],
  ]);
  const rows = webhook.lastDeliveries.map((delivery) => deliveryRow(delivery, now));
  return rows.length === 0 ? facts : `${facts}\n${listTable(paint, DELIVERY_HEADINGS, rows)}`;
}

function deliveryRow(delivery: WebhookDetails['lastDeliveries'][number], now: Date): string[] {
  const { id, type, status, attempts, lastAttemptAt, responseStatus, error } = delivery;
  const last = lastAttemptAt === undefined ? 'never' : ago(lastAttemptAt, now);
  const result = [responseStatus, error].filter((part) => part !== undefined).join(' ');
  return [id, type, status, String(attempts), last, result];
}

function statusText({ status, disabledReason }: WebhookOverview, paint: Palette): string {
  if (status === 'enabled') return paint('green', status);
  return paint('red', typeof disabledReason === 'string' ? `${status} (${disabledReason})` : status);
}

function failingText({ failingSince }: WebhookOverview, now: Date, paint: Palette): string {
  const failingMs = failingSince && now.getTime() - failingSince.getTime();
  return typeof failingMs === 'number' ? paint('yellow', `for ${distance(failingMs)}`) : 'no';
}

function countText(count: number): string {
  return count >= MAX_COUNTED ? `${wholeNumber(MAX_COUNTED)}+` : wholeNumber(count);
}

/** Without the query, which may hold a secret of its owner. */
function urlText(url: string): string {
  const [address = '', query] = url.split('?', 2);
  return VisibleText.escape(query === undefined ? address : `${address}?...`);
}
