import { Command, CommanderError } from 'commander';
import { EXIT } from './errors.js';
import { addEventsCommand } from './events.command.js';
import { addExportCommand } from './export/export.command.js';
import { addImportCommand } from './import/import.command.js';
import { addKeysCommand } from './keys/keys.command.js';
import { addMigrateCommand } from './migrate.command.js';
import { textLine } from './output.js';
import type { Terminal } from './terminal.js';
import { addWebhooksCommand } from './webhooks.command.js';

/** Runs one command; its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has said what is wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { describeError, exitCodeOf } = await import('./describe-error.js');
    terminal.err(`error: ${describeError(error)}\n`);
    return exitCodeOf(error);
  }
}

/** What commander puts behind an error on a line of its own, with its line end escaped. */
const SUGGESTION = /\\u\{a\}(\(Did you mean [^\n]*\?\))$/m;

/** A key that was given for its id: it is told as lists show it. */
const KEY = /\b(pet_(?:pub_)?(?:live|test)_)[0-9A-Za-z]+/g;

/** The command line; commander keeps state in it, so that each run needs a new one. Commands inherit its settings. */
function createProgram(terminal: Terminal): Command {
  const program = new Command('petstore')
    .description('What operators of the Pet Store Service do.')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ commandUsage })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // It quotes arguments as they were given; a suggestion stands on a line of its own.
      outputError: (text, write) => {
        write(textLine(text.trimEnd()).replace(KEY, '$1...').replace(SUGGESTION, '\n$1'));
      },
    });
  addKeysCommand(program, terminal);
  addEventsCommand(program, terminal);
  addWebhooksCommand(program, terminal);
  addImportCommand(program, terminal);
  addExportCommand(program, terminal);
  addMigrateCommand(program, terminal);
  // The one setting that commander does not pass on.
  for (const command of program.commands) command.helpCommand(false);
  return program;
}

/** `npm run key -- create [options]`: as operators call it. A command that npm calls by another name has it as an alias. */
function commandUsage(command: Command): string {
  const { parent } = command;
  if (parent === null) return `${command.name()} ${command.usage()}`;
  const [script, names] = parent.parent === null ? [command, ''] : [parent, `${command.name()} `];
  return `npm run ${script.aliases()[0] ?? script.name()} -- ${names}${command.usage()}`;
}
