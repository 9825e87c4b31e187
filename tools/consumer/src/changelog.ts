/**
 * The breaking changes that a changelog declares for the next release: the items of `### Breaking` in the section
 * `## <version> (unreleased)` that begin with the change as code, or with several that have one reason, such as
 * "- \`DELETE /pets: removed\`, \`POST /pets: removed\`: why, and what to do".
 */
export function declaredBreakingChanges(changelog: string): string[] {
  const [, unreleased = ''] = changelog.split(/^## [\d.]+ \(unreleased\)$/m);
  const [next = ''] = unreleased.split(/^## /m);
  const [, breaking = ''] = next.split(/^### Breaking$/m);
  const [section = ''] = breaking.split(/^### /m);
  const items = section.matchAll(/^- (`[^`]+`(?:,\s+`[^`]+`)*):\s+\S/gm);
  return [...items].flatMap(([, changes = '']) =>
    [...changes.matchAll(/`([^`]+)`/g)].map(([, change = '']) => change),
  );
}
