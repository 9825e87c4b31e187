import { VisibleText } from '@petstore/api-key';
import { PetProfile } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
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
  result: ImportResult,
  { ignored, warnings }: AnimalsFile,
  given: ImportOptions & JsonOptions,
  seconds: number,
  { out, err }: Terminal,
): void {
  const { tally, token } = result;
  const { records, problems, unlisted, photosLeftOut, shortened, returned } = tally;
  const longest = wholeNumber(PetProfile.MAX_DESCRIPTION);
  const notes = [
    ignored.length > 0 && `these columns are ignored: ${ignored.join(', ').slice(0, 2_000)}`,
    photosLeftOut > 0 &&
      `${wholeNumber(photosLeftOut)} photos were left out: a profile takes other addresses.`,
    shortened > 0 &&
      `${wholeNumber(shortened)} descriptions were longer than ${longest} characters, and cut.`,
    returned > 0 && `${animals(returned)} came back that an import had sold as missing.`,
  ];
  for (const warning of warnings) err(`warning: ${warning}\n`);
  for (const note of notes) if (note !== false) err(`note: ${VisibleText.escape(note)}\n`);
  if (given.json) {
    const counts = Object.fromEntries(COUNTS.map((name) => [name, tally[name]]));
    const { dryRun } = given;
    out(jsonLine({ token, dryRun, records, ...counts, problems, ignored, photosLeftOut, shortened }));
  } else {
    const lines = problems.map((problem) => `${textOf(problem)}\n`);
    if (unlisted > 0) lines.push(`and ${wholeNumber(unlisted)} more lines\n`);
    out(VisibleText.escapeLines(lines.join('')) + summary(result, given, seconds));
  }
  requireNoneRefused(result, given);
}

/** `line 7 (A12): name must be ...`; of an animal that is not in the file, its reference. */
function textOf({ line, reference, field, reason }: Problem): string {
  const inFile = `line ${line}${reference === undefined ? '' : ` (${reference})`}`;
  const place = line === undefined ? (reference ?? 'note') : inFile;
  return `${place}: ${field === undefined ? '' : `${field} `}${reason}`;
}

function summary(
  { tally, addedEarlier, isStopped }: ImportResult,
  { dryRun, source }: ImportOptions,
  seconds: number,
): string {
  const { created } = tally;
  const counts = COUNTS.map((name) => `${wholeNumber(tally[name])} ${name}`).join(', ');
  if (dryRun) {
    const what = source === undefined ? `${animals(created)} can be imported. ` : '';
    return `${what}Dry run: ${counts}. Nothing was written.\n`;
  }
  if (isStopped) return '';
  if (source !== undefined) return `Imported in ${seconds.toFixed(1)} s: ${counts}.\n`;
  const earlier = `${animals(addedEarlier)} of this file were imported earlier.\n`;
  if (addedEarlier > 0 && created === 0) return `Nothing to do: ${earlier}`;
  const rate = wholeNumber(Math.round(created / seconds));
  const imported = `Imported ${animals(created)} in ${seconds.toFixed(1)} s, ${rate} a second`;
  return addedEarlier > 0 ? `${imported}; ${earlier}` : `${imported}.\n`;
}

/** The last line that cron sends: it says what was done, the largest change first. @throws {CommandError} */
function requireNoneRefused({ tally, isStopped }: ImportResult, { dryRun }: ImportOptions): void {
  const { refused, records } = tally;
  if (refused === 0) return;
  const what = `${wholeNumber(refused)} of ${wholeNumber(records)} records were refused`;
  const stopped = `${what}: nothing was imported. Fix them, or leave them out with --skip-invalid.`;
  const done = dryRun ? '' : changesOf(tally);
  throw new CommandError(
    isStopped && !dryRun ? stopped : `${what}${done === '' ? '' : `; ${done}`}.`,
    EXIT.refused,
  );
}

/** `42 sold, 3 created`. */
function changesOf(tally: ImportTally): string {
  return (['created', 'updated', 'sold', 'deleted'] as const)
    .filter((name) => tally[name] > 0)
    .toSorted((one, another) => tally[another] - tally[one])
    .map((name) => `${wholeNumber(tally[name])} ${name}`)
    .join(', ');
}

function animals(count: number): string {
  return `${wholeNumber(count)} ${count === 1 ? 'animal' : 'animals'}`;
}
