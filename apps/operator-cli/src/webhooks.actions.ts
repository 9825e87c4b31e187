import {
  MAX_COUNTED,
  UnitOfWork,
  type WebhookFilter,
  WebhookMaintenance,
  type WebhookOverview,
} from '@petstore/persistence';
import { ago, distance, type JsonOptions, jsonLine, moment, wholeNumber } from './output.js';
import { table } from './table.js';
import type { Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

function withWebhooks<Result>(
  terminal: Terminal,
  work: (maintenance: WebhookMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(terminal, 'petstore webhook', ({ database }) =>
    work(new WebhookMaintenance(new UnitOfWork(database))),
  );
}

/** Shows many webhooks. */
export async function listWebhooks(
  { json, ...filter }: JsonOptions & WebhookFilter,
  terminal: Terminal,
): Promise<void> {
  const all = await withWebhooks(terminal, (maintenance) => maintenance.list(filter));
  const rows = all.map((webhook) => [
    webhook.id,
    webhook.keyId,
    webhook.keyName,
    statusText(webhook),
    countText(webhook.pending),
    failingText(webhook),
    // Without the query, which may hold a secret of its owner.
    webhook.url.replace(/\?.*/s, '?...'),
  ]);
  const headings = ['ID', 'KEY', 'NAME', 'STATUS', 'PENDING', 'FAILING', 'URL'];
  terminal.out(json ? jsonLine(all) : table([headings, ...rows]));
}

/** Shows one webhook and its last deliveries. */
export async function showWebhook(id: string, { json }: JsonOptions, terminal: Terminal): Promise<void> {
  const webhook = await withWebhooks(terminal, (maintenance) => maintenance.show(id));
  if (json) {
    terminal.out(jsonLine(webhook));
    return;
  }
  const counts = Object.entries(webhook.deliveries).map(([status, count]) => `${countText(count)} ${status}`);
  const facts = table([
    ['Webhook', webhook.id],
    ['URL', webhook.url],
    ['Key', `${webhook.keyId} (${webhook.keyName})`],
    ['Types', webhook.types?.join(', ') ?? 'all that the key may see'],
    ['Description', webhook.description ?? 'none'],
    ['Status', statusText(webhook)],
    ['Failing', failingText(webhook)],
    ['Added', moment(webhook.createdAt)],
    ['Secrets', wholeNumber(webhook.secrets)],
    ['Deliveries', counts.join(', ')],
  ]);
  const rows = webhook.lastDeliveries.map((delivery) => [
    delivery.id,
    delivery.type,
    delivery.status,
    String(delivery.attempts),
    delivery.lastAttemptAt === undefined ? 'never' : ago(delivery.lastAttemptAt, new Date()),
    [delivery.responseStatus, delivery.error].filter((part) => part !== undefined).join(' '),
  ]);
  const headings = ['DELIVERY', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'RESULT'];
  terminal.out(`${facts}\n${table([headings, ...rows])}`);
}

/** Ends the deliveries to a webhook until its owner enables it again. */
export async function disableWebhook(
  id: string,
  { by, json }: JsonOptions & { readonly by: string },
  terminal: Terminal,
): Promise<void> {
  const wasEnabled = await withWebhooks(terminal, (maintenance) => maintenance.disable(id, by));
  const said = `The webhook ${id} ${wasEnabled ? 'is disabled' : 'was disabled before'}.\n`;
  terminal.out(json ? jsonLine({ id, status: 'disabled', wasEnabled }) : said);
}

function statusText({ status, disabledReason }: WebhookOverview): string {
  return typeof disabledReason !== 'string' ? status : `${status} (${disabledReason})`;
}

function failingText({ failingSince }: WebhookOverview): string {
  return failingSince instanceof Date ? `for ${distance(Date.now() - failingSince.getTime())}` : 'no';
}

function countText(count: number): string {
  return count >= MAX_COUNTED ? `${wholeNumber(MAX_COUNTED)}+` : wholeNumber(count);
}
