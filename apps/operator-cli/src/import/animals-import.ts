import {
  type Database,
  ImportBusyError,
  ImportTurn,
  type PetImport,
  PetImportSchema,
  type Transaction,
  UnitOfWork,
} from '@petstore/persistence';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';
import { wholeNumber } from '../output.js';
import { takesTooMany } from '../too-many-missing.js';
import type { AnimalsFile } from './animals-file.js';
import { FirstReading } from './first-reading.js';
import type { ImportContext } from './import.context.js';
import type { ImportTally } from './import-tally.js';
import type { ImportOptions } from './import.options.js';
import { MissingAnimals, type MissingCounts } from './missing-animals.js';
import { Plan } from './plan.js';
import { ChangedFileError, SecondReading } from './second-reading.js';

/** What may end an import in the middle. */
const INTERRUPTIONS = [ChangedFileError, ImportBusyError, StoreUnavailableError];

/** What came of an import. */
export interface ImportResult {
  readonly tally: ImportTally;
  /** Of an import without a source. */
  readonly token?: string | undefined;
  /** How many animals of the file an earlier run has added. */
  readonly addedEarlier: number;
  /** Refused records keep the others from being imported. */
  readonly isStopped: boolean;
}

/**
 * One way of a file into the stock. It is read twice: first it is judged to its end, and nothing is written; then it is
 * written some animals at a time, as requests would.
 */
export class AnimalsImport {
  private readonly context: ImportContext;
  private readonly first: FirstReading;

  constructor(
    private readonly database: Database,
    file: AnimalsFile,
    private readonly given: ImportOptions,
  ) {
    this.context = { file, given, plan: new Plan(file, given), unitOfWork: new UnitOfWork(database) };
    this.first = new FirstReading(this.context);
  }

  /**
   * @throws {AnimalsFileError} when a part of the file cannot be read
   * @throws {CommandError} when too many animals would be taken away, or it ended in the middle
   * @throws {ImportBusyError} when another import takes too long
   */
  async run(): Promise<ImportResult> {
    const { source } = this.given;
    if (source !== undefined) return this.inTurn(`source ${source}`, (turn) => this.bring(source, turn));
    await this.first.run();
    const token = this.given.token ?? `sha256:${this.first.fingerprint}`;
    return this.inTurn(`file ${token}`, (turn) => this.addAll(token, turn));
  }

  /** Lets the work wait for other imports of the same; a dry run needs no turn. */
  private inTurn<T>(name: string, work: (turn?: ImportTurn) => Promise<T>): Promise<T> {
    return this.given.dryRun ? work() : ImportTurn.run(this.database.settings, name, work);
  }

  /** Brings the animals of a source to the state of the file; without a turn, only says what that would be. */
  private async bring(source: string, turn?: ImportTurn): Promise<ImportResult> {
    const { first, given, context } = this;
    await first.run();
    const what = first.unread > 0 ? 'keep' : given.missing;
    const missing = new MissingAnimals(context.unitOfWork, source, first.references, what);
    const counts = await missing.count(first.planned);
    first.settled.missing = counts.missing;
    if (!this.isStopped) this.requireFew(counts);
    if (turn === undefined) return this.resultWith(first.planned);
    const requireTurn = (tx: Transaction): Promise<void> => turn.requireIn(tx, source);
    const second = new SecondReading(context, first, requireTurn);
    const hasMissing = counts.taken + counts.held > 0;
    if (this.isStopped || (first.changes.length === 0 && !hasMissing)) return this.resultWith(second.tally);
    await turn.claim(source);
    await toItsEnd(second.tally, async () => {
      await second.run();
      if (hasMissing) await missing.take(second.tally, requireTurn);
    });
    return this.resultWith(second.tally);
  }

  /** Adds each record of the file that no earlier run has added; without a turn, only says which. */
  private async addAll(token: string, turn?: ImportTurn): Promise<ImportResult> {
    const { first } = this;
    const { fingerprint } = first;
    const { records, animals } = await this.earlierRun(token);
    first.settled.unchanged = animals;
    first.planned.created = first.changes.filter((at) => at > records).length;
    const earlier = { token, addedEarlier: animals };
    if (turn === undefined) return this.resultWith(first.planned, earlier);
    const second = new SecondReading(this.context, first, (tx, progress) =>
      turn.advance(tx, { token, fingerprint, ...progress }),
    );
    if (!this.isStopped) await toItsEnd(second.tally, () => second.run(records));
    return this.resultWith(second.tally, earlier);
  }

  private resultWith(
    tally: ImportTally,
    earlier: Pick<ImportResult, 'token' | 'addedEarlier'> = { addedEarlier: 0 },
  ): ImportResult {
    return { tally: this.first.settled.plus(tally), isStopped: this.isStopped, ...earlier };
  }

  /** Refused records keep the others from being imported. */
  private get isStopped(): boolean {
    return this.first.settled.refused > 0 && !this.given.skipInvalid;
  }

  /** @throws {CommandError} when the file has no animal, or too many would be taken away */
  private requireFew({ known, unsold, taken }: MissingCounts): void {
    const { first, given } = this;
    const { missing, allowManyMissing } = given;
    if (missing === 'keep' || allowManyMissing) return;
    if (first.unread > 0) {
      const not = missing === 'sold' ? 'sold' : 'deleted';
      const reason = `${wholeNumber(first.unread)} records cannot be read: no missing animal is ${not}.`;
      first.settled.list({ reason });
      return;
    }
    const of = missing === 'sold' ? unsold : known;
    if (first.hasAnimals && !takesTooMany(taken, of)) return;
    const { refused } = first.settled;
    const why = first.hasAnimals
      ? `The file would take ${wholeNumber(taken)} of the source's ${wholeNumber(of)} animals`
      : refused > 0
        ? `All animals of the file were refused (${wholeNumber(refused)})`
        : 'The file has no animal';
    const message = `${why}: nothing was imported. If that is right, say --allow-many-missing.`;
    throw new CommandError(message, EXIT.tooManyMissing);
  }

  /** What an earlier run has done with this token. @throws {CommandError} for the token of another file */
  private async earlierRun(token: string): Promise<Pick<PetImport, 'records' | 'animals'>> {
    const found = await this.context.unitOfWork.read(({ manager }) =>
      manager.findOneBy(PetImportSchema, { token }),
    );
    if (found !== null && found.fingerprint !== this.first.fingerprint)
      throw new CommandError(
        `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
        EXIT.usage,
      );
    return found ?? { records: 0, animals: 0 };
  }
}

/** @throws {CommandError} what ends it in the middle, with how far it got */
async function toItsEnd(tally: ImportTally, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!INTERRUPTIONS.some((kind) => error instanceof kind)) throw error;
    const { created, updated, sold, deleted } = tally;
    const done = wholeNumber(created + updated + sold + deleted);
    const message = `${(error as Error).message} ${done} animals were done, each of them whole: give the command again`;
    throw new CommandError(`${message}, which does the rest.`, EXIT.failure, { cause: error });
  }
}
