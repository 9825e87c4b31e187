import { parseArgs } from 'node:util';
import { BootstrapError } from '../../bootstrap/process.mjs';
import { datedChangelog, unreleasedOf } from './changelog.mjs';
import { Repository } from './repository.mjs';
import { isLater } from './version.mjs';
import { versionEdits } from './version-edits.mjs';

const USAGE = 'usage: npm run release -- <version> [--dry-run] [--date YYYY-MM-DD]';
const CHANGELOG = 'CHANGELOG.md';
/** What consumers are promised; in `docs`. */
const DOCUMENTS = ['openapi', 'openapi-webhooks'];

/**
 * Releases what is on the current branch, as CHANGELOG.md describes it: gives it a version, dates the changes, copies
 * the OpenAPI documents to `docs/released`, runs all checks, commits, and tags the commit `v<version>`. Nothing leaves
 * the machine. When a check fails, everything is as it was before.
 *
 * @param commands what makes the documents and what checks; each a program and its arguments
 */
export async function release(args, commands = DEFAULT_COMMANDS) {
  const { version, date, dryRun } = read(args);
  const repository = new Repository();
  const changelog = await repository.read(CHANGELOG);
  const { version: current } = JSON.parse(await repository.read('package.json'));
  await check(repository, { version, current, changelog });
  const edits = [
    { file: CHANGELOG, text: datedChangelog(changelog, version, date) },
    ...(await versionEdits(repository, current, version)),
  ];
  const documents = DOCUMENTS.map((name) => ({
    file: `docs/${name}.json`,
    copy: `docs/released/${name}-${version}.json`,
  }));
  const changed = [...edits, ...documents].map(({ file }) => file).join(', ');
  const added = documents.map(({ copy }) => copy).join(', ');
  console.log(`Release ${version} of ${date}:
${unreleasedOf(changelog)}
Changed: ${changed}. New: ${added}. Tag: v${version}.`);
  if (dryRun) return;
  try {
    for (const { file, text } of edits) await repository.write(file, text);
    await repository.run(...commands.documents);
    for (const { file, copy } of documents) await repository.write(copy, await repository.read(file));
    await repository.run(...commands.check);
    await repository.commit(`Release ${version}`);
    await repository.git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  } catch (error) {
    await repository.restore();
    throw error;
  }
  console.log(`Released. To publish it: git push --follow-tags`);
}

const DEFAULT_COMMANDS = {
  documents: ['npm', 'run', 'openapi'],
  check: ['npm', 'test'],
};

function read(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, date: { type: 'string' } },
  });
  const [version = '', ...more] = positionals;
  const { date = new Date().toISOString().slice(0, 10) } = values;
  if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0 || !/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw new BootstrapError(USAGE);
  return { version, date, dryRun: values['dry-run'] };
}

/** Whether there is something to release, and nothing that would be released by mistake. */
async function check(repository, { version, current, changelog }) {
  const changed = await repository.git('status', '--porcelain');
  if (changed !== '') throw new BootstrapError(`There are changes that are not committed:\n${changed}`);
  if ((await repository.git('tag', '--list', `v${version}`)) !== '')
    throw new BootstrapError(`There is a tag v${version} already.`);
  // Manifests have the version of the first release before it.
  if (isLater(current, version)) throw new BootstrapError(`${version} comes before ${current}.`);
  if (unreleasedOf(changelog) === '')
    throw new BootstrapError(
      `${CHANGELOG} has nothing in its section "(unreleased)": there is nothing to release.`,
    );
}
