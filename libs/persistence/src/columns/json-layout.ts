import { type FieldKind, type Fields, jsonPieces } from '@petstore/pet-domain';

/** How rows of one resource become JSON: made once from its fields. */
export interface JsonLayout {
  /** What stands before, between and after the values, one piece after the other. */
  readonly pieces: Buffer;
  /** Where the piece before each value ends. */
  readonly ends: Int32Array;
  /** Whether each value may hold characters that need an escape. */
  readonly escapes: readonly boolean[];
  /** Bytes of a row of usual length as JSON; larger ones cost a copy. */
  readonly usualBytes: number;
}

/** @param usualBytes of one row as JSON */
export function jsonLayoutOf<T>(fields: Fields<T>, usualBytes: number): JsonLayout {
  const pieces = jsonPieces(fields);
  let end = 0;
  return {
    pieces: Buffer.from(pieces.join('')),
    ends: Int32Array.from(pieces.slice(0, -1), (piece) => (end += Buffer.byteLength(piece))),
    escapes: Object.values<FieldKind>(fields).map((kind) => kind === 'text'),
    usualBytes,
  };
}
