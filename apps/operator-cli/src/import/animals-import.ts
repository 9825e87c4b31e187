import {
  type Database,
  ImportBusyError,
  ImportTurn,
  type PetImport,
  PetImportSchema,
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
  readonly token?: string | undefined;
  /** How many animals of the file an earlier run has added. */
  readonly addedEarlier: number;
  /** Refused records keep the others from being imported. */
  readonly isStopped: boolean;
}

/** Called now and then with what is done, and how much of the file, 0 to 1. */
export type Report = (doing: string, records: number, share: number) => void;

/**
 * One way of a file into the stock. It is read twice: first it is judged to its end, and nothing is written; then it is
 * written some animals at a time, as requests would.
 */
export class AnimalsImport {
  private readonly unitOfWork: UnitOfWork;
  private readonly plan: Plan;
  private readonly first: FirstReading;

  constructor(
    private readonly database: Database,
    private readonly file: AnimalsFile,
    private readonly given: ImportOptions,
    private readonly report: Report,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.plan = new Plan(file, given);
    this.first = new FirstReading(file, this.plan, this.unitOfWork, given);
  }

  /**
   * @throws {AnimalsFileError} when a part of the file cannot be read
   * @throws {CommandError} when too many animals would be taken away, or it ended in the middle
   * @throws {ImportBusyError} when another import takes too long
   */
  async run(): Promise<ImportResult> {
    const { given, database } = this;
    const { source } = given;
    if (source === undefined) return this.addAll();
    if (given.dryRun) return this.bring(source);
    return ImportTurn.run(database.settings, `source ${source}`, (turn) => this.bring(source, turn));
  }

  /** Brings the animals of a source to the state of the file; without a turn, only says what that would be. */
  private async bring(source: string, turn?: ImportTurn): Promise<ImportResult> {
    const { first, unitOfWork, given } = this;
    await this.judge();
    const what = first.unread > 0 ? 'keep' : given.missing;
    const missing = new MissingAnimals(unitOfWork, source, first.references, what);
    const counts = await missing.count(first.planned);
    first.settled.missing = counts.missing;
    if (!this.isStopped) this.requireFew(counts);
    if (turn === undefined) return this.resultWith(first.planned);
    const hasMissing = counts.taken + counts.held > 0;
    const second = this.secondReading((tx) => turn.requireIn(tx, source));
    if (this.isStopped || (first.changes.length === 0 && !hasMissing)) return this.resultWith(second.tally);
    await turn.claim(source);
    await this.toItsEnd(second.tally, async () => {
      await second.run(0, this.reportOf('Importing'));
      if (hasMissing) await missing.take(second.tally, (tx) => turn.requireIn(tx, source));
    });
    return this.resultWith(second.tally);
  }

  /** Adds each record of the file that no earlier run has added. */
  private async addAll(): Promise<ImportResult> {
    const { first, given, database } = this;
    await this.judge();
    const { fingerprint, settled } = first;
    const token = given.token ?? `sha256:${fingerprint}`;
    const add = async (turn?: ImportTurn): Promise<ImportResult> => {
      const { records, animals } = await this.earlierRun(token);
      settled.unchanged = animals;
      const earlier = { token, addedEarlier: animals };
      if (given.dryRun) first.planned.created = first.changes.filter((at) => at > records).length;
      if (given.dryRun) return this.resultWith(first.planned, earlier);
      const second = this.secondReading(async (tx, progress) =>
        turn?.advance(tx, { token, fingerprint, ...progress }),
      );
      if (turn !== undefined)
        await this.toItsEnd(second.tally, () => second.run(records, this.reportOf('Importing')));
      return this.resultWith(second.tally, earlier);
    };
    return given.dryRun || this.isStopped ? add() : ImportTurn.run(database.settings, `file ${token}`, add);
  }

  private resultWith(
    tally: ImportTally,
    earlier: Pick<ImportResult, 'token' | 'addedEarlier'> = { addedEarlier: 0 },
  ): ImportResult {
    const { isStopped } = this;
    return { tally: this.first.settled.plus(tally), isStopped, ...earlier };
  }

  private judge(): Promise<void> {
    return this.first.run(this.reportOf('Checking'));
  }

  /** Refused records keep the others from being imported. */
  private get isStopped(): boolean {
    return this.first.settled.refused > 0 && !this.given.skipInvalid;
  }

  private secondReading(requireTurn: ConstructorParameters<typeof SecondReading>[5]): SecondReading {
    return new SecondReading(this.file, this.plan, this.unitOfWork, this.given, this.first, requireTurn);
  }

  private reportOf(doing: string): (records: number) => void {
    const { file } = this;
    return (records) => {
      this.report(doing, records, file.bytesRead / file.size);
    };
  }

  /** @throws {CommandError} when the file has no animal, or too many would be taken away */
  private requireFew({ known, unsold, taken }: MissingCounts): void {
    const { first, given } = this;
    const { missing, allowManyMissing } = given;
    if (missing === 'keep' || allowManyMissing) return;
    if (first.unread > 0) {
      const not = missing === 'sold' ? 'sold' : 'deleted';
      const reason = `${wholeNumber(first.unread)} records cannot be read: no missing animal is ${not}.`;
      first.settled.list([{ reason }]);
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
    const found = await this.unitOfWork.read((manager) => manager.findOneBy(PetImportSchema, { token }));
    if (found !== null && found.fingerprint !== this.first.fingerprint)
      throw new CommandError(
        `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
        EXIT.usage,
      );
    return found ?? { records: 0, animals: 0 };
  }

  /** @throws {CommandError} what ends it in the middle, with how far it got */
  private async toItsEnd(tally: ImportTally, write: () => Promise<void>): Promise<void> {
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
}
