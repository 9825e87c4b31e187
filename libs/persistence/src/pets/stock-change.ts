import type { CategoryId, CategoryName, PetId, PetName, PetProfile, PetStatus } from '@petstore/pet-domain';

/** An animal of a source, as it is. */
export interface KnownPet {
  readonly id: PetId;
  readonly name: PetName;
  readonly categoryId: CategoryId;
  readonly status: PetStatus;
  readonly profile: PetProfile;
  /** By an active order. */
  readonly isHeld: boolean;
}

/** What is to become of an animal. */
export interface StockChange {
  readonly kind: 'created' | 'updated';
  readonly reference?: string | undefined;
  readonly id?: PetId | undefined;
  readonly name: PetName;
  /** Absent in one that is created in a category that is not there yet. */
  readonly categoryId?: CategoryId | undefined;
  readonly categoryName?: CategoryName | undefined;
  readonly status: PetStatus;
  readonly profile: PetProfile;
  readonly oldName?: PetName | undefined;
  readonly oldStatus?: PetStatus | undefined;
  readonly oldProfile?: PetProfile | undefined;
  /** From which it is decided anew, see {@link StockImport.apply}. */
  readonly record?: string | undefined;
}

/** How many animals a source has, and how many of them its file lacks or shows as gone. */
export interface MissingCounts {
  readonly known: number;
  /** Of these, those that are not sold. */
  readonly unsold: number;
  readonly missing: number;
  /** Missing ones that no order holds. */
  readonly removable: number;
  /** Of these, those that are not sold. */
  readonly sellable: number;
}

/** What makes an import without a source happen once. */
export interface ImportToken {
  readonly token: string;
  readonly fingerprint: string;
  readonly records: number;
  readonly animals: number;
}

/** Another import of the same source goes on. */
export class StockImportBusyError extends Error {
  override readonly name = 'StockImportBusyError';
}

/** Another run has imported the file meanwhile: nothing was added. */
export class ImportedMeanwhileError extends Error {
  override readonly name = 'ImportedMeanwhileError';
}
