import { resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { PetImports, UnitOfWork } from '@petstore/persistence';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import { type CheckedStock, checkStock, type ImportedStock, importStock } from './import-stock.js';
import { withProgress } from './progress.js';
import { openStockFile, type StockFile } from './stock-file.js';
import type { StockFormat } from './stock-format.js';

/** As they are given on the command line. */
export interface ImportOptions extends JsonOptions {
  readonly dryRun: boolean;
  readonly token?: string;
  readonly skipInvalid: boolean;
  readonly format?: StockFormat;
}

/**
 * Checks a file, adds its animals unless that was not asked for, and says what came of it.
 *
 * @throws {CommandError} when the file cannot be read, or lines are refused
 */
export async function runImport(path: string, given: ImportOptions, terminal: Terminal): Promise<void> {
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
