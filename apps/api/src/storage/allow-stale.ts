/**
 * Whether a caller can only read, and so cannot miss a change of its own where reads lag some seconds: all of its scopes end
 * in `:read`.
 */
export function allowStale({ scopes }: { readonly scopes: ReadonlySet<string> }): boolean {
  for (const scope of scopes) if (!scope.endsWith(':read')) return false;
  return true;
}
