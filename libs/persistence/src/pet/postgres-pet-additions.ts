import type { EventSignal } from '@petstore/event-feed';
import type { NewPet, Pet, PetId } from '@petstore/pet-domain';
import { arrayLiterals } from '../columns/array-literals.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';
import { SharedStatement } from '../pipeline/shared-statement.js';
import { NEW_PET_COLUMNS } from './pet-columns.js';
import { ADD } from './pet-write-statements.js';

/** Adds animals, each with its event, without a transaction. Those that wait at the same time are added together. */
export class PostgresPetAdditions {
  private readonly statement: SharedStatement<NewPet, readonly PetId[], Pet>;

  constructor(writes: Pipeline, signal: EventSignal) {
    this.statement = new SharedStatement(writes, {
      statement: ADD,
      valuesOf: (pets) => arrayLiterals(NEW_PET_COLUMNS, pets),
      reader: () => new IdReader(),
      resultOf: addedPet,
      committed: signal.raise,
    });
  }

  add(pet: NewPet): Promise<Pet> {
    return this.statement.execute(pet);
  }
}

/** The server gives ids in the order of the arrays. */
function addedPet(ids: readonly PetId[], pet: NewPet, place: number): Pet {
  const id = ids[place];
  if (id === undefined) throw new Error('The database gave fewer ids than there are animals.');
  return { id, ...pet };
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
