import { resolve } from 'node:path';
import { readConfiguration } from '@petstore/api';
import { PetImports, UnitOfWork } from '@petstore/persistence';
import { InvalidArgumentError, Option } from 'commander';
import { type CommandFactory, jsonOption, program } from '../command.js';
import { CommandError, EXIT } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { jsonLine } from '../view/json-line.js';
import { wholeNumber } from '../view/format.js';
import { withDatabase } from '../with-database.js';
import { type CheckedStock, checkStock } from './check-stock.js';
import { type ImportedStock, importStock } from './import-stock.js';
import { checkedText, flawsText, ignoredText, importedText } from './import.view.js';
import { Progress } from './progress.js';
import { FORMATS, StockFile, type StockFormat } from './stock-file.js';

interface ImportOptions {
  readonly dryRun: boolean;
  readonly token?: string;
  readonly skipInvalid: boolean;
  readonly format?: StockFormat;
  readonly json: boolean;
}

const HELP = `
The file is CSV in UTF-8, whose first line names the columns name, categoryId and, if wanted, status (without one an
animal is available), or NDJSON, a JSON object on each line with these members. Rules are those of POST /v1/pets; other
columns and members are ignored.

All of the file is checked first. If a line is refused nothing is imported, unless --skip-invalid leaves such lines out.
An import that was interrupted goes on where it stopped when the same command is given again: each animal is added once.
To import a file a second time, give another --token.

Examples:
  $ npm run import -- stock.csv --dry-run           check only; needs no database
  $ npm run import -- stock.csv
  $ npm run import -- stock.ndjson --skip-invalid

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR. Each animal makes an event, which the service puts into the feed.

Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong, 3 lines were refused.`;

const DESCRIPTION = 'Adds the animals of a file to the Pet Store Service.';

/** The command line of the tool that imports a stock of animals. */
export const createImportProgram: CommandFactory = (terminal) =>
  program(
    'npm run import --',
    DESCRIPTION,
    HELP,
  )(terminal)
    .argument('<file>', 'a file that ends in .csv, .ndjson or .jsonl')
    .option('--dry-run', 'check every line and write nothing', false)
    .addOption(
      new Option('--token <token>', 'names the import; the content of the file unless given').argParser(
        token,
      ),
    )
    .option('--skip-invalid', 'import the other lines when some are refused', false)
    .addOption(
      new Option('--format <format>', 'what the file is, whatever its name ends in').choices(FORMATS),
    )
    .addOption(jsonOption())
    .action((file: string, given: ImportOptions) => runImport(file, given, terminal));

function token(text: string): string {
  if (/^[!-~]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('A token is 1 to 255 visible ASCII characters.');
}

async function runImport(path: string, given: ImportOptions, terminal: Terminal): Promise<void> {
  // npm changes to the folder of the project, and says where it was called.
  const file = await StockFile.at(resolve(terminal.environment['INIT_CWD'] ?? '', path), given.format);
  const checked = await new Progress(terminal, 'Checking').during((progress) => checkStock(file, progress));
  if (checked.ignored.length > 0) terminal.err(ignoredText(checked.ignored));
  const isStopped = checked.refused > 0 && !given.skipInvalid;
  const outcome = given.dryRun || isStopped ? undefined : await importInto(file, checked, given, terminal);
  terminal.out(
    given.json
      ? jsonLine({ ...resultOf(checked, given, outcome) })
      : flawsText(checked) + textOf(checked, given, outcome),
  );
  if (checked.refused === 0) return;
  const what = `${wholeNumber(checked.refused)} of ${wholeNumber(checked.records)} records were refused`;
  throw new CommandError(
    isStopped && !given.dryRun
      ? `${what}: nothing was imported. Mend them, or leave them out with --skip-invalid.`
      : `${what}.`,
    EXIT.refused,
  );
}

interface Outcome extends ImportedStock {
  readonly seconds: number;
}

async function importInto(
  file: StockFile,
  checked: CheckedStock,
  given: ImportOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const configuration = readConfiguration(terminal.environment);
  const progress = new Progress(terminal, 'Importing');
  return withDatabase(configuration, { applicationName: 'petstore import' }, async (database) => {
    const imports = new PetImports(new UnitOfWork(database));
    const begun = performance.now();
    const imported = await progress.during(() =>
      importStock(file, checked, tokenOf(checked, given), imports, progress),
    );
    return { ...imported, seconds: (performance.now() - begun) / 1_000 };
  });
}

function tokenOf({ fingerprint }: CheckedStock, given: ImportOptions): string {
  return given.token ?? `sha256:${fingerprint}`;
}

function resultOf(checked: CheckedStock, given: ImportOptions, outcome: Outcome | undefined): object {
  const { records, refused, flaws } = checked;
  return {
    token: tokenOf(checked, given),
    dryRun: given.dryRun,
    records,
    refused,
    added: outcome?.added ?? 0,
    addedEarlier: outcome?.addedEarlier ?? 0,
    flaws,
  };
}

function textOf(checked: CheckedStock, given: ImportOptions, outcome: Outcome | undefined): string {
  if (outcome !== undefined) return importedText(outcome, outcome.seconds);
  return given.dryRun ? checkedText(checked) : '';
}
