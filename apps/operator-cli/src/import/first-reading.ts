import { batchesOf } from './batches.js';
import type { CheckedRecord } from './check-record.js';
import { FileReferences } from './file-references.js';
import type { ImportContext } from './import.context.js';
import { ImportTally } from './import-tally.js';
import { type Decision, refused } from './plan.js';

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

  constructor(private readonly context: ImportContext) {}

  /** @throws {AnimalsFileError} when a part of the file cannot be read */
  async run(): Promise<void> {
    const { file, given } = this.context;
    for await (const batch of batchesOf(file, given)) await this.judge(batch);
    this.fingerprint = file.fingerprint();
  }

  /** Whether the file has an animal that is neither gone nor refused. */
  get hasAnimals(): boolean {
    const { created, updated, unchanged } = this.settled.plus(this.planned);
    return created + updated + unchanged > 0;
  }

  private async judge(batch: readonly CheckedRecord[]): Promise<void> {
    const { settled, planned, context } = this;
    const { unitOfWork, plan } = context;
    const first = batch.filter((record) => this.isFirst(record));
    const decisions = await unitOfWork.run((tx) => plan.decide(tx, first, false));
    for (const record of batch) {
      const decision = decisions.get(record) ?? refuseRepeat(record);
      const isPlanned = decision.outcome === 'created' || decision.change !== undefined;
      settled.records++;
      settled.photosLeftOut += record.photosLeftOut;
      settled.shortened += record.shortened;
      if (isPlanned) this.changes.push(record.at);
      (isPlanned ? planned : settled).count(decision, record);
      // It may be any of those that are missing.
      if (decision.outcome === 'refused' && record.reference === undefined) this.unread++;
    }
  }

  /** Whether no earlier record has its reference. */
  private isFirst({ reference, isGone }: CheckedRecord): boolean {
    if (this.context.given.source === undefined || reference === undefined) return true;
    return this.references.add(reference, isGone);
  }
}

const refuseRepeat = ({ reference }: CheckedRecord): Decision =>
  refused({ reason: `The reference ${JSON.stringify(reference)} is in the file twice.` });
