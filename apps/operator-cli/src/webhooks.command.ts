import type { KeyId } from '@petstore/api-key';
import { WebhookId, type WebhookFilter, type WebhookMaintenance, WebhookStatus } from '@petstore/persistence';
import { type Command, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from './help.js';
import { parseBy, parseKeyId } from './keys/options.js';
import { JSON_OPTION, type JsonOptions, jsonLine } from './output.js';
import type { Terminal } from './terminal.js';
import { parserOf } from './values.js';

const DESCRIPTION = 'Shows and disables the webhooks of the Pet Store Service.';

const HELP = `
${DATABASE_HELP} No command shows a secret.

Every command takes --json for scripts (npm run --silent webhook -- list --json) and --help.
${EXIT_HELP}.`;

const LIST_HELP = `
PENDING counts deliveries that are still to be attempted, up to 1,000; FAILING says for how long every attempt has
failed. Queries of URLs, which may hold secrets of their owners, are in --json only.

Examples:
  $ npm run webhook -- list
  $ npm run webhook -- list --key key_3Hq9uA7LmX0cTz5e --status disabled
  $ npm run --silent webhook -- list --json | jq '.[] | select(.pending > 100) | .id'`;

const SHOW_HELP = `
Example:
  $ npm run webhook -- show 3`;

const DISABLE_HELP = `
Nothing is delivered to the webhook any more, and what was to be delivered has failed. Its owner can enable it again
and replay what was missed. To keep a key from that, take the scope webhooks:manage from it (npm run key -- update)
or revoke it. Who disabled it is in the history of its key (npm run key -- show).

Example:
  $ npm run webhook -- disable 3`;

interface ListOptions extends JsonOptions {
  readonly key?: KeyId;
  readonly status?: WebhookFilter['status'];
}

const parseWebhookId = parserOf(WebhookId, 'An id');

/** `npm run webhook`. */
export function addWebhooksCommand(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .alias('webhook')
    .description(DESCRIPTION)
    .addHelpText('after', HELP);
  const withWebhooks = async <Result>(
    work: (maintenance: WebhookMaintenance) => Promise<Result>,
  ): Promise<Result> => (await import('./with-database.js')).withWebhooks(terminal, work);

  webhooks
    .command('list')
    .description('every webhook, newest first, at most 1,000')
    .option('--key <id>', 'only webhooks of this key', parseKeyId)
    .addOption(new Option('--status <status>', 'only webhooks of this status').choices(WebhookStatus.ALL))
    .addOption(JSON_OPTION)
    .addHelpText('after', LIST_HELP)
    .action(async ({ key: keyId, status, json }: ListOptions) => {
      const all = await withWebhooks((maintenance) => maintenance.list({ keyId, status }));
      const { listText } = await import('./webhook.view.js');
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
      const { detailsText } = await import('./webhook.view.js');
      terminal.out(json ? jsonLine(details) : detailsText(details, terminal.paint));
    });

  webhooks
    .command('disable')
    .description('deliver nothing to a webhook until its owner enables it again')
    .argument('<id>', 'the webhook, as list shows it', parseWebhookId)
    .option('--by <who>', 'who does this, for the audit', parseBy, terminal.user)
    .addOption(JSON_OPTION)
    .addHelpText('after', DISABLE_HELP)
    .action(async (id: string, { by, json }: JsonOptions & { by: string }) => {
      const wasEnabled = await withWebhooks((maintenance) => maintenance.disable(id, by));
      terminal.out(
        json
          ? jsonLine({ id, status: 'disabled', wasEnabled })
          : `The webhook ${id} ${wasEnabled ? 'is disabled' : 'was disabled before'}.\n`,
      );
    });
}
