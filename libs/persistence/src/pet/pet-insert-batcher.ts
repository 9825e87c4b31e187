import type { EventSignal } from '@petstore/event-feed';
import { type NewPet, type Pet, type PetId, StoreUnavailableError } from '@petstore/pet-domain';
import { arrayLiterals } from '../columns/array-literals.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';
import { NEW_PET_COLUMNS } from './pet-columns.js';
import { ADD } from './pet-write-statements.js';

/** Most animals in one statement: about 100 KiB of the longest names. */
const MOST_TOGETHER = 100;

/**
 * Additions that wait at the same time are one statement and one commit, which saves the server of the
 * database most of its work and its disk most of its waiting. Each is acknowledged after that commit.
 */
export class PetInsertBatcher {
  private waiting: PetInsertBatch | undefined;

  constructor(
    private readonly writes: Pipeline,
    private readonly signal: EventSignal,
  ) {}

  add(pet: NewPet): Promise<Pet> {
    if (this.waiting?.isOpen !== true) this.waiting = new PetInsertBatch(this.writes, this.signal);
    return this.waiting.join(pet);
  }
}

/** Some animals that are added together, or not at all. */
class PetInsertBatch {
  private readonly pets: NewPet[] = [];
  /** Written when the statement leaves; until then animals may join. */
  private readonly values: string[] = [];
  private readonly ids: Promise<readonly PetId[]>;
  private left = false;

  constructor(
    private readonly writes: Pipeline,
    private readonly signal: EventSignal,
  ) {
    const added = writes.ask(ADD, this.values, new IdReader(), () => {
      this.left = true;
      this.values.splice(0, this.values.length, ...arrayLiterals(NEW_PET_COLUMNS, this.pets));
    });
    this.ids = added.then((ids) => {
      signal.raise();
      return ids;
    });
  }

  get isOpen(): boolean {
    return !this.left && this.pets.length < MOST_TOGETHER;
  }

  join(pet: NewPet): Promise<Pet> {
    const place = this.pets.push(pet) - 1;
    return this.ids.then(
      (ids) => {
        // The server gives them in the order of the arrays.
        const id = ids[place];
        if (id === undefined) throw new Error('The database gave fewer ids than there are animals.');
        return { id, ...pet };
      },
      (error: unknown) => this.alone(pet, error),
    );
  }

  /** An animal that the database itself refuses must not keep others from being added: nothing was, so far. */
  private alone(pet: NewPet, error: unknown): Promise<Pet> {
    if (error instanceof StoreUnavailableError || this.pets.length === 1) throw error;
    return new PetInsertBatch(this.writes, this.signal).join(pet);
  }
}

/** Reads rows of one id. */
class IdReader implements RowReader<readonly PetId[]> {
  private readonly ids: PetId[] = [];

  take(row: RawRow): void {
    this.ids.push(firstColumn(row) as PetId);
  }

  answer(): readonly PetId[] {
    return this.ids;
  }
}
