/**
 * The breaking changes that a changelog declares for the next release: the items of `### Breaking` in the section
 * `## <version> (unreleased)` that begin with the change as code, such as "- \`DELETE /pets: removed\`: why, and what to do".
 */
export function declaredBreakingChanges(changelog: string): string[] {
  const [, unreleased = ''] = changelog.split(/^## [\d.]+ \(unreleased\)$/m);
  const [next = ''] = unreleased.split(/^## /m);
  const [, breaking = ''] = next.split(/^### Breaking$/m);
  const [section = ''] = breaking.split(/^### /m);
  return [...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, change = '']) => change);
}
