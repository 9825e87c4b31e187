import type { NewPet } from '@petstore/pet-domain';

/** How far an import has got. */
export interface PetImportProgress {
  /** SHA-256 of the file that it is of, in hexadecimal digits. */
  readonly fingerprint: string;
  /** Records of the file that are done, those that were left out included. */
  readonly records: number;
  /** Animals that were added. */
  readonly animals: number;
  readonly isFinished: boolean;
}

/** Records of a file that follow each other, as animals. */
export interface PetImportPart {
  /** Records before it, all of them done. */
  readonly after: number;
  /** Records up to its end. */
  readonly upTo: number;
  /** Those of its records that are animals, in their order. */
  readonly pets: readonly NewPet[];
}

/** Another run of the same import has got further meanwhile: nothing was added. */
export class PetImportBusyError extends Error {
  override readonly name = 'PetImportBusyError';

  constructor(token: string) {
    super(`Another run is importing with the token ${token} at this moment: let one of the two end.`);
  }
}

/**
 * Imports of animals from files, for operators. Each part is added together with the note that it is done, so that
 * every record of a file is added exactly once, whatever is interrupted and however often it is begun.
 */
export interface PetImports {
  /**
   * Begins an import, or finds the one with this token.
   *
   * @param fingerprint SHA-256 of the file, in hexadecimal digits
   * @returns how far it has got, with the fingerprint that it was begun with
   */
  begin(token: string, fingerprint: string): Promise<PetImportProgress>;
  /**
   * Adds animals with their events.
   *
   * @throws {PetImportBusyError} when `after` is not how far the import has got
   */
  add(token: string, part: PetImportPart): Promise<void>;
  /**
   * Notes that the import is complete.
   *
   * @throws {PetImportBusyError} as {@link add}
   */
  finish(token: string, records: number): Promise<void>;
}
