import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { type Database, exportPets, LongSession } from '@petstore/persistence';
import { CategoryId, CategoryName } from '@petstore/pet-domain';
import { FormatError, readNames, type Writing } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { withDatabase } from '../with-database.js';
import { type NewText, print, replaceFile, rowsOf } from './new-file.js';
import { type ExportResult, AnimalLines, writingOf } from './animal-lines.js';

/** As they are given on the command line. */
export interface ExportOptions {
  readonly format: string;
  readonly out: string;
  readonly includePending: boolean;
  readonly category?: readonly string[];
  readonly source?: string;
  readonly names?: string;
  readonly currency: string;
  readonly strict: boolean;
  readonly allowManyMissing: boolean;
}

/**
 * Writes the animals to a portal's file, and says what was left out.
 *
 * @throws {CommandError} when nothing was written
 */
export async function runExport(given: ExportOptions & JsonOptions, terminal: Terminal): Promise<void> {
  // npm changes to the folder of the project, and says where it was called.
  const pathOf = (path: string): string => resolve(terminal.environment['INIT_CWD'] ?? '', path);
  const writing = writingOf(given.format);
  const names = given.names === undefined ? undefined : await namesOf(pathOf(given.names));
  const path = given.out === '-' ? undefined : pathOf(given.out);
  const isNdjson = given.format === 'petstore' && /\.(?:ndjson|jsonl)$/i.test(given.out);
  if (path !== undefined && (await stat(path).catch(() => undefined))?.isDirectory())
    throw new CommandError(`${VisibleText.escape(path)} is a folder.`, EXIT.usage);
  const rowsBefore = path === undefined || given.allowManyMissing ? 0 : await rowsOf(path, writing, isNdjson);
  const today = new Date().toISOString().slice(0, 10);
  const lines = new AnimalLines(writing, { today, currency: given.currency, names }, isNdjson);
  const say = ({ written, leftOut, shortened, notes }: ExportResult): void => {
    const json = jsonLine({ written, leftOut, shortened, notes: Object.fromEntries(notes) });
    if (path === undefined) terminal.err(json);
    else terminal.out(json);
  };
  const result = await withDatabase(terminal, 'petstore export', ({ database }) => {
    const write = async (file: NewText): Promise<ExportResult> => {
      await writeAll(database, lines, given, file);
      try {
        refuseTooManyMissing(lines.result, rowsBefore, given);
      } catch (error) {
        lines.result.written = 0;
        if (given.json) say(lines.result);
        throw error;
      } finally {
        report(lines.result, given, terminal);
      }
      if (path !== undefined) await writeCompanion(writing, path);
      return lines.result;
    };
    return path === undefined ? print(terminal.out, write) : replaceFile(path, write);
  });
  if (path === undefined && writing.companion !== undefined)
    terminal.err(`note: ${writing.companion.name} goes with the file, and is only written beside one.\n`);
  if (given.json) say(result);
}

function writeAll(
  database: Database,
  lines: AnimalLines,
  { includePending, category, source }: ExportOptions,
  file: NewText,
): Promise<void> {
  return LongSession.run(database.settings, async (session) => {
    const categoryIds = category === undefined ? undefined : await categoriesOf(session, category);
    await file.write(lines.header);
    const statuses = includePending ? (['available', 'pending'] as const) : (['available'] as const);
    await exportPets(session, { statuses, categoryIds, source }, (pets) => file.write(lines.of(pets)));
  });
}

/** Ids, and names of categories that there are. @throws {CommandError} */
async function categoriesOf(session: LongSession, entries: readonly string[]): Promise<CategoryId[]> {
  const ids = entries.map(async (entry) => {
    const id = CategoryId.parse(entry);
    if (id !== undefined) return id;
    const name = CategoryName.parse(entry);
    const key = name === undefined ? '' : CategoryName.keyOf(name);
    const [found] = await session.query<{ id: CategoryId }>('select id from categories where name_key = $1', [
      key,
    ]);
    if (found === undefined)
      throw new CommandError(`There is no category ${JSON.stringify(entry)}.`, EXIT.usage);
    return found.id;
  });
  return Promise.all(ids);
}

/** @throws {CommandError} */
async function namesOf(path: string): Promise<ReadonlyMap<string, string>> {
  return readNames(createReadStream(path) as AsyncIterable<Buffer>).catch((error: unknown) => {
    const why = error instanceof FormatError ? error.message : ((error as NodeJS.ErrnoException).code ?? '');
    throw new CommandError(
      `${VisibleText.escape(path)} is no list of names, ours and theirs: ${why}`,
      EXIT.usage,
    );
  });
}

function report(
  { written, leftOut, shortened, notes }: ExportResult,
  { json }: JsonOptions,
  terminal: Terminal,
): void {
  if (json) return;
  const lines = [
    ...leftOut.map(({ id, reason }) => `${id} is left out: ${reason}`),
    ...shortened.map(({ id, reason }) => `${id} is shortened: ${reason}`),
    ...[...notes].map(([note, count]) => `note: ${note} (${wholeNumber(count)})`),
    `${wholeNumber(written)} written, ${wholeNumber(leftOut.length)} left out`,
  ];
  for (const line of lines) terminal.err(`${VisibleText.escape(line)}\n`);
}

/** A portal deletes what is not in the file. @throws {CommandError} */
function refuseTooManyMissing(
  { written, leftOut }: ExportResult,
  rowsBefore: number,
  given: ExportOptions,
): void {
  if (given.strict && leftOut.length > 0)
    throw new CommandError(
      `${wholeNumber(leftOut.length)} animals are left out: nothing was written.`,
      EXIT.refused,
    );
  if (given.allowManyMissing || (written > 0 && written * 2 >= rowsBefore)) return;
  const why =
    written === 0
      ? 'There is no animal for the file'
      : `The file has ${wholeNumber(rowsBefore)} animals, and would have ${wholeNumber(written)}`;
  throw new CommandError(
    `${why}: nothing was written, since a portal deletes what is missing. If that is right, say --allow-many-missing.`,
    EXIT.tooManyMissing,
  );
}

async function writeCompanion({ companion }: Writing, path: string): Promise<void> {
  if (companion === undefined) return;
  await replaceFile(join(dirname(path), companion.name), (file) => file.write(companion.content));
}
