import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { CategoryRepository, type Database, exportPets, UnitOfWork } from '@petstore/persistence';
import { type Category, CategoryId, CategoryName, PetStatus } from '@petstore/pet-domain';
import { FormatError, readNames, type Writing } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';
import { WRITTEN } from '../formats.js';
import { type JsonOptions, jsonLine, textLine, wholeNumber } from '../output.js';
import { pathOf, type Terminal } from '../terminal.js';
import { takesTooMany } from '../too-many-missing.js';
import { withDatabase } from '../with-database.js';
import { AnimalLines, type ExportResult } from './animal-lines.js';
import { ListedBefore } from './listed-before.js';
import { destinationOf, printedBy, type Write, writeWhole } from './output-file.js';

/** As they are given on the command line. */
export interface ExportOptions {
  readonly format: string;
  readonly out: string;
  readonly includePending: boolean;
  readonly includeSold: boolean;
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
  const { format, out, currency } = given;
  const writing = WRITTEN[format]?.writing;
  if (writing === undefined) throw new Error(`There is no format ${format}.`);
  if (given.includeSold && writing.takesSold !== true)
    throw new CommandError(`The format ${format} has no animals that are sold.`, EXIT.usage);
  const names = given.names === undefined ? undefined : await namesOf(pathOf(given.names, terminal));
  const path = pathOf(out, terminal);
  const to = out === '-' ? printedBy(terminal.out) : await destinationOf(path);
  const isNdjson = format === 'petstore' && /\.(?:ndjson|jsonl)$/i.test(out);
  const isCompared = to.file !== undefined && !given.allowManyMissing;
  const before = isCompared ? await ListedBefore.of(to.file, writing, isNdjson) : ListedBefore.NONE;
  const today = new Date().toISOString().slice(0, 10);
  const lines = new AnimalLines(writing, { today, currency, names }, isNdjson, before);
  const say = (): void => {
    if (!given.json) report(lines.result, terminal);
    else if (out === '-') terminal.err(jsonLine(lines.result));
    else terminal.out(jsonLine(lines.result));
  };
  // A database that would be made for it has no animals.
  await withDatabase(
    terminal,
    'petstore export',
    ({ database }) =>
      writeWhole(to, async (write) => {
        await writeAll(database, lines, given, write);
        try {
          refuseTooManyMissing(lines.result, before, given);
        } catch (error) {
          lines.result.written = 0;
          say();
          throw error;
        }
        if (to.file !== undefined) await writeCompanion(writing, path);
      }),
    false,
  );
  if (to.file === undefined && writing.companion !== undefined)
    terminal.err(`note: ${writing.companion.name} goes with the file, and is only written beside one.\n`);
  say();
}

async function writeAll(
  database: Database,
  lines: AnimalLines,
  { includePending, includeSold, category, source }: ExportOptions,
  write: Write,
): Promise<void> {
  const chosen = { available: true, pending: includePending, sold: includeSold };
  const statuses = PetStatus.ALL.filter((status) => chosen[status]);
  const categoryIds = category && (await Promise.all(category.map((entry) => categoryOf(database, entry))));
  await write(lines.header);
  await exportPets(database.settings, { statuses, categoryIds, source }, (pets) => write(lines.of(pets)));
}

/** By its id, or the name of one that there is. @throws {CommandError} */
async function categoryOf(database: Database, entry: string): Promise<CategoryId> {
  const name = CategoryName.parse(entry);
  const named = (one: CategoryName): Promise<Category | undefined> =>
    new UnitOfWork(database).read((from) => from.of(CategoryRepository).findNamed(one));
  const id = CategoryId.parse(entry) ?? (name && (await named(name))?.id);
  if (id !== undefined) return id;
  throw new CommandError(`There is no category ${JSON.stringify(entry)}.`, EXIT.usage);
}

/** @throws {CommandError} */
async function namesOf(path: string): Promise<ReadonlyMap<string, string>> {
  return readNames(createReadStream(path) as AsyncIterable<Buffer>).catch((error: unknown) => {
    const why = error instanceof FormatError ? error.message : ((error as NodeJS.ErrnoException).code ?? '');
    throw new CommandError(`${path} is no list of names, ours and theirs: ${why}`, EXIT.usage);
  });
}

function report({ written, leftOut, shortened, notes }: ExportResult, terminal: Terminal): void {
  const lines = [
    ...leftOut.map(({ id, reason }) => `${id} is left out: ${reason}`),
    ...shortened.map(({ id, reason }) => `${id} is shortened: ${reason}`),
    ...Object.entries(notes).map(([note, count]) => `note: ${note} (${wholeNumber(count)})`),
    `${wholeNumber(written)} written, ${wholeNumber(leftOut.length)} left out`,
  ];
  for (const line of lines) terminal.err(textLine(line));
}

/** A portal deletes what is not in the file. @throws {CommandError} */
function refuseTooManyMissing(
  { written, leftOut }: ExportResult,
  { count, gone }: ListedBefore,
  { strict, allowManyMissing }: ExportOptions,
): void {
  if (strict && leftOut.length > 0)
    throw new CommandError(
      `${wholeNumber(leftOut.length)} animals are left out: nothing was written.`,
      EXIT.refused,
    );
  if (allowManyMissing || (written > 0 && !takesTooMany(gone, count))) return;
  const why =
    written === 0
      ? 'There is no animal for the file'
      : `The file has ${wholeNumber(count)} animals, and ${wholeNumber(gone)} of them would go`;
  throw new CommandError(
    `${why}: nothing was written, since a portal deletes what is missing. If that is right, say --allow-many-missing.`,
    EXIT.tooManyMissing,
  );
}

async function writeCompanion({ companion }: Writing, path: string): Promise<void> {
  if (companion === undefined) return;
  const to = await destinationOf(join(dirname(path), companion.name));
  await writeWhole(to, async (write) => write(companion.content));
}
