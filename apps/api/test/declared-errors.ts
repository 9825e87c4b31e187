import type { HandledOperation } from '../src/operations/operation.js';
import { errorsOf } from '../src/operations/operation-responses.js';
import { registry } from './declared-operations.js';

/** An operation and an error that it declares. */
export interface DeclaredError {
  readonly where: string;
  readonly code: string;
  readonly operation: HandledOperation;
}

const declared: readonly DeclaredError[] = registry.operations.flatMap((operation) =>
  errorsOf(operation).map(({ code }) => ({ where: operation.id, code, operation })),
);
const [anyOperation] = registry.operations;
/** The errors where there is no operation. */
const others: readonly DeclaredError[] = registry.errors
  .filter(({ code }) => !declared.some((each) => each.code === code))
  .flatMap(({ code }) =>
    anyOperation === undefined ? [] : [{ where: 'no operation', code, operation: anyOperation }],
  );

/** What harms the database comes after everything else. */
const HARMFUL = ['internal_error', 'service_unavailable'];
/** Every error of every operation. */
export const cases = [...declared, ...others].sort(
  (a, b) => HARMFUL.indexOf(a.code) - HARMFUL.indexOf(b.code),
);
