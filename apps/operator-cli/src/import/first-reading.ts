import type { UnitOfWork } from '@petstore/persistence';
import type { CheckedRecord } from './check-record.js';
import { FileReferences } from './file-references.js';
import { ImportTally } from './import-tally.js';
import { type Plan, refused } from './plan.js';

/** Judges all of a file, and writes nothing. */
export class FirstReading {
  /** Of records of which nothing is to be written: those that are equal, gone or refused. */
  readonly settled = new ImportTally();
  /** What the others are to come to. */
  readonly planned = new ImportTally();
  /** Their places in the file, from 1 on, in their order. */
  readonly changes: number[] = [];
  readonly references = new FileReferences();
  /** SHA-256 of the file in hexadecimal digits. */
  fingerprint = '';
  /** Records that cannot be read at all: nobody knows which animals they are. */
  unread = 0;

  constructor(
    private readonly plan: Plan,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws {AnimalsFileError} when a part of the file cannot be read */
  async run(): Promise<void> {
    const { file, options } = this.plan;
    for await (const batch of file.batches(options)) await this.judge(batch);
    this.fingerprint = file.fingerprint();
  }

  /** Whether the file has an animal that is neither gone nor refused. */
  get hasAnimals(): boolean {
    return this.changes.length + this.settled.unchanged > 0;
  }

  private async judge(batch: readonly CheckedRecord[]): Promise<void> {
    const { settled, planned, plan } = this;
    const first = batch.filter((record) => this.isFirst(record));
    const decisions = await this.unitOfWork.run((tx) => plan.decide(tx, first, false));
    for (const record of batch) {
      const { reference } = record;
      const decision =
        decisions.get(record) ??
        refused({ reason: `The reference ${JSON.stringify(reference)} is in the file twice.` });
      const isPlanned = decision.outcome === 'created' || decision.change !== undefined;
      settled.records++;
      settled.photosLeftOut += record.photosLeftOut;
      settled.shortened += record.shortened;
      if (isPlanned) this.changes.push(record.at);
      (isPlanned ? planned : settled).count(decision, record);
      // It may be any of those that are missing.
      if (decision.outcome === 'refused' && reference === undefined) this.unread++;
    }
  }

  /** Whether no earlier record has its reference. */
  private isFirst({ reference, isGone }: CheckedRecord): boolean {
    if (this.plan.options.source === undefined || reference === undefined) return true;
    return this.references.add(reference, isGone);
  }
}
