import type { Client as PgClient } from 'pg';
import type { HandledOperation } from '../src/operations/operation.js';
import type { WebhookErrorCode } from '../src/webhooks/webhook.errors.js';
import type { Client, Reply } from './client.js';
import type { RunningService } from './running-service.js';

/** Brings an error about, for any operation that responds with it. */
export type Way = (operation: HandledOperation) => Promise<Reply>;

/** What a request is beside what its operation says. */
export interface Ask {
  readonly by?: Client;
  /** For parameters in the path; 1 unless said. */
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the ways work with; it is there when they are taken. */
interface Given {
  readonly running: RunningService;
  readonly client: Client;
  readonly sql: PgClient;
}

/** What brings each error of webhooks about. @param ask sends a request of the operation */
export function webhookErrorWays(
  ask: (operation: HandledOperation, sent?: Ask) => Promise<Reply>,
  given: () => Given,
): Record<WebhookErrorCode, Way> {
  return {
    webhook_not_found: (operation) => ask(operation, { id: '9223372036854775807' }),
    // A new webhook has no deliveries.
    delivery_not_found: async (operation) => ask(operation, { id: await addWebhook(given().client) }),
    webhook_limit_reached: async (operation) => {
      const by = await given().running.client();
      for (let n = 1; n <= 10; n++) await by.post('/v1/webhooks', { url: `https://shop-${n}.example/` });
      return ask(operation, { by });
    },
    webhook_url_taken: async (operation) => {
      const url = 'https://taken.example/';
      await given().client.post('/v1/webhooks', { url });
      return ask(operation, { id: await addWebhook(given().client), body: { url } });
    },
    webhook_disabled: async (operation) => {
      const id = await addWebhook(given().client);
      // With the id of the webhook, since all ids of a path are the same here.
      await given().sql.query('delete from webhook_deliveries where id = $1', [id]);
      await given().sql.query(
        `insert into webhook_deliveries (id, webhook_id, position, type, status) overriding system value
       values ($1, $1, 1, 'pet.created', 'failed')`,
        [id],
      );
      await given().client.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
      return ask(operation, { id });
    },
  };
}

let webhooks = 0;

/** Id of a new webhook, which takes the place of the one before. */
export async function addWebhook(client: Client): Promise<string> {
  await client.delete(`/v1/webhooks/${webhooks}`);
  const { text } = await client.post('/v1/webhooks', { url: `https://shop-${webhooks}.example/` });
  const id = /"id":(\d+)/.exec(text)?.[1] ?? '';
  webhooks = Number(id);
  return id;
}
