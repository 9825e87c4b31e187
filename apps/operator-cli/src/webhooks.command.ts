import type { KeyId } from '@petstore/api-key';
import { type WebhookFilter, WebhookId, WebhookStatus } from '@petstore/persistence';
import { type Command, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from './help.js';
import { parseBy, parseKeyId } from './keys/options.js';
import { JSON_OPTION, type JsonOptions } from './output.js';
import type { Terminal } from './terminal.js';
import { parserOf } from './values.js';

const DESCRIPTION = 'Shows and disables the webhooks of the Pet Store Service.';

const HELP = `
${DATABASE_HELP} No command shows a secret.

Every command takes --json for scripts (npm run --silent webhook -- list --json) and --help.
${EXIT_HELP}.`;

const LIST_HELP = `
pending counts deliveries that are still to be attempted, up to 1,000; failingSince says since when every attempt has
failed. Queries of URLs, which may hold secrets of their owners, are in --json only.

Examples:
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

  webhooks
    .command('list')
    .description('every webhook, newest first, at most 1,000')
    .option('--key <id>', 'only webhooks of this key', parseKeyId)
    .addOption(new Option('--status <status>', 'only webhooks of this status').choices(WebhookStatus.ALL))
    .addOption(JSON_OPTION)
    .addHelpText('after', LIST_HELP)
    .action(async ({ key: keyId, ...given }: ListOptions) =>
      (await import('./webhooks.actions.js')).listWebhooks({ keyId, ...given }, terminal),
    );

  webhooks
    .command('show')
    .description('one webhook and its last deliveries')
    .argument('<id>', 'the webhook, as list shows it', parseWebhookId)
    .addOption(JSON_OPTION)
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, given: JsonOptions) =>
      (await import('./webhooks.actions.js')).showWebhook(id, given, terminal),
    );

  webhooks
    .command('disable')
    .description('deliver nothing to a webhook until its owner enables it again')
    .argument('<id>', 'the webhook, as list shows it', parseWebhookId)
    .option('--by <who>', 'who does this, for the audit', parseBy, terminal.user)
    .addOption(JSON_OPTION)
    .addHelpText('after', DISABLE_HELP)
    .action(async (id: string, given: JsonOptions & { by: string }) =>
      (await import('./webhooks.actions.js')).disableWebhook(id, given, terminal),
    );
}
