import { distinct, type HeaderDefinition } from '../headers/define-headers.js';

/** One kind of error of a feature. */
export interface ErrorRow {
  /** HTTP status of the response, and the `status` member of its body. */
  readonly status: number;
  /** Message of the body when nothing more exact is known. */
  readonly message: string;
  /** When it occurs; one line for the docs and the OpenAPI document. */
  readonly when: string;
  /** Header fields that its responses carry beside those of every response. */
  readonly headers?: readonly HeaderDefinition[];
  /** The error for what no other one of this status describes; listed last. */
  readonly isFallback?: boolean;
  /** Of the form of a request, before there is an operation: without the header fields of one. */
  readonly isFromParser?: boolean;
}

/** One kind of error that the service can respond with. */
export interface ErrorDefinition<Code extends string = string> extends ErrorRow {
  /** Machine-readable name: the `code` member of the body. */
  readonly code: Code;
}

/** Form of a code. */
export const ERROR_CODE = /^[a-z_]{1,64}$/;

/**
 * Defines the errors of a feature, by their codes:
 * `const PET_ERRORS = defineErrors({ pet_not_found: { status: 404, message: '...', when: '...' } })`.
 * Thrown as `new ApiError(PET_ERRORS.pet_not_found)`; operations name those that they respond with.
 *
 * @throws Error for a code that is not in lower case and underscores, or a status that is no error
 */
export function defineErrors<const Rows extends Record<string, ErrorRow>>(
  rows: Rows,
): { readonly [Code in keyof Rows & string]: ErrorDefinition<Code> } {
  const definitions = Object.entries(rows).map(([code, row]) => {
    if (!ERROR_CODE.test(code)) throw new Error(`"${code}" is not an error code.`);
    if (!(row.status >= 400 && row.status < 600)) throw new Error(`The status of ${code} is no error.`);
    return [code, { code, ...row }];
  });
  return Object.fromEntries(definitions) as ReturnType<typeof defineErrors<Rows>>;
}

/**
 * Every error that a service can send, once. The OpenAPI document and the docs are made from it; tests compare them.
 *
 * @param definitions those of any HTTP API, and those of the features
 * @returns ordered by status; within one, fallbacks come last
 * @throws Error when two definitions have one code
 */
export function assembleErrorCatalogue(definitions: Iterable<ErrorDefinition>): readonly ErrorDefinition[] {
  return inCatalogueOrder(distinct(definitions, ({ code }) => `error ${code}`));
}

/** Sorts errors by status, fallbacks last; keeps the order of others. */
export function inCatalogueOrder(errors: readonly ErrorDefinition[]): readonly ErrorDefinition[] {
  return errors.toSorted(
    (a, b) => a.status - b.status || Number(a.isFallback ?? false) - Number(b.isFallback ?? false),
  );
}
