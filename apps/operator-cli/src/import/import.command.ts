import { type Command, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from '../help.js';
import { JSON_OPTION, type JsonOptions } from '../output.js';
import type { Terminal } from '../terminal.js';
import {
  DATE_ORDER,
  FILE_FORMATS,
  type ImportOptions,
  MISSING,
  parseCategories,
  parseCurrency,
  parseSource,
  parseToken,
} from './import.options.js';

const DESCRIPTION = 'Brings the animals of the Pet Store Service to the state of a file.';

const HELP = `
With --source, an animal is known by the source and its reference in the file: new ones are added, known ones changed
where the file says something else, and the same file twice changes nothing. Without it, each record of a file in the
format petstore is added, once for the same bytes; to add a file a second time, give another --token.

docs/portals.md has the formats and their columns.

All of the file is read and checked first, and nothing is written. If a line is refused nothing is imported, unless
--skip-invalid leaves such lines out. Then it is read again and written some animals at a time, while the service goes
on. A run that ends in the middle has done whole animals, and the same command again does the rest.

Examples:
  $ npm run import -- animals.csv
  $ npm run import -- animals.csv --format petfinder --source my-shelter --category Dog=1,Cat=2 --dry-run
  $ npm run import -- animals.csv --format asm3 --source asm --create-categories --missing sold

${DATABASE_HELP} Each change makes an event, which the service puts into the feed.

${EXIT_HELP}, 3 lines were refused, 4 too many animals would be taken away.`;

/** `npm run import`. */
export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description(DESCRIPTION)
    .addHelpText('after', HELP)
    .argument('<file>', 'the file; --format csv or ndjson says what a petstore file is if its name does not')
    .addOption(
      new Option('--format <format>', 'what the file is; petstore unless given').choices(FILE_FORMATS),
    )
    .option('--source <name>', 'where the file is from; needed for all formats but petstore', parseSource)
    .addOption(
      new Option('--category <pairs>', 'ids of categories by species: dog=7,cat=8')
        .argParser(parseCategories)
        .default(new Map(), 'none'),
    )
    .option('--create-categories', 'make categories for species that have none', false)
    .addOption(
      new Option('--missing <what>', 'what becomes of animals of the source that are not in the file')
        .choices(MISSING.ALL)
        .default('keep'),
    )
    .option('--allow-many-missing', 'also when the file has no animal, or would take many away', false)
    .option('--reopen', 'let animals that the source had called adopted be available or pending again', false)
    .option('--force', 'let another animal take the place of one with the same reference', false)
    .addOption(new Option('--date-order <order>', 'of days such as 03/04/2024').choices(DATE_ORDER.ALL))
    .option('--currency <code>', 'of the fees in files that do not say it', parseCurrency, 'USD')
    .option('--dry-run', 'say what would happen, and write nothing', false)
    .option('--token <token>', 'names an import without source; what is in it unless given', parseToken)
    .option('--skip-invalid', 'import the other lines when some are refused', false)
    .addOption(JSON_OPTION)
    .action(async (file: string, given: ImportOptions & JsonOptions) => {
      const { runImport } = await import('./run-import.js');
      await runImport(file, given, terminal);
    });
}
