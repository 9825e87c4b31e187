import {
  addDescribedPets,
  type ImportProgress,
  PetSourceRepository,
  type Transaction,
  type UnitOfWork,
} from '@petstore/persistence';
import { type NewPet, type Pet, PetEvent } from '@petstore/pet-domain';
import { AnimalsFileError } from '../errors.js';
import type { AnimalsFile, FileRecord } from './animals-file.js';
import { BATCH, type FirstReading, referenceOf } from './first-reading.js';
import { ImportTally } from './import-tally.js';
import type { ImportOptions } from './import.options.js';
import type { Change, Decision, Plan } from './plan.js';

/** The file is not the one that the first reading has judged. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';

  constructor() {
    super('The file was changed while it was imported.');
  }
}

/** How far the file is done with what is written together, see `ImportProgress`. */
export type BatchProgress = Pick<ImportProgress, 'before' | 'records' | 'animals'>;

/** Writes what the first reading has planned, as it is right when the animals are locked. */
export class SecondReading {
  readonly tally = new ImportTally();

  constructor(
    private readonly file: AnimalsFile,
    private readonly plan: Plan,
    private readonly unitOfWork: UnitOfWork,
    private readonly given: ImportOptions,
    private readonly first: FirstReading,
    /** Called in each transaction. */
    private readonly requireTurn: (tx: Transaction, progress: BatchProgress) => Promise<void>,
  ) {}

  /**
   * @param done place in the file of the last record that an earlier run has done
   * @param report is told after some records how many are done
   * @throws {ChangedFileError}
   */
  async run(done: number, report: (records: number) => void): Promise<void> {
    const { file, first, given } = this;
    const { changes, settled } = first;
    const begin = changes.findIndex((at) => at > done);
    if (begin === -1) return;
    let [at, next, before] = [0, begin, done];
    let batch: FileRecord[] = [];
    try {
      for await (const record of file.records(given)) {
        at++;
        if (at !== changes[next]) continue;
        next++;
        const isLast = next === changes.length;
        if (batch.push(record) < BATCH && !isLast) continue;
        // Behind the last change there are only records of which nothing is to be written.
        const records = isLast ? settled.records : at;
        await this.write(batch, { before, records });
        batch = [];
        before = records;
        report(at);
      }
    } catch (error) {
      // The first reading could read it.
      if (error instanceof AnimalsFileError) throw new ChangedFileError();
      throw error;
    }
    if (file.fingerprint() !== first.fingerprint) throw new ChangedFileError();
  }

  private async write(batch: readonly FileRecord[], place: Omit<BatchProgress, 'animals'>): Promise<void> {
    if (!(await this.file.isUnchanged())) throw new ChangedFileError();
    const decisions = await this.unitOfWork.run(async (tx) => {
      const decided = await this.decide(tx, batch);
      const animals = decided.filter(({ addition }) => addition !== undefined).length;
      await this.requireTurn(tx, { ...place, animals });
      await this.add(tx, decided);
      await this.change(tx, decided);
      return decided;
    });
    for (const [at, record] of batch.entries()) {
      const decision = decisions[at];
      if (decision !== undefined)
        this.tally.count(decision, { line: record.line, reference: referenceOf(record) });
    }
  }

  private async decide(tx: Transaction, batch: readonly FileRecord[]): Promise<readonly Decision[]> {
    const { source } = this.given;
    const references = batch.map(referenceOf).filter((reference) => reference !== undefined);
    const known =
      source === undefined ? undefined : await new PetSourceRepository(tx.manager).lock(source, references);
    const decided: Decision[] = [];
    for (const record of batch)
      decided.push(await this.plan.decide(tx, record, known?.get(referenceOf(record) ?? '')));
    return decided;
  }

  private async add(tx: Transaction, decided: readonly Decision[]): Promise<void> {
    const additions = decided.flatMap(({ addition }) => addition ?? []);
    if (additions.length === 0) return;
    const wanted = [];
    for (const { name, status, profile, category } of additions) {
      const pet: NewPet = { name, status, categoryId: await this.plan.categoryFor(tx, category) };
      wanted.push({ pet, profile });
    }
    const pets = await addDescribedPets(tx, wanted);
    if (this.given.source === undefined) return;
    const known = new Map(additions.map(({ reference = '' }, at) => [reference, pets[at] as Pet]));
    await new PetSourceRepository(tx.manager).add(this.given.source, known);
  }

  private async change(tx: Transaction, decided: readonly Decision[]): Promise<void> {
    const changes = decided.flatMap(({ change }) => change ?? []);
    const updated = changes.flatMap(({ pet, previous }) => (previous === undefined ? [] : { pet, previous }));
    if (updated.length > 0) await tx.pets.updateAll(updated);
    const described = changes.flatMap(({ pet, profile }) =>
      profile === undefined ? [] : [[pet, profile] as const],
    );
    await tx.pets.saveProfiles(described);
    const soldBySource = changes.filter(({ isSoldBySource }) => isSoldBySource);
    if (soldBySource.length > 0)
      await new PetSourceRepository(tx.manager).forgetSold(soldBySource.map(({ pet }) => pet));
    for (const change of changes) tx.emit(...eventsOf(change));
  }
}

function eventsOf({ pet, previous, profile }: Change): PetEvent[] {
  const updated = previous === undefined ? [] : [PetEvent.updated(pet, previous)];
  return profile === undefined ? updated : [...updated, PetEvent.profileUpdated(pet, profile)];
}
