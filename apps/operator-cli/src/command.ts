import { Argument, Command, Option } from 'commander';
import type { Terminal } from './terminal/terminal.js';
import { jsonLine } from './view/json-line.js';

/** One command: what it takes, what it does, and what is printed of the result. */
export interface CommandDefinition<Given, Result> {
  readonly name: string;
  readonly description: string;
  readonly help: string;
  /** Made anew for each program: commander keeps state in them. */
  readonly takes?: (terminal: Terminal) => readonly (Argument | Option)[];
  /**
   * @param given values of arguments and options, by their names
   * @param refuse ends the command as one that was called in a wrong way
   */
  readonly run: (given: Given, terminal: Terminal, refuse: (message: string) => never) => Promise<Result>;
  /** Printed on one line with `--json`. */
  readonly json: (result: Result) => unknown;
  /** Printed for people. */
  readonly text: (result: Result, terminal: Terminal) => string;
}

/** A command of a program; each call makes a new one. */
export type CommandFactory = (terminal: Terminal) => Command;

/** Declares a command, which also takes `--json`. */
export function command<Given, Result>(definition: CommandDefinition<Given, Result>): CommandFactory {
  const { name, description, help, takes, run, json, text } = definition;
  return (terminal) => {
    const made = new Command(name).description(description).addHelpText('after', help);
    for (const taken of takes?.(terminal) ?? [])
      if (taken instanceof Argument) made.addArgument(taken);
      else made.addOption(taken);
    return made.addOption(jsonOption()).action(async () => {
      const names = made.registeredArguments.map((argument) => argument.name());
      const given = {
        ...made.opts(),
        ...Object.fromEntries(names.map((argument, at) => [argument, made.processedArgs[at]])),
      } as Given & { readonly json: boolean };
      const result = await run(given, terminal, (message) => made.error(message));
      terminal.out(given.json ? jsonLine(json(result)) : text(result, terminal));
    });
  };
}

export const jsonOption = (): Option =>
  new Option('--json', 'print JSON on one line, for scripts').default(false);

/** Declares a program of several commands, or of none: then the caller adds what it takes and does. */
export function program(
  name: string,
  description: string,
  help: string,
  commands: readonly CommandFactory[] = [],
): CommandFactory {
  return (terminal) => {
    const made = new Command(name)
      .description(description)
      .helpCommand(false)
      .exitOverride()
      .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
      .showHelpAfterError('(see --help)')
      .addHelpText('after', help);
    for (const factory of commands) made.addCommand(factory(terminal).copyInheritedSettings(made));
    return made;
  };
}
