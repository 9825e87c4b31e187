import {
  type Pet,
  PetEvent,
  type PetHold,
  type PetId,
  type Transaction,
  type UnitOfWork,
} from '@petstore/pet-domain';
import type { EventSignal } from '@petstore/event-feed';
import { valuesOf } from '../columns/columns-of.js';
import type { Pipelines } from '../pipeline/pipelines.js';
import { firstColumn, type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import type { BoundStatement } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { NEW_PET_COLUMNS, PET_COLUMNS } from './pet-columns.js';
import { CHANGE, LOAD, LOCK, REMOVE } from './pet-write-statements.js';

/** How often a change is tried without a lock. */
const ATTEMPTS = 3;

/** An animal, which state of its row that is, and what an order has made of it. */
interface VersionedPet {
  readonly pet: Pet;
  readonly version: string;
  readonly hold: PetHold | undefined;
}

/** What is to be done to an animal as it is now; `undefined` for nothing. */
type Write = BoundStatement | undefined;

/**
 * Changes of one animal, without a transaction: read it, decide, and write if nobody has written meanwhile, with its
 * event in the same statement. That takes half as long as to lock it first, and holds no connection in between. An
 * animal that many change at once is locked after a few attempts, so that everybody has a turn.
 */
export class PostgresPetChanges {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly unitOfWork: UnitOfWork,
    private readonly signal: EventSignal,
  ) {}

  /** See `PetStore.change`. */
  async change(id: PetId, decide: (pet: Pet, hold: PetHold | undefined) => Pet): Promise<Pet | undefined> {
    let after: Pet | undefined;
    const found = await this.write(id, ({ pet, version, hold }) => {
      after = decide(pet, hold);
      if (after === pet) return undefined;
      const { data } = PetEvent.updated(pet, after);
      return bound(CHANGE, id, version, ...valuesOf(NEW_PET_COLUMNS, after), data);
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
      return bound(REMOVE, id, version, PetEvent.deleted(pet).data);
    });
  }

  /** @returns whether there is such an animal */
  private async write(id: PetId, decide: (current: VersionedPet) => Write): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const current = await this.pipelines.reads.ask(LOAD, [id], new VersionedPetReader());
      if (current === undefined) return false;
      const write = decide(current);
      if (write === undefined) return true;
      if (!(await this.writeAlone(write))) continue;
      this.signal.raise();
      return true;
    }
    return this.unitOfWork.run((transaction) => this.writeLocked(transaction, id, decide));
  }

  /** @returns whether the animal had the version that the statement names */
  private async writeAlone({ statement, values }: BoundStatement): Promise<boolean> {
    const id = await this.pipelines.writes.ask(statement, values as readonly string[], new OneIdReader());
    return id !== undefined;
  }

  private async writeLocked(
    transaction: Transaction,
    id: PetId,
    decide: (current: VersionedPet) => Write,
  ): Promise<boolean> {
    const session = PostgresTransaction.of(transaction);
    const [, [row] = []] = await session.ask(bound(LOCK, id), bound(LOAD, id));
    if (row === undefined) return false;
    const write = decide(toVersionedPet(row as readonly string[]));
    if (write === undefined) return true;
    session.defer(write);
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

class OneIdReader implements RowReader<string | undefined> {
  private id: string | undefined;

  take(row: RawRow): void {
    this.id = firstColumn(row);
  }

  answer(): string | undefined {
    return this.id;
  }
}
