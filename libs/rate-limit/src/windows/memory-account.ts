/**
 * Bytes that the rings of a table's records take. Rings report when they grow and shrink, which is rare, so that
 * nothing has to be added up when a record is needed.
 */
export interface MemoryAccount {
  bytes: number;
}

/** For rings whose memory no table counts. */
export const UNCOUNTED: MemoryAccount = { bytes: 0 };
