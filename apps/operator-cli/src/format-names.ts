// Names alone: help is printed before what reads and writes the formats is loaded.

/** Formats of others that are imported. */
export const FOREIGN_NAMES = ['petfinder', 'rescuegroups', 'asm3'] as const;

/** Formats that are exported. */
export const WRITTEN_NAMES = ['petstore', 'petfinder', 'adoptapet', 'rescuegroups'] as const;
