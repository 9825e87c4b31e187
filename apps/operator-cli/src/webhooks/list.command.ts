import type { KeyId } from '@petstore/api-key';
import type { WebhookFilter } from '@petstore/persistence';
import { Command, Option } from 'commander';
import * as values from '../input/option-values.js';
import * as options from '../input/options.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { listText } from './webhooks.view.js';
import { withWebhookMaintenance } from './with-webhook-maintenance.js';

interface ListOptions {
  readonly key?: KeyId;
  readonly status?: WebhookFilter['status'];
  readonly json: boolean;
}

const HELP = `
PENDING counts deliveries that are still to be attempted, up to 1,000. FAILING says for how long every attempt has
failed. Queries of URLs, which may hold secrets of their owners, are left out; --json has them.

Examples:
  $ npm run webhook -- list
  $ npm run webhook -- list --key key_3Hq9uA7LmX0cTz5e --status disabled
  $ npm run --silent webhook -- list --json | jq '.[] | select(.pending > 100) | .id'`;

export function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('every webhook, newest first, at most 1,000')
    .addOption(new Option('--key <id>', 'only webhooks of this key').argParser(values.keyId))
    .addOption(
      new Option('--status <status>', 'only webhooks of this status').choices(['enabled', 'disabled']),
    )
    .addOption(options.jsonOption())
    .addHelpText('after', HELP)
    .action(async ({ key: keyId, status, json }: ListOptions) => {
      const webhooks = await withWebhookMaintenance(terminal, (maintenance) =>
        maintenance.list({ keyId, status }),
      );
      terminal.out(json ? jsonLine(webhooks) : listText(webhooks, new Date(), terminal));
    });
}
