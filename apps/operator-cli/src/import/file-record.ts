import type { AnimalRecord } from '@petstore/portal-formats';

/** A record as a file has it, or what is wrong with one that cannot be read. NDJSON may have anything in its members. */
export interface FileRecord
  extends
    Omit<AnimalRecord, 'name' | 'categoryId' | 'status' | 'profile'>,
    Partial<Record<'name' | 'categoryId' | 'status' | 'profile', unknown>> {}
