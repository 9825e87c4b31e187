import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.js';
import { recountCommand } from './recount.command.js';
import { restartCommand } from './restart.command.js';
import { statusCommand } from './status.command.js';

const HELP = `
  $ npm run events -- status      whether everything that has happened is in the feed
  $ npm run events -- recount     after changes made past the service
  $ npm run events -- restart     after the restore of a backup

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR.

Every command takes --json for scripts (npm run --silent events -- status --json) and --help.
Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

/** The command line of the tool for the feed and for what is kept by it. */
export function createEventsProgram(terminal: Terminal): Command {
  const program = new Command('npm run events --')
    .description('Watches and repairs the event feed and the inventory of the Pet Store Service.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', HELP);
  for (const command of [statusCommand, recountCommand, restartCommand]) {
    program.addCommand(command(terminal).copyInheritedSettings(program));
  }
  return program;
}
