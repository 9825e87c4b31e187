import { resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import {
  type Database,
  ImportedMeanwhileError,
  LongSession,
  PetImportSchema,
  SourceImport,
} from '@petstore/persistence';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import { AnimalsFile } from './animals-file.js';
import { AnimalsImport, type ImportTally } from './import-animals.js';
import type { ImportOptions } from './import.options.js';

/** Between two updates of the progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 100;

/** What came of an import. */
interface ImportResult {
  readonly tally: ImportTally;
  /** Of an import without a source. */
  readonly token?: string | undefined;
  /** How many animals of the file an earlier run has added. */
  readonly addedEarlier: number;
}

/**
 * Brings the animals to the state of a file, unless that was not asked for, and says what came of it.
 *
 * @throws {CommandError} when the file cannot be read, or lines are refused
 */
export async function runImport(
  path: string,
  given: ImportOptions & JsonOptions,
  terminal: Terminal,
): Promise<void> {
  // npm changes to the folder of the project, and says where it was called.
  const file = await AnimalsFile.open(resolve(terminal.environment['INIT_CWD'] ?? '', path), given.format);
  const { source } = given;
  const mistakes = [
    source === undefined &&
      file.isForeign &&
      `The format ${given.format ?? ''} needs --source: where the file is from.`,
    source === undefined && given.missing !== 'keep' && '--missing needs --source: whose animals are meant.',
    source !== undefined && given.token !== undefined && '--token names an import without --source.',
  ];
  const mistake = mistakes.find((text) => typeof text === 'string');
  if (mistake !== undefined) throw new CommandError(mistake, EXIT.usage);
  const begun = performance.now();
  const result = await withDatabase(terminal, 'petstore import', ({ database }) =>
    importFile(database, file, given, terminal),
  );
  print(result, file.ignored, given, (performance.now() - begun) / 1_000, terminal);
}

function importFile(
  database: Database,
  file: AnimalsFile,
  given: ImportOptions,
  terminal: Terminal,
): Promise<ImportResult> {
  return LongSession.run(database.settings, async (session) => {
    const source = await SourceImport.begin(session, given.source);
    const work = new AnimalsImport(file, source, given);
    const { tally } = work;
    await work.stage(progress(terminal, tally));
    if (terminal.redrawsLines) terminal.err('\r\u001b[K');
    const fingerprint = file.fingerprint();
    const token = given.source === undefined ? (given.token ?? `sha256:${fingerprint}`) : undefined;
    const isStopped = given.dryRun || (tally.refused > 0 && !given.skipInvalid);
    const addedEarlier = await earlierRun(database, token, fingerprint);
    if (addedEarlier !== undefined) return { tally, token, addedEarlier };
    if (isStopped) return { tally, token, addedEarlier: 0 };
    const { records, created: animals } = tally;
    try {
      await source.apply(
        work.decideAnew,
        token === undefined ? undefined : { token, fingerprint, records, animals },
      );
    } catch (error) {
      if (!(error instanceof ImportedMeanwhileError)) throw error;
      return { tally, token, addedEarlier: (await earlierRun(database, token, fingerprint)) ?? 0 };
    }
    return { tally, token, addedEarlier: 0 };
  });
}

/** How many animals an import with this token has added. @throws {CommandError} for the token of another file */
async function earlierRun(
  { manager }: Database,
  token: string | undefined,
  fingerprint: string,
): Promise<number | undefined> {
  if (token === undefined) return undefined;
  const found = await manager.findOneBy(PetImportSchema, { token });
  if (found !== null && found.fingerprint !== fingerprint)
    throw new CommandError(
      `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
      EXIT.usage,
    );
  return found?.animals;
}

/** Says at a terminal how far the file has been read, on one line. */
function progress({ err, redrawsLines }: Terminal, tally: ImportTally): (share: number) => void {
  let shownAt = performance.now();
  return (share) => {
    if (!redrawsLines || performance.now() - shownAt < PROGRESS_INTERVAL_MS) return;
    shownAt = performance.now();
    err(`\rChecking: ${wholeNumber(tally.records)} records, ${Math.floor(share * 100)} %\u001b[K`);
  };
}

const COUNTS = ['created', 'updated', 'unchanged', 'missing', 'held', 'skipped', 'refused'] as const;

function print(
  { tally, token, addedEarlier }: ImportResult,
  ignored: readonly string[],
  given: ImportOptions & JsonOptions,
  seconds: number,
  terminal: Terminal,
): void {
  const { records, refused, problems, unlisted, photosLeftOut } = tally;
  if (addedEarlier > 0) Object.assign(tally, { created: 0, unchanged: addedEarlier });
  const isStopped = refused > 0 && !given.skipInvalid && !given.dryRun;
  if (isStopped) Object.assign(tally, { created: 0, updated: 0 });
  if (ignored.length > 0)
    terminal.err(
      `note: these columns are ignored: ${VisibleText.escape(ignored.join(', ').slice(0, 2_000))}\n`,
    );
  if (photosLeftOut > 0)
    terminal.err(
      `note: ${wholeNumber(photosLeftOut)} photos were left out: a profile takes other addresses.\n`,
    );
  const { dryRun } = given;
  if (given.json) {
    const counts = Object.fromEntries(COUNTS.map((name) => [name, tally[name]]));
    terminal.out(jsonLine({ token, dryRun, records, ...counts, problems, ignored, photosLeftOut }));
  } else {
    const lines = problems.map(({ line, reference = 'note', field, reason }) => {
      const where = line === undefined ? reference : `line ${line}`;
      return `${where}: ${field === undefined ? '' : `${field} `}${reason}\n`;
    });
    if (unlisted > 0) lines.push(`and ${wholeNumber(unlisted)} more lines\n`);
    terminal.out(VisibleText.escapeLines(lines.join('')) + summary(tally, addedEarlier, given, seconds));
  }
  if (refused === 0) return;
  const what = `${wholeNumber(refused)} of ${wholeNumber(records)} records were refused`;
  throw new CommandError(
    isStopped
      ? `${what}: nothing was imported. Fix them, or leave them out with --skip-invalid.`
      : `${what}.`,
    EXIT.refused,
  );
}

function summary(tally: ImportTally, addedEarlier: number, given: ImportOptions, seconds: number): string {
  const { created, refused } = tally;
  const counts = COUNTS.map((name) => `${wholeNumber(tally[name])} ${name}`).join(', ');
  if (given.dryRun) {
    const what = given.source === undefined ? `${animals(created)} can be imported. ` : '';
    return `${what}Dry run: ${counts}. Nothing was written.\n`;
  }
  if (refused > 0 && !given.skipInvalid) return '';
  if (given.source !== undefined) return `Imported in ${seconds.toFixed(1)} s: ${counts}.\n`;
  if (addedEarlier > 0)
    return `Nothing to do: ${animals(addedEarlier)} of this file were imported earlier.\n`;
  return `Imported ${animals(created)} in ${seconds.toFixed(1)} s, ${wholeNumber(Math.round(created / seconds))} a second.\n`;
}

function animals(count: number): string {
  return `${wholeNumber(count)} ${count === 1 ? 'animal' : 'animals'}`;
}
