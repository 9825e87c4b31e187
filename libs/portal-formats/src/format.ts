import type { Animal, AnimalRecord } from './animal.js';
import type { Row } from './row.js';

/** What a row says of an animal. */
export type RowValues = Pick<
  AnimalRecord,
  'reference' | 'hasNumber' | 'name' | 'status' | 'categoryId' | 'profile'
>;

/** How the files of a portal or a program are read. */
export interface Reading {
  /** Names of the columns that are read; all others are not. */
  readonly columns: readonly string[];
  /** Whether a column belongs to the format, read or not. Names are in capitals here, and the header has all of the file. */
  readonly isKnown?: (column: string, header: ReadonlySet<string>) => boolean;
  /** Names of the columns that a member of an animal is read from, by its path: `profile.photos[1].url`. */
  readonly columnsOf: (path: string) => readonly string[];
  /** Of each of these lists a file has at least one column. */
  readonly required: readonly (readonly string[])[];
  /** In bytes. */
  readonly longestRecord: number;
  /** A column by which a form of the format is known whose rows may lack their last cells. */
  readonly shortRowsWith?: string;
  /** Whether rows that follow each other may be of one animal. */
  readonly hasFurtherRows?: boolean;
  readonly read: (row: Row) => RowValues;
}

export interface WriteOptions {
  /** The day (`YYYY-MM-DD`) on which ages are counted. */
  readonly today: string;
  /** ISO 4217; fees in another currency are left blank. `USD` unless given. */
  readonly currency?: string | undefined;
  /** The portal's names of breeds and colors, by ours in small letters. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** An animal as cells of a file, by the names of their columns; what is `undefined` is blank. */
export interface WrittenCells {
  readonly cells: Readonly<Record<string, string | undefined>>;
  /** Texts that the portal takes shorter only. */
  readonly shortened?: readonly string[];
  /** Further losses, in the same words for each animal. */
  readonly notes?: readonly string[];
}

/** Why the portal would not take an animal. */
export interface LeftOut {
  readonly leftOut: string;
}

/** How files for a portal are written. */
export interface Writing {
  readonly columns: readonly string[];
  /** Whether the first column is the id by which the portal knows an animal. */
  readonly hasKey: boolean;
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean;
  /** Whether texts are written as they are: it is read by this service only. */
  readonly isExact?: boolean;
  /** Whether animals that are pending are written. */
  readonly takesPending: boolean;
  /** Whether animals that are sold are. */
  readonly takesSold?: boolean;
  readonly write: (animal: Animal, options: WriteOptions) => WrittenCells | LeftOut;
  /** A file that the portal wants beside: its name and its content. */
  readonly companion?: { readonly name: string; readonly content: string };
}

/** Files of a portal or a program that are read. */
export interface ReadFormat {
  readonly reading: Reading;
}

/** Those that are written. */
export interface WrittenFormat {
  readonly writing: Writing;
}
