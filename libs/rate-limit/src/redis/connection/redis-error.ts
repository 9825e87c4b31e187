/** What stands for a secret. */
const HIDDEN = '***';

/**
 * The message of an error, in one line and without the password: servers repeat arguments of commands that they
 * refuse.
 */
export function reasonOf(error: Error, password: string | null | undefined): string {
  // Of several addresses of a host, none of which responds, the first says why.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const text = first.message === '' ? ((first as NodeJS.ErrnoException).code ?? first.name) : first.message;
  const [line = ''] = text.split('\n', 1);
  if (!password) return line.slice(0, 300);
  // As it is, and as it stands in an address.
  return line.replaceAll(password, HIDDEN).replaceAll(encodeURIComponent(password), HIDDEN).slice(0, 300);
}
