/** A reference as a whole URL; `undefined` for what is none. Not `URL.canParse`, which came to Safari in version 17 only. */
export function urlOf(reference: string, base?: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    return undefined;
  }
}
