import {
  ADOPTAPET,
  ASM3,
  PETFINDER,
  PETSTORE,
  type ReadFormat,
  RESCUEGROUPS,
  type WrittenFormat,
} from '@petstore/portal-formats';

/** Formats of others that are imported, by their names. */
export const FOREIGN: Readonly<Partial<Record<string, ReadFormat>>> = {
  petfinder: PETFINDER,
  rescuegroups: RESCUEGROUPS,
  asm3: ASM3,
};

/** Formats that are exported, by their names. */
export const WRITTEN: Readonly<Partial<Record<string, WrittenFormat>>> = {
  petstore: PETSTORE,
  petfinder: PETFINDER,
  adoptapet: ADOPTAPET,
  rescuegroups: RESCUEGROUPS,
};
