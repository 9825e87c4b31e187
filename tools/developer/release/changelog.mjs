import { BootstrapError } from '../../bootstrap/process.mjs';

/** Of the section with the changes since the last release. */
const HEADING = /^## [\d.]+ \(unreleased\)\n/m;

/** What stands in the section of the next release, without the heading; empty when there is nothing. */
export function unreleasedOf(changelog) {
  const [, below] = changelog.split(HEADING);
  if (below === undefined) throw new BootstrapError('CHANGELOG.md has no section "(unreleased)".');
  return below.split(/^## /m)[0].trim();
}

/** The changelog in which the section of the next release is that of a version. */
export function datedChangelog(changelog, version, date) {
  return changelog.replace(HEADING, `## ${version} (${date})\n`);
}
