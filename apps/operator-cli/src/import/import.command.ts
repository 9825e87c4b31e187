import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from '../help.js';
import { JSON_OPTION, type JsonOptions } from '../output.js';
import type { Terminal } from '../terminal.js';
import {
  DATE_ORDER,
  FileFormat,
  type ImportOptions,
  MISSING,
  parseCategories,
  parseCurrency,
  parseSource,
} from './import.options.js';

const DESCRIPTION = 'Brings the animals of the Pet Store Service to the state of a file.';

const HELP = `
With --source, an animal is known by the source and its reference in the file: new ones are added, known ones changed
where the file says something else, and the same file twice changes nothing. Without it, each record of a file in the
format petstore is added, once for the same bytes; to add a file a second time, give another --token.

petstore is CSV in UTF-8, whose first line names the columns name, categoryId and, if wanted, status and columns of a
profile, or NDJSON with the body of POST /v1/pets on each line. docs/portals.md has the columns of all formats.

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
    .argument(
      '<file>',
      'the file; petstore files end in .csv, .ndjson or .jsonl, or their --format is csv or ndjson',
    )
    .addOption(
      new Option('--format <format>', 'what the file is; petstore unless given').choices(FileFormat.ALL),
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
    .option(
      '--allow-many-missing',
      'also when the file is empty, or takes more than half of the animals, or more than ten and a fifth of them',
      false,
    )
    .option(
      '--reopen',
      'let animals that the source had called adopted become available or pending again',
      false,
    )
    .option('--force', 'let another animal take the place of one with the same reference', false)
    .addOption(
      new Option('--date-order <order>', 'of days such as 03/04/2024, which are refused without it').choices(
        DATE_ORDER.ALL,
      ),
    )
    .option('--currency <code>', 'of the fees in files that do not say it', parseCurrency, 'USD')
    .option('--dry-run', 'say what would happen, and write nothing', false)
    .option(
      '--token <token>',
      'names an import without source; the content of the file unless given',
      parseToken,
    )
    .option('--skip-invalid', 'import the other lines when some are refused', false)
    .addOption(JSON_OPTION)
    .action(async (file: string, given: ImportOptions & JsonOptions) => {
      const { runImport } = await import('./run-import.js');
      await runImport(file, given, terminal);
    });
}

function parseToken(text: string): string {
  if (IDEMPOTENCY_TOKEN.isAllowed(text)) return text;
  throw new InvalidArgumentError(`A token is ${IDEMPOTENCY_TOKEN.description}.`);
}
