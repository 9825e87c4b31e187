/** Parameters as the query of a path, with its question mark; nothing for none. Those that are undefined are left out. */
export function searchOf(parameters: Readonly<Record<string, string | number | bigint | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
