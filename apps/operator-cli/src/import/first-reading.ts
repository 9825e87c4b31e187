import { PetSourceRepository, type UnitOfWork } from '@petstore/persistence';
import { FreeText } from '@petstore/pet-domain';
import type { AnimalsFile, FileRecord } from './animals-file.js';
import { FileReferences } from './file-references.js';
import { ImportTally } from './import-tally.js';
import type { ImportOptions } from './import.options.js';
import type { Decision, Plan } from './plan.js';
import { isGone } from './validate-record.js';

/** Records that are looked up together, and most that are written together. */
export const BATCH = 100;

/** What cannot be one, PostgreSQL might not even take as a text. */
export const referenceOf = ({ reference = '' }: FileRecord): string | undefined => FreeText.parse(reference);

/** Judges all of a file, and writes nothing. */
export class FirstReading {
  /** Of records of which nothing is to be written: those that are equal, gone or refused. */
  readonly settled = new ImportTally();
  /** What the others are to come to. */
  readonly planned = new ImportTally();
  /** Their places in the file, from 1 on. */
  readonly changes: number[] = [];
  readonly references = new FileReferences();
  /** SHA-256 of the file in hexadecimal digits. */
  fingerprint = '';
  /** Records that cannot be read at all: nobody knows which animals they are. */
  unread = 0;

  constructor(
    private readonly file: AnimalsFile,
    private readonly plan: Plan,
    private readonly unitOfWork: UnitOfWork,
    private readonly given: ImportOptions,
  ) {}

  /**
   * @param report is told after some records how many there were
   * @throws {AnimalsFileError} when a part of it cannot be read
   */
  async run(report: (records: number) => void): Promise<void> {
    const { file, given, settled } = this;
    let batch: FileRecord[] = [];
    for await (const record of file.records(given)) {
      if (batch.push(record) < BATCH) continue;
      await this.judge(batch);
      batch = [];
      report(settled.records);
    }
    await this.judge(batch);
    this.fingerprint = file.fingerprint();
  }

  /** Whether the file has an animal that is neither gone nor refused. */
  get hasAnimals(): boolean {
    const { created, updated, unchanged } = this.settled.plus(this.planned);
    return created + updated + unchanged > 0;
  }

  private async judge(batch: readonly FileRecord[]): Promise<void> {
    const { plan, settled } = this;
    const fresh = batch.map((record) => this.isFirst(record));
    const decisions = await this.unitOfWork.run(async (tx) => {
      const { source } = this.given;
      const references = batch.map(referenceOf).filter((reference) => reference !== undefined);
      const sources = new PetSourceRepository(tx.manager);
      const known = source === undefined ? undefined : await sources.find(source, references);
      const decided: (Decision | 'gone' | 'skipped')[] = [];
      for (const [at, record] of batch.entries()) {
        const reference = referenceOf(record) ?? '';
        const found = known?.get(reference);
        if (fresh[at] !== true) decided.push(plan.refuseRepeat(reference));
        else if (reference !== '' && isGone(this.file, record))
          decided.push(found === undefined ? 'skipped' : 'gone');
        else decided.push(await plan.decide(tx, record, found));
      }
      return decided;
    });
    for (const [at, record] of batch.entries()) {
      const decision = decisions[at];
      settled.records++;
      settled.photosLeftOut += record.photosLeftOut;
      settled.shortened += record.shortened;
      if (decision === 'skipped') settled.skipped++;
      if (decision === undefined || typeof decision === 'string') continue;
      const isPlanned = decision.addition !== undefined || decision.change !== undefined;
      if (isPlanned) this.changes.push(settled.records);
      (isPlanned ? this.planned : settled).count(decision, {
        line: record.line,
        reference: referenceOf(record),
      });
      // It may be any of those that are missing.
      if (decision.outcome === 'refused' && referenceOf(record) === undefined) this.unread++;
    }
  }

  /** Whether no earlier record has its reference. */
  private isFirst(record: FileRecord): boolean {
    const reference = referenceOf(record);
    if (this.given.source === undefined || reference === undefined) return true;
    return this.references.add(reference, isGone(this.file, record));
  }
}
