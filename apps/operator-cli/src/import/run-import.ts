import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, wholeNumber } from '../output.js';
import { pathOf, type Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import { AnimalsFile } from './animals-file.js';
import { AnimalsImport } from './animals-import.js';
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
  const file = await AnimalsFile.open(pathOf(path, terminal), given.format);
  const { source, missing, token } = given;
  const require = (isGiven: boolean, mistake: string): void => {
    if (!isGiven) throw new CommandError(mistake, EXIT.usage);
  };
  const needed = `The format ${given.format ?? ''} needs --source: where the file is from.`;
  require(source !== undefined || !file.isForeign, needed);
  require(source !== undefined || missing === 'keep', '--missing needs --source: whose animals are meant.');
  require(source === undefined || token === undefined, '--token names an import without --source.');
  const begun = performance.now();
  const { progress } = terminal;
  const show = (): void => progress?.(progressOf(file));
  const shown = progress && setInterval(show, PROGRESS_INTERVAL_MS);
  const result = await withDatabase(terminal, 'petstore import', ({ database }) =>
    new AnimalsImport(database, file, given).run(),
  ).finally(() => {
    clearInterval(shown);
    progress?.('');
  });
  reportImport(result, file, given, (performance.now() - begun) / 1_000, terminal);
}

/** How far the file has been read. */
function progressOf({ readings, recordsRead, bytesRead, size }: AnimalsFile): string {
  const doing = readings > 1 ? 'Importing' : 'Checking';
  return `${doing}: ${wholeNumber(recordsRead)} records, ${Math.floor((bytesRead / size) * 100)} %`;
}
