import type { UnitOfWork } from '@petstore/persistence';
import type { AnimalsFile } from './animals-file.js';
import type { ImportOptions } from './import.options.js';
import type { Plan } from './plan.js';

/** What both readings of a file work with. */
export interface ImportContext {
  readonly file: AnimalsFile;
  readonly given: ImportOptions;
  readonly plan: Plan;
  readonly unitOfWork: UnitOfWork;
}
