import { createReadStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { CategoryRepository, type Database, exportPets, UnitOfWork } from '@petstore/persistence';
import { CategoryId, CategoryName, PetStatus } from '@petstore/pet-domain';
import { FormatError, readNames, type Writing } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';
import { type JsonOptions, jsonLine, wholeNumber } from '../output.js';
import type { Terminal } from '../terminal.js';
import { takesTooMany } from '../too-many-missing.js';
import { type DatabaseContext, withDatabase } from '../with-database.js';
import { type ExportResult, AnimalLines, writingOf } from './animal-lines.js';
import { ListedBefore } from './listed-before.js';
import { destinationOf, type NewText, print, printInto, replaceFile } from './new-file.js';

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
  // npm changes to the folder of the project, and says where it was called.
  const pathOf = (path: string): string => resolve(terminal.environment['INIT_CWD'] ?? '', path);
  const writing = writingOf(given.format);
  if (given.includeSold && writing.takesSold !== true)
    throw new CommandError(`The format ${given.format} has no animals that are sold.`, EXIT.usage);
  const names = given.names === undefined ? undefined : await namesOf(pathOf(given.names));
  const to = given.out === '-' ? undefined : await destinationOf(pathOf(given.out));
  const isNdjson = given.format === 'petstore' && /\.(?:ndjson|jsonl)$/i.test(given.out);
  const isCompared = to?.isFile === true && !given.allowManyMissing;
  const before = isCompared ? await ListedBefore.of(to.path, writing, isNdjson) : ListedBefore.NONE;
  const today = new Date().toISOString().slice(0, 10);
  const lines = new AnimalLines(writing, { today, currency: given.currency, names }, isNdjson, before);
  const say = (): void => {
    const { written, leftOut, shortened, notes } = lines.result;
    if (!given.json) {
      report(lines.result, terminal);
      return;
    }
    const json = jsonLine({ written, leftOut, shortened, notes: Object.fromEntries(notes) });
    if (to === undefined) terminal.err(json);
    else terminal.out(json);
  };
  const work = ({ database }: DatabaseContext): Promise<void> => {
    const write = async (file: NewText): Promise<void> => {
      await writeAll(database, lines, given, file);
      try {
        refuseTooManyMissing(lines.result, before, given);
      } catch (error) {
        lines.result.written = 0;
        say();
        throw error;
      }
      if (to?.isFile === true) await writeCompanion(writing, pathOf(given.out));
    };
    if (to === undefined) return print(terminal.out, write);
    return to.isFile ? replaceFile(to.path, write) : printInto(to.path, write);
  };
  // What would be made for it has no animals.
  await withDatabase(terminal, 'petstore export', work, false);
  if (to?.isFile !== true && writing.companion !== undefined)
    terminal.err(`note: ${writing.companion.name} goes with the file, and is only written beside one.\n`);
  say();
}

async function writeAll(
  database: Database,
  lines: AnimalLines,
  { includePending, includeSold, category, source }: ExportOptions,
  file: NewText,
): Promise<void> {
  const categoryIds = category === undefined ? undefined : await categoriesOf(database, category);
  await file.write(lines.header);
  const chosen: Readonly<Record<PetStatus, boolean>> = {
    available: true,
    pending: includePending,
    sold: includeSold,
  };
  const statuses = PetStatus.ALL.filter((status) => chosen[status]);
  await exportPets(database.settings, { statuses, categoryIds, source }, (pets) =>
    file.write(lines.of(pets)),
  );
}

/** Ids, and names of categories that there are. @throws {CommandError} */
async function categoriesOf(database: Database, entries: readonly string[]): Promise<CategoryId[]> {
  const unitOfWork = new UnitOfWork(database);
  const ids = entries.map(async (entry) => {
    const id = CategoryId.parse(entry);
    if (id !== undefined) return id;
    const name = CategoryName.parse(entry);
    const found =
      name && (await unitOfWork.read((manager) => new CategoryRepository(manager).findNamed(name)));
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

function report({ written, leftOut, shortened, notes }: ExportResult, terminal: Terminal): void {
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
  { count, gone }: ListedBefore,
  given: ExportOptions,
): void {
  if (given.strict && leftOut.length > 0)
    throw new CommandError(
      `${wholeNumber(leftOut.length)} animals are left out: nothing was written.`,
      EXIT.refused,
    );
  if (given.allowManyMissing || (written > 0 && !takesTooMany(gone, count))) return;
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
  const write = (file: NewText): Promise<void> => file.write(companion.content);
  await (to.isFile ? replaceFile(to.path, write) : printInto(to.path, write));
}
