import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DATABASE_HELP, EXIT_HELP } from '../help.js';
import { JSON_OPTION } from '../output.js';
import type { Terminal } from '../terminal.js';
import type { ImportOptions } from './run-import.js';
import { FORMATS } from './stock-format.js';

const DESCRIPTION = 'Adds the animals of a file to the Pet Store Service.';

const HELP = `
The file is CSV in UTF-8, whose first line names the columns name, categoryId and, if wanted, status (without one an
animal is available), or NDJSON, a JSON object on each line with these members. Rules are those of POST /v1/pets; other
columns and members are ignored, and so are rows of nothing but commas, and white space around a number or a status. A
categoryId with an exponent, as spreadsheets write long numbers, is refused in CSV: it has been rounded.

A profile is a member "profile" of an object, or these columns, any of them in any order; an empty cell is absent:
  species, breeds, mixedBreed, ageGroup, bornOn, sex, size, coat, colors, description, goodWithChildren, goodWithDogs,
  goodWithCats, spayedNeutered, houseTrained, vaccinated, specialNeeds, adoptionFeeAmount, adoptionFeeCurrency, location,
  reference, page, photos, photoDescriptions
breeds, colors, photos and photoDescriptions separate their values by |; the descriptions are in the order of the photos.

All of the file is checked first. If a line is refused nothing is imported, unless --skip-invalid leaves such lines out.
An import that was interrupted goes on where it stopped when the same command is given again: each animal is added once.
To import a file a second time, give another --token.

Examples:
  $ npm run import -- stock.csv --dry-run           check only; needs no database
  $ npm run import -- stock.csv
  $ npm run import -- stock.ndjson --skip-invalid

${DATABASE_HELP} Each animal makes an event, which the service puts into the feed.

${EXIT_HELP}, 3 lines were refused.`;

/** `npm run import`. */
export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description(DESCRIPTION)
    .addHelpText('after', HELP)
    .argument('<file>', 'a file that ends in .csv, .ndjson or .jsonl')
    .option('--dry-run', 'check every line and write nothing', false)
    .option('--token <token>', 'names the import; the content of the file unless given', parseToken)
    .option('--skip-invalid', 'import the other lines when some are refused', false)
    .addOption(
      new Option('--format <format>', 'what the file is, whatever its name ends in').choices(FORMATS),
    )
    .addOption(JSON_OPTION)
    .action(async (file: string, given: ImportOptions) => {
      const { runImport } = await import('./run-import.js');
      await runImport(file, given, terminal);
    });
}

function parseToken(text: string): string {
  if (IDEMPOTENCY_TOKEN.isAllowed(text)) return text;
  throw new InvalidArgumentError(`A token is ${IDEMPOTENCY_TOKEN.expected}.`);
}
