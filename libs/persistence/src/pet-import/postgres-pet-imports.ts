import type { EventSignal } from '@petstore/event-feed';
import type { UnitOfWork } from '@petstore/pet-domain';
import { arrayLiterals } from '../columns/array-literals.js';
import { NEW_PET_COLUMNS } from '../pet/pet-columns.js';
import { ADD } from '../pet/pet-write-statements.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { type BoundStatement, isTrue, type TextRow } from '../unit-of-work/statement-batch.js';
import { ADVANCE, BEGIN, FIND, FINISH } from './pet-import-statements.js';
import {
  PetImportBusyError,
  type PetImportPart,
  type PetImportProgress,
  type PetImports,
} from './pet-imports.js';

/** Imports in PostgreSQL: each part is a transaction of two round trips. */
export class PostgresPetImports implements PetImports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly signal: EventSignal,
  ) {}

  async begin(token: string, fingerprint: string): Promise<PetImportProgress> {
    const [, found = []] = await this.ask(
      bound(BEGIN, token, Buffer.from(fingerprint, 'hex')),
      bound(FIND, token),
    );
    const [row] = found;
    if (row === undefined) throw new Error('An import was begun and is not there.');
    const [begunWith = null, records, animals, isFinished] = row;
    return {
      fingerprint: begunWith ?? '',
      records: Number(records),
      animals: Number(animals),
      isFinished: isTrue(isFinished),
    };
  }

  async add(token: string, { after, upTo, pets }: PetImportPart): Promise<void> {
    // The lock on the row of the import comes first: a second run waits there, and finds it changed.
    const advance = bound(ADVANCE, token, String(after), String(upTo), String(pets.length));
    await this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [advanced = []] = await session.ask(advance);
      if (advanced.length === 0) throw new PetImportBusyError(token);
      if (pets.length === 0) return;
      session.defer(bound(ADD, ...arrayLiterals(NEW_PET_COLUMNS, pets)));
      session.afterCommit(this.signal.raise);
    });
  }

  async finish(token: string, records: number): Promise<void> {
    const [finished = []] = await this.ask(bound(FINISH, token, String(records)));
    if (finished.length === 0) throw new PetImportBusyError(token);
  }

  private ask(...statements: readonly BoundStatement[]): Promise<readonly (readonly TextRow[])[]> {
    return this.unitOfWork.run((transaction) => PostgresTransaction.of(transaction).ask(...statements));
  }
}
