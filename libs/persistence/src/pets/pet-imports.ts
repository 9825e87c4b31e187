import { type NewPet, PetEvent, PetProfile } from '@petstore/pet-domain';
import { type EntityManager, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import type { Transaction } from '../unit-of-work/transaction.js';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { type PetImportProgress, PetImportSchema } from './pet-import.schema.js';

/** A new pet and its profile, if it has one. */
export interface DescribedPet {
  readonly pet: NewPet;
  readonly profile?: PetProfile | undefined;
}

/** Records of a file that follow each other, as pets. */
export interface PetImportPart {
  /** Records before it, all of them done. */
  readonly after: number;
  /** Records up to its end. */
  readonly upTo: number;
  /** Those of its records that are pets, in their order. */
  readonly pets: readonly DescribedPet[];
}

/** Another run of the same import has got further meanwhile: nothing was added. */
export class PetImportBusyError extends Error {
  override readonly name = 'PetImportBusyError';

  constructor(token: string) {
    super(`Another run is importing with the token ${token} at this moment: let one of the two end.`);
  }
}

/**
 * Imports of pets from files, for operators. Each part is added together with the note that it is done, so that every
 * record of a file is added exactly once, whatever is interrupted and however often it is begun.
 */
export class PetImports {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Begins an import, or finds the one with this token.
   *
   * @param fingerprint SHA-256 of the file, in hexadecimal digits
   * @returns how far it has got, with the fingerprint that it was begun with
   */
  begin(token: string, fingerprint: string): Promise<PetImportProgress> {
    return this.unitOfWork.run(async ({ manager }) => {
      const insert = manager.createQueryBuilder().insert().into(PetImportSchema);
      await insert.values({ token, fingerprint }).orIgnore().execute();
      return manager.findOneByOrFail(PetImportSchema, { token });
    });
  }

  /**
   * Adds pets and their profiles with their events.
   *
   * @throws {PetImportBusyError} when `after` is not how far the import has got
   */
  async add(token: string, { after, upTo, pets }: PetImportPart): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const animals = (): string => `animals + ${pets.length}`;
      await advance(tx.manager, token, after, { records: upTo, animals });
      await addDescribedPets(tx, pets);
    });
  }

  /**
   * Notes that the import is complete.
   *
   * @throws {PetImportBusyError} as {@link add}
   */
  async finish(token: string, records: number): Promise<void> {
    await this.unitOfWork.run(({ manager }) =>
      advance(manager, token, records, { finishedAt: () => 'now()' }),
    );
  }
}

/**
 * Changes an import that has got this far; a second run waits here, and has then not.
 *
 * @throws {PetImportBusyError}
 */
async function advance(
  manager: EntityManager,
  token: string,
  records: number,
  changes: QueryDeepPartialEntity<PetImportProgress>,
): Promise<void> {
  const { affected } = await manager.update(
    PetImportSchema,
    { token, records, finishedAt: IsNull() },
    changes,
  );
  if (affected === 0) throw new PetImportBusyError(token);
}

/** Adds pets and their profiles; the event of a profile comes right behind that of its pet. */
export async function addDescribedPets(tx: Transaction, wanted: readonly DescribedPet[]): Promise<void> {
  const pets = await tx.pets.insert(wanted.map(({ pet }) => pet));
  const described = pets.map((pet, at) => [pet, wanted[at]?.profile ?? PetProfile.EMPTY] as const);
  await tx.pets.insertProfiles(described.filter(([, profile]) => profile !== PetProfile.EMPTY));
  for (const [pet, profile] of described) {
    tx.emit(PetEvent.created(pet));
    if (profile !== PetProfile.EMPTY) tx.emit(PetEvent.profileUpdated(pet, profile));
  }
}
