import {
  PetSourceRepository,
  type SourcePet,
  type Transaction,
  type UnitOfWork,
} from '@petstore/persistence';
import { PetEvent, PetHeldByOrderError, type PreviousPet } from '@petstore/pet-domain';
import { BATCH } from './animals-file.js';
import type { FileReferences } from './file-references.js';
import type { ImportTally } from './import-tally.js';
import type { ImportOptions } from './import.options.js';

/** Animals of a source that are counted together. */
const PAGE = 1_000;

/** What becomes of a missing animal; nothing of one that is sold already. */
interface Fate {
  readonly outcome: 'sold' | 'deleted' | 'held' | 'nothing';
  readonly previous?: PreviousPet | undefined;
}

/** How many animals a source has, and how many of them would be taken away. */
export interface MissingCounts {
  readonly known: number;
  /** Of these, those that are not sold. */
  readonly unsold: number;
  readonly missing: number;
  /** Of the missing ones, those that would be sold or deleted. */
  readonly taken: number;
}

/** Animals of a source that its file lacks, or shows as gone. */
export class MissingAnimals {
  /** References of those that are to be sold or deleted, also if an order holds them now. */
  private readonly toTake: string[] = [];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly source: string,
    private readonly what: ImportOptions['missing'],
  ) {}

  /** Whether there are any to be sold or deleted. */
  get hasSome(): boolean {
    return this.toTake.length > 0;
  }

  /** Counts them, and into the tally what would become of them; writes nothing. */
  async count(references: FileReferences, tally: ImportTally): Promise<MissingCounts> {
    const counts = { known: 0, unsold: 0, missing: 0, taken: 0 };
    for await (const page of this.pages()) {
      counts.known += page.length;
      counts.unsold += page.filter(({ pet }) => pet.status !== 'sold').length;
      const missing = page.filter(({ reference }) => references.lacks(reference));
      counts.missing += missing.length;
      for (const animal of missing) {
        const { outcome } = this.fateOf(animal);
        if (outcome === 'nothing') continue;
        if (outcome !== 'held') counts.taken++;
        this.toTake.push(animal.reference);
        countFate(tally, animal, outcome);
      }
    }
    return counts;
  }

  /**
   * Sells or deletes those that no order holds, some at a time.
   *
   * @param requireTurn is called in each transaction before anything else
   */
  async take(tally: ImportTally, requireTurn: (tx: Transaction) => Promise<void>): Promise<void> {
    for (let at = 0; at < this.toTake.length; at += BATCH) {
      const references = this.toTake.slice(at, at + BATCH);
      const fates = await this.unitOfWork.run(async (tx) => {
        await requireTurn(tx);
        return this.takeAll(tx, references);
      });
      for (const [animal, { outcome }] of fates) countFate(tally, animal, outcome);
    }
  }

  private async takeAll(tx: Transaction, references: readonly string[]): Promise<[SourcePet, Fate][]> {
    const sources = tx.of(PetSourceRepository);
    const locked = [...(await sources.lock(this.source, references)).values()];
    const fates = locked.map((animal): [SourcePet, Fate] => [animal, this.fateOf(animal)]);
    const deleted = fates.flatMap(([{ pet }, { outcome }]) => (outcome === 'deleted' ? pet : []));
    const sold = fates.flatMap(([{ pet }, { previous }]) =>
      previous === undefined ? [] : { pet, previous },
    );
    if (deleted.length > 0) await tx.pets.deleteAll(deleted);
    if (sold.length > 0) {
      await tx.pets.updateAll(sold);
      await sources.rememberSold(sold);
    }
    tx.emit(...deleted.map((pet) => PetEvent.deleted(pet)));
    tx.emit(...sold.map(({ pet, previous }) => PetEvent.updated(pet, previous)));
    return fates;
  }

  /** A pet that is to be sold is sold by this, but not saved. */
  private fateOf({ pet, reservation }: SourcePet): Fate {
    if (this.what === 'keep') return { outcome: 'nothing' };
    try {
      if (this.what === 'sold') {
        const previous = pet.restate({ status: 'sold' }, reservation);
        return { outcome: previous === undefined ? 'nothing' : 'sold', previous };
      }
      pet.requireRemovable(reservation);
      return { outcome: 'deleted' };
    } catch (error) {
      if (error instanceof PetHeldByOrderError) return { outcome: 'held' };
      throw error;
    }
  }

  /** All animals of the source, some at a time. */
  private async *pages(): AsyncGenerator<readonly SourcePet[]> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await this.unitOfWork.read((from) =>
        from.of(PetSourceRepository).page(this.source, after ?? '', PAGE),
      );
      if (page.length > 0) yield page;
      after = page.at(-1)?.reference;
    }
  }
}

function countFate(tally: ImportTally, { reference, pet }: SourcePet, outcome: Fate['outcome']): void {
  if (outcome === 'nothing') return;
  tally[outcome]++;
  if (outcome === 'held')
    tally.list({
      reference,
      reason: `It is missing, but an order holds the animal: it stays ${pet.status}.`,
    });
}
