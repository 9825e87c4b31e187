import { type NewPet, PetEvent, PetProfile } from '@petstore/pet-domain';
import type { Transaction } from '../unit-of-work/transaction.js';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.js';

/** How far an import has got. */
export interface PetImportProgress {
  /** SHA-256 of the file that it is of, in hexadecimal digits. */
  readonly fingerprint: string;
  /** Records of the file that are done, those that were left out included. */
  readonly records: number;
  /** Pets that were added. */
  readonly animals: number;
  readonly isFinished: boolean;
}

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

const BEGIN = 'insert into pet_imports (token, fingerprint) values ($1, $2) on conflict (token) do nothing';
const FIND = `
  select encode(fingerprint, 'hex') as fingerprint, records, animals, finished_at is not null as "isFinished"
  from pet_imports where token = $1`;
/** No row unless the import has got this far; a second run waits here. */
const ADVANCE = `
  update pet_imports set records = $3, animals = animals + $4, updated_at = now()
  where token = $1 and records = $2 and finished_at is null returning records`;
const FINISH = `
  update pet_imports set finished_at = now(), updated_at = now()
  where token = $1 and records = $2 and finished_at is null returning records`;

interface ImportRow extends Omit<PetImportProgress, 'records' | 'animals'> {
  readonly records: string;
  readonly animals: string;
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
      await manager.query(BEGIN, [token, Buffer.from(fingerprint, 'hex')]);
      const [row] = await manager.query<[ImportRow]>(FIND, [token]);
      return { ...row, records: Number(row.records), animals: Number(row.animals) };
    });
  }

  /**
   * Adds pets and their profiles with their events.
   *
   * @throws {PetImportBusyError} when `after` is not how far the import has got
   */
  async add(token: string, { after, upTo, pets }: PetImportPart): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const [advanced] = await tx.manager.query<[unknown[], number]>(ADVANCE, [
        token,
        after,
        upTo,
        pets.length,
      ]);
      if (advanced.length === 0) throw new PetImportBusyError(token);
      await addDescribedPets(tx, pets);
    });
  }

  /**
   * Notes that the import is complete.
   *
   * @throws {PetImportBusyError} as {@link add}
   */
  async finish(token: string, records: number): Promise<void> {
    await this.unitOfWork.run(async ({ manager }) => {
      const [finished] = await manager.query<[unknown[], number]>(FINISH, [token, records]);
      if (finished.length === 0) throw new PetImportBusyError(token);
    });
  }
}

/** Adds pets and their profiles; the event of a profile comes right behind that of its pet. */
export async function addDescribedPets(tx: Transaction, wanted: readonly DescribedPet[]): Promise<void> {
  const pets = await tx.pets.insertAll(wanted.map(({ pet }) => pet));
  const described = pets.map((pet, at) => [pet, wanted[at]?.profile ?? PetProfile.EMPTY] as const);
  await tx.pets.insertProfiles(described.filter(([, profile]) => profile !== PetProfile.EMPTY));
  for (const [pet, profile] of described) {
    tx.emit(PetEvent.created(pet));
    if (profile !== PetProfile.EMPTY) tx.emit(PetEvent.profileUpdated(pet, profile));
  }
}
