import {
  type Pet,
  PetEvent,
  type PetHold,
  type PetId,
  type Transaction,
  type UnitOfWork,
} from '@petstore/pet-domain';
import type { EventSignal } from '@petstore/event-feed';
import { arrayLiterals } from '../columns/array-literals.js';
import { valuesOf } from '../columns/columns-of.js';
import type { Pipelines } from '../pipeline/pipelines.js';
import { firstColumn, type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { SharedStatement } from '../pipeline/shared-statement.js';
import type { BoundStatement } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { NEW_PET_COLUMNS, PET_COLUMNS } from './pet-columns.js';
import { CHANGE, CHANGE_COLUMNS, CHANGE_ONE, LOAD, LOCK, REMOVE } from './pet-write-statements.js';

/** How often a change is tried without a lock. */
const ATTEMPTS = 3;

/** An animal, which state of its row that is, and what an order has made of it. */
interface VersionedPet {
  readonly pet: Pet;
  readonly version: string;
  readonly hold: PetHold | undefined;
}

/** A change as `CHANGE` takes it. */
interface Change extends Pet {
  readonly version: string;
  /** Of its event. */
  readonly data: string;
}

/** What is to be done to an animal as it is now. */
interface Write {
  /** Together with what is done to others; a removal is done alone. */
  readonly shared?: Change;
  alone(): BoundStatement;
}

/** @returns `undefined` for nothing */
type Decision = (current: VersionedPet) => Write | undefined;

/**
 * Changes of animals, without a transaction: read one, decide, and write if nobody has written meanwhile, with its
 * event in the same statement. That takes half as long as to lock it first, and holds no connection in between. Those
 * that wait at the same time are written together; one that somebody else has locked then waits alone. An animal that
 * many change at once is locked after a few attempts, so that everybody has a turn: by one
 * change at a time, so that the others do not hold connections while they wait for the lock.
 */
export class PostgresPetChanges {
  private readonly changes: SharedStatement<Change, ReadonlySet<string>, boolean>;

  constructor(
    private readonly pipelines: Pipelines,
    private readonly unitOfWork: UnitOfWork,
    private readonly signal: EventSignal,
  ) {
    this.changes = new SharedStatement(pipelines.writes, {
      statement: CHANGE,
      valuesOf: (changes) => arrayLiterals(CHANGE_COLUMNS, changes),
      reader: () => new IdReader(),
      resultOf: (changed, { id }) => changed.has(id),
      keyOf: ({ id }) => id,
      committed: signal.raise,
    });
  }

  /** See `PetStore.change`. */
  async change(id: PetId, decide: (pet: Pet, hold: PetHold | undefined) => Pet): Promise<Pet | undefined> {
    let after: Pet | undefined;
    const found = await this.write(id, ({ pet, version, hold }) => {
      const changed = (after = decide(pet, hold));
      if (changed === pet) return undefined;
      const { data } = PetEvent.updated(pet, changed);
      return {
        shared: { ...changed, version, data },
        alone: () => bound(CHANGE_ONE, id, version, ...valuesOf(NEW_PET_COLUMNS, changed), data),
      };
    });
    return found ? after : undefined;
  }

  /** See `PetStore.remove`. */
  remove(
    id: PetId,
    check: (pet: Pet, hold: PetHold | undefined) => void = () => undefined,
  ): Promise<boolean> {
    return this.write(id, ({ pet, version, hold }) => {
      check(pet, hold);
      return { alone: () => bound(REMOVE, id, version, PetEvent.deleted(pet).data) };
    });
  }

  /** @returns whether there is such an animal */
  private async write(id: PetId, decide: Decision): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const current = await this.pipelines.reads.ask(LOAD, [id], new VersionedPetReader());
      if (current === undefined) return false;
      const write = decide(current);
      if (write === undefined) return true;
      const { shared } = write;
      const isWritten =
        attempt === 1 && shared !== undefined
          ? await this.changes.execute(shared)
          : await this.writeAlone(write.alone());
      if (isWritten) return true;
    }
    return this.unitOfWork.run((transaction) => this.writeLocked(transaction, id, decide), `pet ${id}`);
  }

  /** @returns whether the animal had the version that the statement names */
  private async writeAlone({ statement, values }: BoundStatement): Promise<boolean> {
    const ids = await this.pipelines.writes.ask(statement, values as readonly string[], new IdReader());
    if (ids.size === 0) return false;
    this.signal.raise();
    return true;
  }

  private async writeLocked(transaction: Transaction, id: PetId, decide: Decision): Promise<boolean> {
    const session = PostgresTransaction.of(transaction);
    const [, [row] = []] = await session.ask(bound(LOCK, id), bound(LOAD, id));
    if (row === undefined) return false;
    const write = decide(toVersionedPet(row as readonly string[]));
    if (write === undefined) return true;
    session.defer(write.alone());
    session.afterCommit(this.signal.raise);
    return true;
  }
}

/** @param values of the columns of `LOAD` */
function toVersionedPet(values: readonly string[]): VersionedPet {
  const pet = Object.fromEntries(PET_COLUMNS.map(({ member }, at) => [member, values[at]]));
  const [version = '', hold = ''] = values.slice(PET_COLUMNS.length);
  return { pet: pet as unknown as Pet, version, hold: hold === '' ? undefined : (hold as PetHold) };
}

class VersionedPetReader implements RowReader<VersionedPet | undefined> {
  private found: VersionedPet | undefined;

  take(row: RawRow): void {
    this.found = toVersionedPet(textColumns(row, PET_COLUMNS.length + 2));
  }

  answer(): VersionedPet | undefined {
    return this.found;
  }
}

/** Of the animals that were written. */
class IdReader implements RowReader<ReadonlySet<string>> {
  private readonly ids = new Set<string>();

  take(row: RawRow): void {
    this.ids.add(firstColumn(row));
  }

  answer(): ReadonlySet<string> {
    return this.ids;
  }
}
