import type { ImportToken, KnownPet, StockChange, StockImport } from '@petstore/persistence';
import { CommandError, EXIT } from '../errors.js';
import { wholeNumber } from '../output.js';
import type { ImportOptions } from './import.options.js';
import { type Decision, Plan } from './plan.js';
import type { ReportProgress } from './progress.js';
import { type StockFile, StockReading } from './stock-file.js';
import { type Flaw, type JudgedRecord, judgeRecord, type StockRecord } from './stock-record.js';

/** Most problems that are listed; all are counted. */
const MAX_LISTED = 1_000;

/** Records that are looked up and staged together. */
const BATCH = 500;

/** What is to be said of a record, or of an animal that is not in the file. */
export interface Problem extends Flaw {
  readonly line?: number;
  readonly reference?: string | undefined;
}

export interface ImportedStock {
  records: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Animals of the source that the file lacks, or shows as gone. */
  missing: number;
  /** Animals that an order keeps from what the file says. */
  held: number;
  /** New animals that are not for adoption. */
  skipped: number;
  refused: number;
  readonly problems: Problem[];
  /** Records that have problems of which none is listed. */
  unlisted: number;
  photosLeftOut: number;
  /** Columns that are not read. */
  ignored: readonly string[];
}

/** A file that was read, checked and staged. */
export interface StagedStock {
  readonly result: ImportedStock;
  /** SHA-256 of the file in hexadecimal digits. */
  readonly fingerprint: string;
  readonly apply: (token?: ImportToken) => Promise<void>;
}

/**
 * Reads a file to its end, and stages what it changes.
 *
 * @throws {StockFileError} when a part of it cannot be read
 * @throws {CommandError} when too many animals would be taken away
 */
export async function stageStock(
  file: StockFile,
  stock: StockImport,
  given: ImportOptions,
  report: ReportProgress,
): Promise<StagedStock> {
  const staging = new Staging(file, stock, given);
  const reading = new StockReading(file, { dateOrder: given.dateOrder, currency: given.currency });
  let batch: StockRecord[] = [];
  for await (const record of reading.records()) {
    if (batch.push(record) < BATCH) continue;
    await staging.add(batch);
    batch = [];
    report(reading.bytesRead / file.size, staging.result.records);
  }
  await staging.add(batch);
  staging.result.ignored = reading.ignored;
  if (given.source !== undefined) await staging.lookForMissing();
  return {
    result: staging.result,
    fingerprint: reading.fingerprint(),
    apply: (token) => stock.apply((record, known) => staging.decideAnew(record, known), token),
  };
}

class Staging {
  readonly result: ImportedStock = {
    ...{ records: 0, created: 0, updated: 0, unchanged: 0, missing: 0, held: 0, skipped: 0, refused: 0 },
    ...{ problems: [], unlisted: 0, photosLeftOut: 0, ignored: [] },
  };
  private readonly plan: Plan;
  /** Records that cannot be read at all: nobody knows which animals they are. */
  private unread = 0;

  constructor(
    private readonly file: StockFile,
    private readonly stock: StockImport,
    private readonly given: ImportOptions,
  ) {
    const { latestBirth } = file;
    this.plan = new Plan(stock, { ...given, categories: given.category, latestBirth });
  }

  async add(batch: readonly StockRecord[]): Promise<void> {
    const { result, stock, given } = this;
    const referred =
      given.source === undefined ? [] : batch.filter(({ reference }) => reference !== undefined);
    const references = referred.map(({ reference = '' }) => reference);
    const before = await stock.see(
      references,
      referred.map(({ isGone = false }) => isGone),
    );
    const known = await stock.known(references);
    const seen = new Set<string>();
    const changes: StockChange[] = [];
    for (const record of batch) {
      const { line, reference = '', isGone = false, photosLeftOut } = record;
      result.records++;
      result.photosLeftOut += photosLeftOut;
      const isSecond = given.source !== undefined && (before.has(reference) || seen.has(reference));
      if (reference !== '') seen.add(reference);
      const flaws = isSecond
        ? [{ reason: `The reference ${JSON.stringify(reference)} is in the file twice.` }]
        : undefined;
      if (isGone && flaws === undefined && reference !== '') {
        if (!known.has(reference)) result.skipped++;
        continue;
      }
      const decision: Decision =
        flaws === undefined ? await this.decide(record, known.get(reference)) : { outcome: 'refused', flaws };
      this.count(decision, line);
      // It may be any of those that are missing.
      if (decision.outcome === 'refused' && reference === '') this.unread++;
      if (decision.change !== undefined) changes.push(decision.change);
    }
    await stock.stage(changes);
  }

  private async decide(record: StockRecord, known: KnownPet | undefined): Promise<Decision> {
    const judged = judgeRecord(record, this.file.latestBirth, this.given.source === undefined);
    if ('flaws' in judged) return { outcome: 'refused', flaws: judged.flaws };
    if (this.given.source === undefined)
      return this.plan.decide({ ...judged, reference: undefined }, undefined);
    if (judged.reference === undefined)
      return {
        outcome: 'refused',
        flaws: [
          { field: record.fieldOf('reference'), reason: 'is missing: with --source each record needs one' },
        ],
      };
    return this.plan.decide(judged, known);
  }

  private count({ outcome, isHeld = false, flaws }: Decision, line: number): void {
    this.result[outcome]++;
    if (isHeld) this.result.held++;
    this.list(flaws.map((flaw) => ({ line, ...flaw })));
  }

  private list(problems: readonly Problem[]): void {
    const { result } = this;
    const room = MAX_LISTED - result.problems.length;
    if (problems.length > 0 && room === 0) result.unlisted++;
    result.problems.push(...problems.slice(0, room));
  }

  /** For an animal that somebody has changed since it was staged. */
  async decideAnew(text: string, known: KnownPet | undefined): Promise<StockChange | undefined> {
    const record = JSON.parse(text) as JudgedRecord;
    const decision = await this.plan.decide(record, known);
    this.result.updated--;
    this.count(decision, record.line);
    return decision.change;
  }

  /** @throws {CommandError} when too many would be taken away */
  async lookForMissing(): Promise<void> {
    const { result, stock, given, unread } = this;
    const { missing: what, allowManyMissing } = given;
    const counts = await stock.countMissing();
    result.missing = counts.missing;
    // Nothing will be done when records are refused, and that is what is to be said.
    if (what === 'keep' || (result.refused > 0 && !given.skipInvalid)) return;
    if (unread > 0) {
      this.list([
        {
          reason: `${unread} records cannot be read: no missing animal is ${what === 'sold' ? 'sold' : 'deleted'}.`,
        },
      ]);
      return;
    }
    const [taken, of] = what === 'sold' ? [counts.sellable, counts.unsold] : [counts.removable, counts.known];
    const isEmpty = result.created + result.updated + result.unchanged === 0;
    if (!allowManyMissing && (isEmpty || taken * 2 > of)) {
      const why = isEmpty
        ? 'The file has no animal'
        : `The file would take ${wholeNumber(taken)} of the source's ${wholeNumber(of)} animals`;
      throw new CommandError(
        `${why}: nothing was imported. If that is right, say --allow-many-missing.`,
        EXIT.guarded,
      );
    }
    const held = await stock.stageMissing(what);
    result.held += held.length;
    for (const { reference, status } of held)
      this.list([{ reference, reason: `It is missing, but an order holds the animal: it stays ${status}.` }]);
  }
}
