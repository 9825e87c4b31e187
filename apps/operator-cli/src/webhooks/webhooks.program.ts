import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.js';
import { disableCommand } from './disable.command.js';
import { listCommand } from './list.command.js';
import { showCommand } from './show.command.js';

const HELP = `
  $ npm run webhook -- list          every webhook, whose it is, and whether its endpoint responds
  $ npm run webhook -- show 3        one webhook: what it asks for, and its last deliveries
  $ npm run webhook -- disable 3     deliver nothing to it any more

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR. No command shows a secret.

Every command takes --json for scripts (npm run --silent webhook -- list --json) and --help.
Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

/** The command line of the tool for webhooks. */
export function createWebhooksProgram(terminal: Terminal): Command {
  const program = new Command('npm run webhook --')
    .description('Shows and disables the webhooks of the Pet Store Service.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', HELP);
  for (const command of [listCommand, showCommand, disableCommand]) {
    program.addCommand(command(terminal).copyInheritedSettings(program));
  }
  return program;
}
