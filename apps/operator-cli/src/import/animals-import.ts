import {
  type Database,
  ImportBusyError,
  ImportTurn,
  type Transaction,
  UnitOfWork,
} from '@petstore/persistence';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';
import { wholeNumber } from '../output.js';
import { takesTooMany } from '../too-many-missing.js';
import type { AnimalsFile } from './animals-file.js';
import { FirstReading } from './first-reading.js';
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
  readonly token?: string;
  /** Refused records keep the others from being imported. */
  readonly isStopped: boolean;
}

/**
 * One way of a file into the stock. It is read twice: first it is judged to its end, and nothing is written; then it is
 * written some animals at a time, as requests would.
 */
export class AnimalsImport {
  private readonly unitOfWork: UnitOfWork;
  private readonly plan: Plan;
  private readonly first: FirstReading;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    file: AnimalsFile,
    private readonly given: ImportOptions,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.plan = new Plan(file, given);
    this.first = new FirstReading(this.plan, this.unitOfWork);
  }

  /**
   * @throws {AnimalsFileError} when a part of the file cannot be read
   * @throws {CommandError} when too many animals would be taken away, or it ended in the middle
   * @throws {ImportBusyError} when another import takes too long
   */
  async run(): Promise<ImportResult> {
    const { first, given } = this;
    const { source } = given;
    if (source !== undefined) await this.inTurn(`source ${source}`, (turn) => this.bring(source, turn));
    else {
      await this.judge();
      await this.inTurn(`file ${this.token}`, (turn) => this.addAll(turn));
    }
    const { settled, planned } = first;
    if (given.dryRun) settled.add(planned);
    const token = source === undefined ? { token: this.token } : {};
    return { tally: settled, isStopped: this.isStopped, ...token };
  }

  private get token(): string {
    return this.given.token ?? `sha256:${this.first.fingerprint}`;
  }

  /** Lets the work wait for other imports of the same; a dry run needs no turn. */
  private inTurn(name: string, work: (turn?: ImportTurn) => Promise<void>): Promise<void> {
    return this.given.dryRun ? work() : ImportTurn.run(this.database.settings, name, work);
  }

  /** Brings the animals of a source to the state of the file; without a turn, only says what that would be. */
  private async bring(source: string, turn?: ImportTurn): Promise<void> {
    const { first, given, plan, unitOfWork } = this;
    await this.judge();
    const missing = new MissingAnimals(unitOfWork, source, first.unread > 0 ? 'keep' : given.missing);
    const counts = await missing.count(first.references, first.planned);
    first.settled.missing = counts.missing;
    if (this.isStopped) return;
    this.requireFew(counts);
    if (turn === undefined || (first.changes.length === 0 && !missing.hasSome)) return;
    await turn.claim(source);
    const requireTurn = (tx: Transaction): Promise<void> => turn.requireIn(tx, source);
    await this.toItsEnd(async (tally) => {
      await new SecondReading(plan, unitOfWork, tally, requireTurn).run(first);
      await missing.take(tally, requireTurn);
    });
  }

  /** Adds each record of the file that no earlier run has added; without a turn, only says which. */
  private async addAll(turn?: ImportTurn): Promise<void> {
    const { first, plan, unitOfWork, token } = this;
    const { fingerprint } = first;
    const earlier = await unitOfWork.read(({ manager }) => ImportTurn.progressOf(manager, token));
    if (earlier !== undefined && earlier.fingerprint !== fingerprint)
      throw new CommandError(
        `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
        EXIT.usage,
      );
    const { records = 0, animals = 0 } = earlier ?? {};
    first.settled.unchanged = animals;
    first.planned.created = first.changes.filter((at) => at > records).length;
    if (turn === undefined || this.isStopped) return;
    await this.toItsEnd((tally) =>
      new SecondReading(plan, unitOfWork, tally, (tx, progress) =>
        turn.advance(tx, { token, fingerprint, ...progress }),
      ).run(first, records),
    );
  }

  private async judge(): Promise<void> {
    await this.first.run();
    this.isStopped = this.first.settled.refused > 0 && !this.given.skipInvalid;
  }

  /** @throws {CommandError} when the file has no animal, or too many would be taken away */
  private requireFew({ known, unsold, taken }: MissingCounts): void {
    const { first, given } = this;
    const { missing, allowManyMissing } = given;
    if (missing === 'keep' || allowManyMissing) return;
    if (first.unread > 0) {
      const reason = `${wholeNumber(first.unread)} records cannot be read: no missing animal is changed.`;
      first.settled.list({ reason });
      return;
    }
    const of = missing === 'sold' ? unsold : known;
    if (first.hasAnimals && !takesTooMany(taken, of)) return;
    const why = first.hasAnimals
      ? `The file would take ${wholeNumber(taken)} of the source's ${wholeNumber(of)} animals`
      : 'The file has no animal that can be imported';
    const message = `${why}: nothing was imported. If that is right, say --allow-many-missing.`;
    throw new CommandError(message, EXIT.tooManyMissing);
  }

  /** @throws {CommandError} what ends it in the middle, with how far it got */
  private async toItsEnd(write: (tally: ImportTally) => Promise<void>): Promise<void> {
    const { settled } = this.first;
    try {
      await write(settled);
    } catch (error) {
      if (!INTERRUPTIONS.some((kind) => error instanceof kind)) throw error;
      const { created, updated, sold, deleted } = settled;
      const done = wholeNumber(created + updated + sold + deleted);
      const message = `${(error as Error).message} ${done} animals were done, each of them whole: give the command again`;
      throw new CommandError(`${message}, which does the rest.`, EXIT.failure, { cause: error });
    }
  }
}
