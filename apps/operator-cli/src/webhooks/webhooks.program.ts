import { readConfiguration } from '@petstore/api';
import type { KeyId } from '@petstore/api-key';
import {
  PostgresWebhookMaintenance,
  UnitOfWork,
  type WebhookFilter,
  type WebhookMaintenance,
} from '@petstore/persistence';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { command, program } from '../command.js';
import { parseKeyId } from '../keys/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { withDatabase } from '../with-database.js';
import { detailsText, listText } from './webhooks.view.js';

const HELP = `
  $ npm run webhook -- list          every webhook, whose it is, and whether its endpoint responds
  $ npm run webhook -- show 3        one webhook: what it asks for, and its last deliveries
  $ npm run webhook -- disable 3     deliver nothing to it any more

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR. No command shows a secret.

Every command takes --json for scripts (npm run --silent webhook -- list --json) and --help.
Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

function withWebhooks<Result>(
  { environment }: Terminal,
  work: (maintenance: WebhookMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(readConfiguration(environment), { applicationName: 'petstore webhook' }, (database) =>
    work(new PostgresWebhookMaintenance(new UnitOfWork(database))),
  );
}

const LARGEST = 9_223_372_036_854_775_807n;

const idArgument = (): Argument =>
  new Argument('<id>', 'the webhook, as list shows it').argParser((text) => {
    if (/^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= LARGEST) return text;
    throw new InvalidArgumentError('An id is a whole number; the command list shows them.');
  });

interface OneWebhook {
  readonly id: string;
}

interface ListOptions {
  readonly key?: KeyId;
  readonly status?: WebhookFilter['status'];
}

const list = command({
  name: 'list',
  description: 'every webhook, newest first, at most 1,000',
  help: `
PENDING counts deliveries that are still to be attempted, up to 1,000. FAILING says for how long every attempt has
failed. Queries of URLs, which may hold secrets of their owners, are left out; --json has them.

Examples:
  $ npm run webhook -- list
  $ npm run webhook -- list --key key_3Hq9uA7LmX0cTz5e --status disabled
  $ npm run --silent webhook -- list --json | jq '.[] | select(.pending > 100) | .id'`,
  takes: () => [
    new Option('--key <id>', 'only webhooks of this key').argParser(parseKeyId),
    new Option('--status <status>', 'only webhooks of this status').choices(['enabled', 'disabled']),
  ],
  run: ({ key: keyId, status }: ListOptions, terminal) =>
    withWebhooks(terminal, (maintenance) => maintenance.list({ keyId, status })),
  json: (webhooks) => webhooks,
  text: (webhooks, terminal) => listText(webhooks, new Date(), terminal),
});

const show = command({
  name: 'show',
  description: 'one webhook and its last deliveries',
  help: `
Shows what the webhook asks for, how many secrets sign its deliveries (never a secret), how many deliveries have
which status, up to 1,000 of each, and the last ten.

Example:
  $ npm run webhook -- show 3`,
  takes: () => [idArgument()],
  run: ({ id }: OneWebhook, terminal) => withWebhooks(terminal, (maintenance) => maintenance.show(id)),
  json: (details) => details,
  text: (details, terminal) => detailsText(details, new Date(), terminal),
});

const disable = command({
  name: 'disable',
  description: 'deliver nothing to a webhook until its owner enables it again',
  help: `
Nothing is delivered to the webhook any more, and what was to be delivered has failed. Its owner can enable it again
and recover what was missed. To keep a key from that, take the scope webhooks:manage from it (npm run key -- update)
or revoke it.

Example:
  $ npm run webhook -- disable 3`,
  takes: () => [idArgument()],
  run: async ({ id }: OneWebhook, terminal) => {
    const wasEnabled = await withWebhooks(terminal, (maintenance) => maintenance.disable(id));
    return { id, status: 'disabled', wasEnabled };
  },
  json: (disabled) => disabled,
  text: ({ id, wasEnabled }) => `The webhook ${id} ${wasEnabled ? 'is disabled' : 'was disabled before'}.\n`,
});

/** The command line of `npm run webhook`. */
export const createWebhooksProgram = program(
  'npm run webhook --',
  'Shows and disables the webhooks of the Pet Store Service.',
  HELP,
  [list, show, disable],
);
