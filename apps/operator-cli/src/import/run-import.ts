import { resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import {
  type Database,
  ImportedMeanwhileError,
  PetImportSchema,
  StockImport,
  StockSession,
} from '@petstore/persistence';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import type { ImportOptions } from './import.options.js';
import { type ImportedStock, stageStock } from './import-stock.js';
import { withProgress } from './progress.js';
import { openStockFile, type StockFile } from './stock-file.js';

/**
 * Brings the stock to the state of a file, unless that was not asked for, and says what came of it.
 *
 * @throws {CommandError} when the file cannot be read, or lines are refused
 */
export async function runImport(
  path: string,
  given: ImportOptions & JsonOptions,
  terminal: Terminal,
): Promise<void> {
  // npm changes to the folder of the project, and says where it was called.
  const file = await openStockFile(resolve(terminal.environment['INIT_CWD'] ?? '', path), given.format);
  if (given.source === undefined && file.format !== 'csv' && file.format !== 'ndjson')
    throw new CommandError(
      `The format ${file.format} needs --source: the name of where the file is from.`,
      EXIT.usage,
    );
  if (given.source === undefined && given.missing !== 'keep')
    throw new CommandError('--missing needs --source: whose animals are meant.', EXIT.usage);
  if (given.source !== undefined && given.token !== undefined)
    throw new CommandError('--token names an import without --source.', EXIT.usage);
  const begun = performance.now();
  const result = await withDatabase(terminal, 'petstore import', ({ database }) =>
    importFile(database, file, given, terminal),
  );
  print(result, given, (performance.now() - begun) / 1_000, terminal);
}

/** What came of an import. */
interface ImportResult extends ImportedStock {
  /** Of an import without a source. */
  readonly token?: string;
  /** How many animals of the file an earlier run has added. */
  readonly addedEarlier: number;
}

function importFile(
  database: Database,
  file: StockFile,
  given: ImportOptions,
  terminal: Terminal,
): Promise<ImportResult> {
  return StockSession.run(database.settings, async (session) => {
    const stock = await StockImport.begin(session, given.source);
    const { result, ...staged } = await withProgress(terminal, 'Checking', (report) =>
      stageStock(file, stock, given, report),
    );
    const { fingerprint } = staged;
    const token = given.source === undefined ? (given.token ?? `sha256:${fingerprint}`) : undefined;
    const earlier = async (): Promise<number | undefined> => {
      const found = await database.manager.findOneBy(PetImportSchema, { token: token ?? '' });
      if (found !== null && found.fingerprint !== fingerprint)
        throw new CommandError(
          `The token ${token ?? ''} belongs to the import of another file, or of this one before it was changed.`,
          EXIT.usage,
        );
      return found?.animals;
    };
    const before = token === undefined ? undefined : await earlier();
    const nothing = { created: 0, updated: 0, unchanged: before ?? 0 };
    if (before !== undefined)
      return { ...result, ...nothing, ...{ token: token ?? '', addedEarlier: before } };
    const named = token === undefined ? {} : { token };
    const isStopped = given.dryRun || (result.refused > 0 && !given.skipInvalid);
    if (isStopped) return { ...result, ...named, addedEarlier: 0 };
    const { records, created: animals } = result;
    try {
      await withProgress(terminal, 'Writing', () =>
        staged.apply(token === undefined ? undefined : { token, fingerprint, records, animals }),
      );
      return { ...result, ...named, addedEarlier: 0 };
    } catch (error) {
      if (!(error instanceof ImportedMeanwhileError)) throw error;
      const addedEarlier = (await earlier()) ?? 0;
      return { ...result, created: 0, unchanged: addedEarlier, ...named, addedEarlier };
    }
  });
}

function print(
  result: ImportResult,
  given: ImportOptions & JsonOptions,
  seconds: number,
  terminal: Terminal,
): void {
  const { records, refused, problems, ignored, unlisted, photosLeftOut, token } = result;
  const counts = Object.fromEntries(COUNTS.map((name) => [name, result[name]]));
  if (ignored.length > 0)
    terminal.err(
      `note: these columns are ignored: ${VisibleText.escape(ignored.join(', ').slice(0, 200))}\n`,
    );
  if (photosLeftOut > 0)
    terminal.err(
      `note: ${wholeNumber(photosLeftOut)} photos were left out: a profile takes other addresses.\n`,
    );
  const isStopped = refused > 0 && !given.skipInvalid;
  const { dryRun } = given;
  if (given.json) {
    terminal.out(jsonLine({ token, dryRun, records, ...counts, problems, ignored, photosLeftOut }));
  } else {
    const lines = problems.map(({ line, reference = 'note', field, reason }) => {
      const where = line === undefined ? reference : `line ${line}`;
      return `${where}: ${field === undefined ? '' : `${field} `}${reason}\n`;
    });
    if (unlisted > 0) lines.push(`and ${wholeNumber(unlisted)} more lines\n`);
    terminal.out(VisibleText.escapeLines(lines.join('')) + summary(result, given, isStopped, seconds));
  }
  if (refused === 0) return;
  const what = `${wholeNumber(refused)} of ${wholeNumber(records)} records were refused`;
  throw new CommandError(
    isStopped && !dryRun
      ? `${what}: nothing was imported. Mend them, or leave them out with --skip-invalid.`
      : `${what}.`,
    EXIT.refused,
  );
}

const COUNTS = ['created', 'updated', 'unchanged', 'missing', 'held', 'skipped', 'refused'] as const;

function summary(result: ImportResult, given: ImportOptions, isStopped: boolean, seconds: number): string {
  const { created, addedEarlier } = result;
  const counts = COUNTS.map((name) => `${wholeNumber(result[name])} ${name}`).join(', ');
  if (given.dryRun) {
    const what = given.source === undefined ? `${animals(created)} can be imported. ` : '';
    return `${what}Dry run: ${counts}. Nothing was written.\n`;
  }
  if (isStopped) return '';
  if (given.source !== undefined) return `Imported in ${seconds.toFixed(1)} s: ${counts}.\n`;
  if (addedEarlier > 0)
    return `Nothing to do: ${animals(addedEarlier)} of this file were imported earlier.\n`;
  return `Imported ${animals(created)} in ${seconds.toFixed(1)} s, ${wholeNumber(Math.round(created / seconds))} a second.\n`;
}

function animals(count: number): string {
  return `${wholeNumber(count)} ${count === 1 ? 'animal' : 'animals'}`;
}
