import {
  addDescribedPets,
  type ImportProgress,
  PetSourceRepository,
  type Transaction,
  type UnitOfWork,
} from '@petstore/persistence';
import { type Pet, PetEvent } from '@petstore/pet-domain';
import { AnimalsFileError } from '../errors.js';
import type { CheckedRecord } from './check-record.js';
import type { FirstReading } from './first-reading.js';
import type { ImportTally } from './import-tally.js';
import type { Addition, Change, Plan } from './plan.js';

/** The file is not the one that the first reading has judged. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';

  constructor() {
    super('The file was changed while it was imported.');
  }
}

/** How far the file is done with what is written together, see `ImportProgress`. */
type BatchProgress = Pick<ImportProgress, 'before' | 'records' | 'animals'>;

/** Writes what the first reading has planned, as it is right when the animals are locked. */
export class SecondReading {
  /**
   * @param tally of what is done
   * @param requireTurn is called in each transaction
   */
  constructor(
    private readonly plan: Plan,
    private readonly unitOfWork: UnitOfWork,
    private readonly tally: ImportTally,
    private readonly requireTurn: (tx: Transaction, progress: BatchProgress) => Promise<void>,
  ) {}

  /**
   * @param done place in the file of the last record that an earlier run has done
   * @throws {ChangedFileError}
   */
  async run({ changes, fingerprint }: FirstReading, done = 0): Promise<void> {
    const { file, options } = this.plan;
    const places = changes.filter((at) => at > done);
    if (places.length === 0) return;
    let before = done;
    try {
      for await (const batch of file.batches(options, places)) {
        if (!(await file.isUnchanged())) throw new ChangedFileError();
        const records = batch.at(-1)?.at ?? before;
        await this.write(batch, { before, records });
        before = records;
      }
    } catch (error) {
      // The first reading could read it.
      if (error instanceof AnimalsFileError) throw new ChangedFileError();
      throw error;
    }
    if (file.fingerprint() !== fingerprint) throw new ChangedFileError();
  }

  private async write(batch: readonly CheckedRecord[], place: Omit<BatchProgress, 'animals'>): Promise<void> {
    const decisions = await this.unitOfWork.run(async (tx) => {
      const decided = await this.plan.decide(tx, batch, true);
      const additions = [...decided.values()].flatMap(({ addition }) => addition ?? []);
      const changes = [...decided.values()].flatMap(({ change }) => change ?? []);
      await this.requireTurn(tx, { ...place, animals: additions.length });
      await this.add(tx, additions);
      await save(tx, changes);
      return decided;
    });
    for (const [record, decision] of decisions) this.tally.count(decision, record);
  }

  private async add(tx: Transaction, additions: readonly Addition[]): Promise<void> {
    if (additions.length === 0) return;
    const pets = await addDescribedPets(tx, additions);
    const { source } = this.plan.options;
    if (source === undefined) return;
    const known = new Map(additions.map(({ reference = '' }, at) => [reference, pets[at] as Pet]));
    await tx.of(PetSourceRepository).add(source, known);
  }
}

async function save(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const updated = changes.flatMap(({ pet, previous }) => (previous === undefined ? [] : { pet, previous }));
  if (updated.length > 0) await tx.pets.updateAll(updated);
  const described = changes.flatMap(({ pet, profile }) =>
    profile === undefined ? [] : [[pet, profile] as const],
  );
  await tx.pets.saveProfiles(described);
  const soldBySource = changes.filter(({ isSoldBySource }) => isSoldBySource);
  if (soldBySource.length > 0)
    await tx.of(PetSourceRepository).forgetSold(soldBySource.map(({ pet }) => pet));
  for (const { pet, previous, profile } of changes) {
    if (previous !== undefined) tx.emit(PetEvent.updated(pet, previous));
    if (profile !== undefined) tx.emit(PetEvent.profileUpdated(pet, profile));
  }
}
