import { resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { IDEMPOTENCY_TOKEN, PetImports, UnitOfWork } from '@petstore/persistence';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError, EXIT, EXIT_HELP } from '../errors.js';
import { JSON_OPTION, type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { DATABASE_HELP, withDatabase } from '../with-database.js';
import { type CheckedStock, checkStock, type ImportedStock, importStock } from './import-stock.js';
import { withProgress } from './progress.js';
import { FORMATS, openStockFile, type StockFile, type StockFormat } from './stock-file.js';

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

interface ImportOptions extends JsonOptions {
  readonly dryRun: boolean;
  readonly token?: string;
  readonly skipInvalid: boolean;
  readonly format?: StockFormat;
}

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
    .action((file: string, given: ImportOptions) => runImport(file, given, terminal));
}

function parseToken(text: string): string {
  if (IDEMPOTENCY_TOKEN.isAllowed(text)) return text;
  throw new InvalidArgumentError(`A token is ${IDEMPOTENCY_TOKEN.expected}.`);
}

async function runImport(path: string, given: ImportOptions, terminal: Terminal): Promise<void> {
  // npm changes to the folder of the project, and says where it was called.
  const file = await openStockFile(resolve(terminal.environment['INIT_CWD'] ?? '', path), given.format);
  const checked = await withProgress(terminal, 'Checking', (report) => checkStock(file, report));
  const { fingerprint, records, refused, flaws, ignored } = checked;
  if (ignored.length > 0) terminal.err(ignoredText(ignored));
  const token = given.token ?? `sha256:${fingerprint}`;
  const isStopped = refused > 0 && !given.skipInvalid;
  const result = given.dryRun || isStopped ? undefined : await addAnimals(file, checked, token, terminal);
  if (given.json) {
    const { added = 0, addedEarlier = 0 } = result ?? {};
    terminal.out(jsonLine({ token, dryRun: given.dryRun, records, refused, added, addedEarlier, flaws }));
  } else {
    terminal.out(flawsText(checked) + resultText(checked, result, given.dryRun));
  }
  if (refused === 0) return;
  const what = `${wholeNumber(refused)} of ${wholeNumber(records)} records were refused`;
  throw new CommandError(
    isStopped && !given.dryRun
      ? `${what}: nothing was imported. Mend them, or leave them out with --skip-invalid.`
      : `${what}.`,
    EXIT.refused,
  );
}

/** What was imported, and how long it took. */
interface ImportResult extends ImportedStock {
  readonly seconds: number;
}

function addAnimals(
  file: StockFile,
  checked: CheckedStock,
  token: string,
  terminal: Terminal,
): Promise<ImportResult> {
  return withDatabase(terminal, 'petstore import', async ({ database }) => {
    const imports = new PetImports(new UnitOfWork(database));
    const begun = performance.now();
    const imported = await withProgress(terminal, 'Importing', (report) =>
      importStock(file, checked, token, imports, report),
    );
    return { ...imported, seconds: (performance.now() - begun) / 1_000 };
  });
}

/** A line for each flaw, as compilers write it. */
function flawsText({ flaws, refused }: CheckedStock): string {
  const lines = flaws
    .map(({ line, field, reason }) => `line ${line}: ${field === undefined ? '' : `${field} `}${reason}\n`)
    .join('');
  const listed = new Set(flaws.map(({ line }) => line)).size;
  return refused > listed ? `${lines}and ${wholeNumber(refused - listed)} more lines\n` : lines;
}

function ignoredText(columns: readonly string[]): string {
  return `note: these columns are ignored: ${VisibleText.escape(columns.join(', ').slice(0, 200))}\n`;
}

/** @param result `undefined` if nothing was to be imported */
function resultText(
  { records, refused }: CheckedStock,
  result: ImportResult | undefined,
  dryRun: boolean,
): string {
  if (result !== undefined) return importedText(result);
  return dryRun ? `${animals(records - refused)} can be imported. Nothing was written.\n` : '';
}

function importedText({ added, addedEarlier, seconds }: ImportResult): string {
  if (added === 0 && addedEarlier > 0)
    return `Nothing to do: ${animals(addedEarlier)} of this file were imported earlier.\n`;
  const rate = seconds > 0 ? `, ${wholeNumber(Math.round(added / seconds))} a second` : '';
  const before = addedEarlier > 0 ? ` ${animals(addedEarlier)} had been imported earlier.` : '';
  return `Imported ${animals(added)} in ${seconds.toFixed(1)} s${rate}.${before}\n`;
}

function animals(count: number): string {
  return `${wholeNumber(count)} ${count === 1 ? 'animal' : 'animals'}`;
}
