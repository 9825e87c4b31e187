import { BootstrapError } from '../../bootstrap/process.mjs';

const HEADING = '## Unreleased\n';

/** What stands below "Unreleased", without the heading; empty when there is nothing. */
export function unreleasedOf(changelog) {
  const [, below] = changelog.split(HEADING);
  if (below === undefined) throw new BootstrapError('CHANGELOG.md has no section "Unreleased".');
  return below.split(/^## /m)[0].trim();
}

/** The changelog in which everything below "Unreleased" belongs to a version. */
export function datedChangelog(changelog, version, date) {
  return changelog.replace(HEADING, `${HEADING}\n## ${version} (${date})\n`);
}
