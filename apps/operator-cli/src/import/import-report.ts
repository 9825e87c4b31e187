import { PetProfile } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, textLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import type { AnimalsFile } from './animals-file.js';
import type { ImportResult } from './animals-import.js';
import type { Problem } from './check-record.js';
import type { ImportOptions } from './import.options.js';
import { COUNTS, type ImportTally } from './import-tally.js';

/**
 * Says what came of an import.
 *
 * @throws {CommandError} when records were refused
 */
export function reportImport(
  { tally, token, isStopped }: ImportResult,
  { ignored, warnings }: AnimalsFile,
  { json, dryRun }: ImportOptions & JsonOptions,
  seconds: number,
  { out, err }: Terminal,
): void {
  const { records, unlisted, photosLeftOut, shortened, refused } = tally;
  const longest = wholeNumber(PetProfile.MAX_DESCRIPTION);
  for (const warning of warnings) err(textLine(`warning: ${warning}`));
  const note = (count: number, text: string): void => {
    if (count > 0) err(textLine(`note: ${text}`));
  };
  note(ignored.length, `these columns are ignored: ${ignored.join(', ').slice(0, 2_000)}`);
  note(photosLeftOut, `${wholeNumber(photosLeftOut)} photos were left out: a profile takes other addresses.`);
  note(shortened, `${wholeNumber(shortened)} descriptions were longer than ${longest} characters, and cut.`);
  const place = ({ line = Number.MAX_SAFE_INTEGER }: Problem): number => line;
  const problems = tally.problems.toSorted((one, another) => place(one) - place(another));
  if (json) {
    const counts = Object.fromEntries(COUNTS.map((name) => [name, tally[name]]));
    out(jsonLine({ token, dryRun, records, ...counts, problems, ignored, photosLeftOut, shortened }));
  } else {
    for (const problem of problems) out(textLine(textOf(problem)));
    if (unlisted > 0) out(`and ${wholeNumber(unlisted)} more lines\n`);
    const counts = COUNTS.map((name) => `${wholeNumber(tally[name])} ${name}`).join(', ');
    if (dryRun) out(`Dry run: ${counts}. Nothing was written.\n`);
    else if (!isStopped) out(`Imported in ${seconds.toFixed(1)} s: ${counts}.\n`);
  }
  if (refused === 0) return;
  const what = `${wholeNumber(refused)} of ${wholeNumber(records)} records were refused`;
  const stopped = ': nothing was imported. Fix them, or leave them out with --skip-invalid';
  const done = isStopped ? stopped : changesOf(tally);
  throw new CommandError(`${what}${dryRun ? '' : done}.`, EXIT.refused);
}

/** `line 7 (A12): name must be ...`; of an animal that is not in the file, its reference. */
function textOf({ line, reference, field, reason }: Problem): string {
  const inFile = `line ${line}${reference === undefined ? '' : ` (${reference})`}`;
  const place = line === undefined ? (reference ?? 'note') : inFile;
  return `${place}: ${field === undefined ? '' : `${field} `}${reason}`;
}

/** `; 42 sold, 3 created`: it is the last line that cron sends, and has the largest change first. */
function changesOf(tally: ImportTally): string {
  const changes = (['created', 'updated', 'sold', 'deleted'] as const)
    .filter((name) => tally[name] > 0)
    .toSorted((one, another) => tally[another] - tally[one])
    .map((name) => `${wholeNumber(tally[name])} ${name}`);
  return changes.length === 0 ? '' : `; ${changes.join(', ')}`;
}
