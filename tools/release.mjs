import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { BootstrapError, root } from './bootstrap/process.mjs';

const USAGE = 'usage: npm run release -- <version> [--date YYYY-MM-DD]';
/** The heading of the changes since the last release. */
const UNRELEASED = /^## [\d.]+ \(unreleased\)\n\s*(?!## )\S/m;
/** Files that name the version, beside the manifests; `VERSION` stands for it. */
const NAMED_IN = { 'deploy/compose.yaml': 'petstore:VERSION', 'docs/operations.md': 'petstore:VERSION' };

/** Prints the fingerprints of the migrations; of what making the documents has built. */
const FINGERPRINTS = `import('./libs/persistence/dist/migrations/migrations.js').then(({ fingerprints }) => {
  console.log(JSON.stringify(fingerprints(), null, 2));
});`;

/**
 * Prepares a release in the working tree: dates the changes of CHANGELOG.md and of those of the published libs, writes the version wherever it is named,
 * makes the OpenAPI documents and copies them to `docs/released`, and notes there which text each migration has: from then on a
 * changed one fails a test. CONTRIBUTING.md, "Releases", says what follows.
 */
export function release(args, { folder = root, documents = ['npm', 'run', 'openapi'] } = {}) {
  const { version, date } = read(args);
  const run = (program, ...words) => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new BootstrapError([[program, ...words].join(' '), stdout, stderr].join('\n'));
    return stdout.trim();
  };
  const edit = (file, change) => {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const after = change(before);
    if (after === before && current !== version)
      throw new BootstrapError(`${file} does not name version ${current}.`);
    writeFileSync(path, after);
  };

  const { version: current } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (run('git', 'status', '--porcelain') !== '') throw new BootstrapError('There are uncommitted changes.');
  if (run('git', 'tag', '--list', `v${version}`) !== '')
    throw new BootstrapError(`There is a tag v${version}.`);
  if (version.localeCompare(current, 'en', { numeric: true }) < 0)
    throw new BootstrapError(`${version} comes before ${current}.`);
  if (!UNRELEASED.test(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')))
    throw new BootstrapError('CHANGELOG.md has no changes in a section "(unreleased)".');

  const files = (...patterns) => run('git', 'ls-files', ...patterns).split('\n');
  for (const file of files('CHANGELOG.md', ':(glob)libs/*/CHANGELOG.md')) {
    const text = readFileSync(join(folder, file), 'utf8');
    const dated = text.replace(/^## [\d.]+ \(unreleased\)$/m, `## ${version} (${String(date)})`);
    writeFileSync(join(folder, file), dated);
  }
  for (const file of files('package.json', ':(glob)apps/*/package.json', ':(glob)libs/*/package.json'))
    edit(file, (text) => text.replace(`"version": "${String(current)}"`, `"version": "${version}"`));
  for (const [file, form] of Object.entries(NAMED_IN))
    edit(file, (text) => text.replaceAll(form.replace('VERSION', current), form.replace('VERSION', version)));
  run(...documents);
  for (const name of ['openapi', 'openapi-webhooks'])
    copyFileSync(join(folder, `docs/${name}.json`), join(folder, `docs/released/${name}-${version}.json`));
  const migrations = run(process.execPath, '--eval', FINGERPRINTS);
  writeFileSync(join(folder, 'docs/released/migrations.json'), `${migrations}\n`);
  console.log(`Version ${version} is prepared. Next: npm test, then commit, tag v${version} and push.`);
}

function read(args) {
  const options = { date: { type: 'string', default: new Date().toISOString().slice(0, 10) } };
  const {
    values: { date },
    positionals,
  } = parseArgs({ args, allowPositionals: true, options });
  const [version = '', ...more] = positionals;
  if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0 || !/^\d{4}-\d{2}-\d{2}$/.test(String(date)))
    throw new BootstrapError(USAGE);
  return { version, date: String(date) };
}
