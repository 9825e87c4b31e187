import { VisibleText } from '@petstore/api-key';
import { Command, CommanderError, Option } from 'commander';
import { describeError, EXIT, exitCodeOf } from './errors.js';
import { processTerminal, type Terminal } from './terminal.js';

/** Makes the command line of a program; commander keeps state in it, so that each run needs a new one. */
export type ProgramFactory = (terminal: Terminal) => Command;

/** A program to which the caller adds commands, or arguments and what it does; they inherit these settings. */
export function createProgram(name: string, description: string, help: string, terminal: Terminal): Command {
  return new Command(name)
    .description(description)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => {
        write(visibleError(text));
      },
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', help);
}

/** What commander puts behind an error on a line of its own. */
const SUGGESTION = /\n\(Did you mean [^\n]*\?\)$/;

/** An error of commander, which quotes arguments as they were given: control characters in them are escaped, line ends too. */
function visibleError(text: string): string {
  const message = text.replace(/\n$/, '');
  const [suggestion = ''] = SUGGESTION.exec(message) ?? [];
  const rest = message.slice(0, message.length - suggestion.length);
  return `${VisibleText.escape(rest)}${VisibleText.escapeLines(suggestion)}\n`;
}

/** Taken by every command that has a result for scripts. */
export const JSON_OPTION = new Option('--json', 'print JSON on one line, for scripts').default(false);

export interface JsonOptions {
  readonly json: boolean;
}

/** Runs one command of a program; its exit code. */
export async function run(
  factory: ProgramFactory,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await factory(terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has said what is wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.err(`error: ${VisibleText.escapeLines(describeError(error))}\n`);
    return exitCodeOf(error);
  }
}

/** Runs a program as the process that was started for it. */
export async function main(factory: ProgramFactory): Promise<void> {
  process.exitCode = await run(factory, process.argv.slice(2), processTerminal());
}
