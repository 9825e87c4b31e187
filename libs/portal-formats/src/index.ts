export type { Animal, AnimalRecord, Photo, Problem, Profile } from './animal.js';
export { readRows } from './csv-rows.js';
export type { DateOrder } from './days.js';
export type {
  LeftOut,
  ReadFormat,
  Reading,
  WriteOptions,
  Writing,
  WrittenCells,
  WrittenFormat,
} from './format.js';
export { ADOPTAPET } from './formats/adoptapet.format.js';
export { ASM3 } from './formats/asm3.format.js';
export { PETFINDER } from './formats/petfinder.format.js';
export { PETSTORE } from './formats/petstore.format.js';
export { RESCUEGROUPS } from './formats/rescuegroups.format.js';
export { readNames } from './names.js';
export { readAnimals, unread } from './reader.js';
export type { ReadOptions } from './row.js';
export { FormatError, textBytes } from './text-bytes.js';
export { found } from './text.js';
export { csvText, rowOf } from './writer.js';
