import { resolve } from 'node:path';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import { AnimalsFile } from './animals-file.js';
import { AnimalsImport, type Report } from './animals-import.js';
import { reportImport } from './import-report.js';
import type { ImportOptions } from './import.options.js';

/** Between two updates of the progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 100;

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
    new AnimalsImport(database, file, given, progress(terminal)).run(),
  ).finally(() => {
    if (terminal.redrawsLines) terminal.err('\r\u001b[K');
  });
  for (const warning of file.warnings) terminal.err(`warning: ${warning}\n`);
  reportImport(result, file.ignored, given, (performance.now() - begun) / 1_000, terminal);
}

/** Says at a terminal how far the file has been read, on one line. */
function progress({ err, redrawsLines }: Terminal): Report {
  let shownAt = performance.now();
  return (doing, records, share) => {
    if (!redrawsLines || performance.now() - shownAt < PROGRESS_INTERVAL_MS) return;
    shownAt = performance.now();
    err(`\r${doing}: ${wholeNumber(records)} records, ${Math.floor(share * 100)} %\u001b[K`);
  };
}
