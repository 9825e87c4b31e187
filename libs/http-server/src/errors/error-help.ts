/**
 * Where the docs explain the errors with this code: the target of the link with `rel="help"` (RFC 8288) that every
 * response with an error carries. `undefined` for no link.
 */
export type ErrorHelp = (code: string) => string | undefined;

/** Injection token of {@link ErrorHelp}. */
export const ERROR_HELP = Symbol('ErrorHelp');
