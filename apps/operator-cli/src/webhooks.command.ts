import { type KeyId, VisibleText } from '@petstore/api-key';
import {
  type DeliveryOverview,
  UnitOfWork,
  type WebhookDetails,
  type WebhookFilter,
  WebhookMaintenance,
  type WebhookOverview,
} from '@petstore/persistence';
import { isPositiveInt64 } from '@petstore/pet-domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT_HELP } from './errors.js';
import { parseKeyId } from './keys/options.js';
import {
  ago,
  distance,
  factTable,
  JSON_OPTION,
  type JsonOptions,
  jsonLine,
  listTable,
  moment,
  type Palette,
  wholeNumber,
} from './output.js';
import type { Terminal } from './terminal.js';
import { DATABASE_HELP, withDatabase } from './with-database.js';

const DESCRIPTION = 'Shows and disables the webhooks of the Pet Store Service.';

const HELP = `
  $ npm run webhook -- list          every webhook, whose it is, and whether its endpoint responds
  $ npm run webhook -- show 3        one webhook: what it asks for, and its last deliveries
  $ npm run webhook -- disable 3     deliver nothing to it any more

${DATABASE_HELP} No command shows a secret.

Every command takes --json for scripts (npm run --silent webhook -- list --json) and --help.
${EXIT_HELP}.`;

const LIST_HELP = `
PENDING counts deliveries that are still to be attempted, up to 1,000. FAILING says for how long every attempt has
failed. Queries of URLs, which may hold secrets of their owners, are left out; --json has them.

Examples:
  $ npm run webhook -- list
  $ npm run webhook -- list --key key_3Hq9uA7LmX0cTz5e --status disabled
  $ npm run --silent webhook -- list --json | jq '.[] | select(.pending > 100) | .id'`;

const SHOW_HELP = `
Shows what the webhook asks for, how many secrets sign its deliveries (never a secret), how many deliveries have
which status, up to 1,000 of each, and the last ten.

Example:
  $ npm run webhook -- show 3`;

const DISABLE_HELP = `
Nothing is delivered to the webhook any more, and what was to be delivered has failed. Its owner can enable it again
and recover what was missed. To keep a key from that, take the scope webhooks:manage from it (npm run key -- update)
or revoke it.

Example:
  $ npm run webhook -- disable 3`;

interface ListOptions extends JsonOptions {
  readonly key?: KeyId;
  readonly status?: WebhookFilter['status'];
}

/** `npm run webhook`. */
export function addWebhooksCommand(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .alias('webhook')
    .description(DESCRIPTION)
    .addHelpText('after', HELP);
  const withWebhooks = <Result>(
    work: (maintenance: WebhookMaintenance) => Promise<Result>,
  ): Promise<Result> =>
    withDatabase(terminal, 'petstore webhook', ({ database }) =>
      work(new WebhookMaintenance(new UnitOfWork(database))),
    );

  webhooks
    .command('list')
    .description('every webhook, newest first, at most 1,000')
    .option('--key <id>', 'only webhooks of this key', parseKeyId)
    .addOption(
      new Option('--status <status>', 'only webhooks of this status').choices(['enabled', 'disabled']),
    )
    .addOption(JSON_OPTION)
    .addHelpText('after', LIST_HELP)
    .action(async ({ key: keyId, status, json }: ListOptions) => {
      const all = await withWebhooks((maintenance) => maintenance.list({ keyId, status }));
      terminal.out(json ? jsonLine(all) : listText(all, terminal.paint));
    });

  webhooks
    .command('show')
    .description('one webhook and its last deliveries')
    .argument('<id>', 'the webhook, as list shows it', parseWebhookId)
    .addOption(JSON_OPTION)
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, { json }: JsonOptions) => {
      const details = await withWebhooks((maintenance) => maintenance.show(id));
      terminal.out(json ? jsonLine(details) : detailsText(details, terminal.paint));
    });

  webhooks
    .command('disable')
    .description('deliver nothing to a webhook until its owner enables it again')
    .argument('<id>', 'the webhook, as list shows it', parseWebhookId)
    .addOption(JSON_OPTION)
    .addHelpText('after', DISABLE_HELP)
    .action(async (id: string, { json }: JsonOptions) => {
      const wasEnabled = await withWebhooks((maintenance) => maintenance.disable(id));
      terminal.out(
        json
          ? jsonLine({ id, status: 'disabled', wasEnabled })
          : `The webhook ${id} ${wasEnabled ? 'is disabled' : 'was disabled before'}.\n`,
      );
    });
}

function parseWebhookId(text: string): string {
  if (isPositiveInt64(text)) return text;
  throw new InvalidArgumentError('An id is a whole number; the command list shows them.');
}

const HEADINGS = ['ID', 'KEY', 'NAME', 'STATUS', 'PENDING', 'FAILING', 'URL'];
const DELIVERY_HEADINGS = ['DELIVERY', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'RESULT'];

/** More are not counted. */
const MAX_COUNTED = 1_000;

/** What a person reads of many webhooks. */
function listText(webhooks: readonly WebhookOverview[], paint: Palette): string {
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
function detailsText(webhook: WebhookDetails, paint: Palette): string {
  const now = new Date();
  const { id, url, keyId, keyName, types, description, createdAt, secrets } = webhook;
  const counts = Object.entries(webhook.deliveries).map(([status, count]) => `${countText(count)} ${status}`);
  const facts = factTable(paint, [
    ['Webhook', id],
    ['URL', VisibleText.escape(url)],
    ['Key', `${keyId} (${VisibleText.escape(keyName)})`],
    ['Types', types?.join(', ') ?? 'all that the key may see'],
    ['Description', description === undefined ? 'none' : VisibleText.escape(description)],
    ['Status', statusText(webhook, paint)],
    ['Failing', failingText(webhook, now, paint)],
    ['Added', moment(new Date(createdAt))],
    ['Secrets', wholeNumber(secrets)],
    ['Deliveries', counts.join(', ')],
  ]);
  const rows = webhook.lastDeliveries.map((delivery) => deliveryRow(delivery, now));
  return rows.length === 0 ? facts : `${facts}\n${listTable(paint, DELIVERY_HEADINGS, rows)}`;
}

function deliveryRow(delivery: DeliveryOverview, now: Date): string[] {
  const { id, type, status, attempts, lastAttemptAt, responseStatus, error } = delivery;
  const last = lastAttemptAt === undefined ? 'never' : ago(new Date(lastAttemptAt), now);
  const result = [responseStatus, error].filter((part) => part !== undefined).join(' ');
  return [id, type, status, String(attempts), last, result];
}

function statusText({ status, disabledReason }: WebhookOverview, paint: Palette): string {
  if (status === 'enabled') return paint('green', status);
  return paint('red', disabledReason === undefined ? status : `${status} (${disabledReason})`);
}

function failingText({ failingSince }: WebhookOverview, now: Date, paint: Palette): string {
  if (failingSince === undefined) return 'no';
  return paint('yellow', `for ${distance(now.getTime() - Date.parse(failingSince))}`);
}

function countText(count: number): string {
  return count >= MAX_COUNTED ? `${wholeNumber(MAX_COUNTED)}+` : wholeNumber(count);
}

/** Without the query, which may hold a secret of its owner. */
function urlText(url: string): string {
  const [address = '', query] = url.split('?', 2);
  return VisibleText.escape(query === undefined ? address : `${address}?...`);
}
