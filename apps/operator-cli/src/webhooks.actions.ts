import { UnitOfWork, type WebhookFilter, WebhookMaintenance } from '@petstore/persistence';
import type { JsonOptions } from './output.js';
import { resultText } from './result.js';
import type { Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

function withWebhooks<Result>(
  terminal: Terminal,
  work: (maintenance: WebhookMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(
    terminal,
    'petstore webhook',
    ({ database }) => work(new WebhookMaintenance(new UnitOfWork(database))),
    false,
  );
}

/** Shows many webhooks. */
export async function listWebhooks(
  { json, ...filter }: JsonOptions & WebhookFilter,
  terminal: Terminal,
): Promise<void> {
  const all = await withWebhooks(terminal, (maintenance) => maintenance.list(filter));
  const rows = all.map(({ id, keyId, keyName, status, pending, failingSince, url }) => {
    // Without the query, which may hold a secret of its owner.
    const address = url.replace(/\?.*/s, '?...');
    return { id, keyId, keyName, status, pending, failingSince, url: address };
  });
  terminal.out(resultText(json ? all : rows, json));
}

/** Shows one webhook and its last deliveries. */
export async function showWebhook(id: string, { json }: JsonOptions, terminal: Terminal): Promise<void> {
  terminal.out(resultText(await withWebhooks(terminal, (maintenance) => maintenance.show(id)), json));
}

/** Ends the deliveries to a webhook until its owner enables it again. */
export async function disableWebhook(
  id: string,
  { by, json }: JsonOptions & { readonly by: string },
  terminal: Terminal,
): Promise<void> {
  const wasEnabled = await withWebhooks(terminal, (maintenance) => maintenance.disable(id, by));
  terminal.out(resultText({ id, status: 'disabled', wasEnabled }, json));
}
