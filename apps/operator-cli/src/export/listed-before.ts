import { createReadStream } from 'node:fs';
import { FormatError, readRows, textBytes, type Writing } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';
import { linesOf } from '../import/ndjson.js';

/** Longest record of a file that is counted, in bytes. */
const LONGEST_RECORD = 1024 * 1024;

/** Animals of the file that is there, of which those that are written again are taken out. */
export class ListedBefore {
  private again = 0;

  /** @param ids by which the portal knows the animals; absent where the format has none */
  private constructor(
    readonly count: number,
    private readonly ids?: Set<string>,
  ) {}

  static readonly NONE = new ListedBefore(0);

  /**
   * Those of a file; none when it is not there.
   *
   * @throws {CommandError} when it cannot be read as what is to take its place
   */
  static async of(path: string, { columns, hasKey }: Writing, isNdjson: boolean): Promise<ListedBefore> {
    const chunks = createReadStream(path) as AsyncIterable<Buffer>;
    try {
      if (isNdjson) return new ListedBefore(await countObjects(chunks));
      const ids = await readIds(chunks, columns);
      return hasKey ? new ListedBefore(new Set(ids).size, new Set(ids)) : new ListedBefore(ids.length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ListedBefore.NONE;
      const why =
        error instanceof FormatError ? error.message : ((error as NodeJS.ErrnoException).code ?? '');
      throw new CommandError(
        `${path} is there and cannot be read as such a file (${why}): nothing was written. If it may ` +
          'be replaced, say --allow-many-missing.',
        EXIT.tooManyMissing,
      );
    }
  }

  /** Is told each animal that is written. */
  written(id: string): void {
    if (this.ids === undefined || this.ids.delete(id)) this.again++;
  }

  /** How many are not written again. */
  get gone(): number {
    return Math.max(0, this.count - this.again);
  }
}

/** Lines that are not blank. Nothing else of the objects is read. */
async function countObjects(chunks: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const line of linesOf(textBytes(chunks))) {
    const text = line.toString('latin1').trim();
    if (text !== '' && !text.startsWith('{')) throw new FormatError('It has a line that is no JSON object.');
    count += text === '' ? 0 : 1;
  }
  return count;
}

/** A first row that has the first column's name is no animal: some programs write Petfinder's file without one. */
async function readIds(chunks: AsyncIterable<Buffer>, [column = '']: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  let place: number | undefined;
  for await (const { cells } of readRows(chunks, LONGEST_RECORD)) {
    const named = cells.findIndex((cell) => cell.trim().toLowerCase() === column.toLowerCase());
    const isHeader = place === undefined && named !== -1;
    place ??= Math.max(named, 0);
    if (!isHeader) ids.push(cells[place]?.trim() ?? '');
  }
  return ids;
}
