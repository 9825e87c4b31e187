import {
  ADOPTAPET,
  ASM3,
  PETFINDER,
  PETSTORE,
  type ReadFormat,
  RESCUEGROUPS,
  type WrittenFormat,
} from '@petstore/portal-formats';
import type { FOREIGN_NAMES, WRITTEN_NAMES } from './format-names.js';

/** A format for each of the names. */
type ByName<Name extends string, Format> = Readonly<Record<Name, Format> & Partial<Record<string, Format>>>;

/** Formats of others that are imported, by their names. */
export const FOREIGN: ByName<(typeof FOREIGN_NAMES)[number], ReadFormat> = {
  petfinder: PETFINDER,
  rescuegroups: RESCUEGROUPS,
  asm3: ASM3,
};

/** Formats that are exported, by their names. */
export const WRITTEN: ByName<(typeof WRITTEN_NAMES)[number], WrittenFormat> = {
  petstore: PETSTORE,
  petfinder: PETFINDER,
  adoptapet: ADOPTAPET,
  rescuegroups: RESCUEGROUPS,
};
