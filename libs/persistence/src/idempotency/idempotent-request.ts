/** Milliseconds for which a request is remembered: 24 hours, by the database's clock. */
export const REMEMBERED_FOR_MS = 24 * 60 * 60 * 1000;

/** What a caller calls a request, so that it is recognised when it is sent again. */
export interface IdempotencyKey {
  /** Whose request it is; others may use the same token for theirs. */
  readonly caller: string;
  /** As the caller chose it; one namespace over all operations. */
  readonly token: string;
}

/** A request that is carried out at most once within {@link REMEMBERED_FOR_MS}. */
export interface IdempotentRequest extends IdempotencyKey {
  /** Id of the API operation, such as `createPet`. */
  readonly operation: string;
  /**
   * What the operation is to do: the validated input in plain JSON values. A later version that adds a member leaves
   * it out where a client has not sent it, so that requests are recognised while instances are replaced.
   */
  readonly input: JsonValue;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** The first answer to a request: all of it that the next one repeats byte for byte. */
export interface StoredAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly location?: string | undefined;
  readonly etag?: string | undefined;
  /** `undefined` for an answer without one. */
  readonly body?: string | undefined;
}

/** What became of an {@link IdempotentRequest}. */
export type IdempotentResult =
  /** Carried out now, or earlier (`replayed`): nothing was changed then. */
  | { readonly kind: 'carried_out' | 'replayed'; readonly answer: StoredAnswer }
  /** The same request is being carried out at this moment; nothing was changed. */
  | { readonly kind: 'in_progress' }
  /** The token was used for another operation or input; nothing was changed. */
  | { readonly kind: 'reused' };
