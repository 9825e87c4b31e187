import type { KnownPet, SourceImport, StagedRecord } from '@petstore/persistence';
import { Day, FreeText } from '@petstore/pet-domain';
import { CommandError, EXIT } from '../errors.js';
import { wholeNumber } from '../output.js';
import type { AnimalsFile, FileRecord } from './animals-file.js';
import type { ImportOptions } from './import.options.js';
import { type Decision, Plan, refused } from './plan.js';
import { isGone, type Problem, validateRecord, type ValidRecord } from './validate-record.js';

/** Most problems that are listed; all are counted. */
const MAX_LISTED = 1_000;

/** Records that are looked up and staged together. */
const BATCH = 100;

/** What comes of an import. */
export class ImportTally {
  records = 0;
  created = 0;
  updated = 0;
  unchanged = 0;
  /** Animals of the source that the file lacks, or shows as gone. */
  missing = 0;
  /** Animals that an order keeps from what the file says. */
  held = 0;
  /** New animals that are not for adoption. */
  skipped = 0;
  refused = 0;
  readonly problems: Problem[] = [];
  /** Records that have problems of which none is listed. */
  unlisted = 0;
  photosLeftOut = 0;

  list(problems: readonly Problem[]): void {
    const room = MAX_LISTED - this.problems.length;
    if (problems.length > 0 && room === 0) this.unlisted++;
    this.problems.push(...problems.slice(0, room));
  }

  count({ outcome, isHeld = false, problems }: Decision, line: number): void {
    this[outcome]++;
    if (isHeld) this.held++;
    this.list(problems.map((problem) => ({ line, ...problem })));
  }
}

/** What cannot be one, PostgreSQL might not even take as a text. */
const referenceOf = ({ reference = '' }: FileRecord): string | undefined => FreeText.parse(reference);

/** One way of a file into the stock: it is read to its end and staged, and then applied. */
export class AnimalsImport {
  readonly tally = new ImportTally();
  private readonly plan: Plan;
  /** The last day on which animals may be born: tomorrow in UTC. */
  private readonly latestBirth = Day.of(new Date(), 1);
  /** References of the file so far. */
  private readonly seen = new Set<string>();
  private staging: Promise<void> = Promise.resolve();
  /** Records that cannot be read at all: nobody knows which animals they are. */
  private unread = 0;

  constructor(
    private readonly file: AnimalsFile,
    private readonly source: SourceImport,
    private readonly given: ImportOptions,
  ) {
    this.plan = new Plan(source, given, file.isForeign, this.latestBirth);
  }

  /**
   * Reads the file, and stages what it changes.
   *
   * @param report is told how much of the file has been read, 0 to 1
   * @throws {AnimalsFileError} when a part of it cannot be read
   * @throws {CommandError} when too many animals would be taken away
   */
  async stage(report: (share: number) => void): Promise<void> {
    const { file, given } = this;
    let batch: FileRecord[] = [];
    for await (const record of file.records(given)) {
      if (batch.push(record) < BATCH) continue;
      await this.add(batch);
      batch = [];
      report(file.bytesRead / file.size);
    }
    await this.add(batch);
    await this.staging;
    if (given.source !== undefined) await this.stageMissing(given.missing);
  }

  /** For an animal that somebody has changed since it was staged. */
  readonly decideAnew = async (
    text: string,
    known: KnownPet | undefined,
  ): Promise<StagedRecord | undefined> => {
    const record = JSON.parse(text) as ValidRecord;
    const decision = await this.plan.decide(record, known);
    this.tally.updated--;
    this.tally.count(decision, record.line);
    return decision.change;
  };

  private async add(batch: readonly FileRecord[]): Promise<void> {
    const { tally, source, given } = this;
    const references = batch.map(referenceOf).filter((reference) => reference !== undefined);
    const known = given.source === undefined ? new Map<string, KnownPet>() : await source.known(references);
    const staged: StagedRecord[] = [];
    for (const record of batch) {
      const reference = referenceOf(record);
      tally.records++;
      tally.photosLeftOut += record.photosLeftOut;
      const isSecond = reference !== undefined && this.seen.has(reference);
      if (given.source !== undefined && reference !== undefined) this.seen.add(reference);
      if (reference !== undefined && !isSecond && isGone(this.file, record)) {
        if (!known.has(reference)) tally.skipped++;
        staged.push({ kind: 'gone', reference });
        continue;
      }
      const decision = isSecond
        ? refused([{ reason: `The reference ${JSON.stringify(reference)} is in the file twice.` }])
        : await this.decide(record, known.get(reference ?? ''));
      tally.count(decision, record.line);
      // It may be any of those that are missing.
      if (decision.outcome === 'refused' && reference === undefined) this.unread++;
      if (decision.change !== undefined) staged.push(decision.change);
      else if (reference !== undefined) staged.push({ kind: 'unchanged', reference });
    }
    // The next records are read meanwhile.
    await this.staging;
    this.staging = source.stage(staged);
    this.staging.catch(() => undefined);
  }

  private async decide(record: FileRecord, known: KnownPet | undefined): Promise<Decision> {
    const { file, given, latestBirth } = this;
    const valid = validateRecord(file, record, latestBirth, known === undefined);
    if ('length' in valid) return refused(valid);
    if (given.source === undefined) return this.plan.decide({ ...valid, reference: undefined }, undefined);
    if (valid.reference !== undefined) return this.plan.decide(valid, known);
    const field = file.fieldOf('reference');
    return refused([{ field, reason: 'is missing: with --source each record needs one' }]);
  }

  /** @throws {CommandError} when too many would be taken away */
  private async stageMissing(what: ImportOptions['missing']): Promise<void> {
    const { tally, source, given, unread } = this;
    const counts = await source.countMissing();
    tally.missing = counts.missing;
    // Nothing will be done when records are refused, and that is what is to be said.
    if (what === 'keep' || (tally.refused > 0 && !given.skipInvalid)) return;
    if (unread > 0) {
      const not = what === 'sold' ? 'sold' : 'deleted';
      tally.list([{ reason: `${unread} records cannot be read: no missing animal is ${not}.` }]);
      return;
    }
    const [taken, of] = what === 'sold' ? [counts.sellable, counts.unsold] : [counts.removable, counts.known];
    const isEmpty = tally.created + tally.updated + tally.unchanged === 0;
    if (!given.allowManyMissing && (isEmpty || taken * 2 > of)) {
      const why = !isEmpty
        ? `The file would take ${wholeNumber(taken)} of the source's ${wholeNumber(of)} animals`
        : tally.refused > 0
          ? `All animals of the file were refused (${wholeNumber(tally.refused)})`
          : 'The file has no animal';
      const message = `${why}: nothing was imported. If that is right, say --allow-many-missing.`;
      throw new CommandError(message, EXIT.tooManyMissing);
    }
    const held = await source.stageMissing(what);
    tally.held += held.length;
    for (const { reference, status } of held)
      tally.list([
        { reference, reason: `It is missing, but an order holds the animal: it stays ${status}.` },
      ]);
  }
}
