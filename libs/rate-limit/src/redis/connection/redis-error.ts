/** What stands for a secret. */
const HIDDEN = '***';

/** Passwords in the addresses, as they are written there and as they are meant. */
export function secretsIn(urls: readonly string[]): readonly string[] {
  return urls.flatMap((url) => {
    const { password } = URL.canParse(url) ? new URL(url) : { password: '' };
    return password === '' ? [] : [password, decodeURIComponent(password)];
  });
}

/** What an error says, in one line and without the secrets: servers repeat arguments of commands that they refuse. */
export function reasonOf(error: Error, secrets: readonly string[]): string {
  // Of several addresses of a host, none of which answers, the first says why.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const text = first.message === '' ? ((first as NodeJS.ErrnoException).code ?? first.name) : first.message;
  const line = text.split('\n', 1)[0] ?? '';
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), line).slice(0, 300);
}
