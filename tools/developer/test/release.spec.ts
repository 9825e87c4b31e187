import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandResult, WorkspaceCopy } from '@petstore/workspace-copy';

const TIMEOUT_MS = 120_000;
const CURRENT = '1.2.3';

/** The documents are made by writing the new version into them; what is checked is decided by a file. */
const PROGRAM = `const { release } = await import('./tools/developer/release/release.mjs');
const node = (script) => [process.execPath, '--input-type=module', '--eval', script];
await release(process.argv.slice(1), {
  documents: node(\`import { readFileSync, writeFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const file of ['docs/openapi.json', 'docs/openapi-webhooks.json']) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"version": "[^"]+"/, '"version": "' + version + '"'));
}\`),
  check: node(\`import { existsSync } from 'node:fs'; process.exitCode = existsSync('.cache/red') ? 1 : 0;\`),
});`;

let workspace: WorkspaceCopy;

const release = (...args: string[]): Promise<CommandResult> =>
  workspace.run(process.execPath, '--input-type=module', '--eval', PROGRAM, '--', ...args);
const git = async (...args: string[]): Promise<string> => (await workspace.run('git', ...args)).text.trim();

beforeAll(async () => {
  workspace = await WorkspaceCopy.create({ code: 'all' });
  // The same history whatever the version of the workspace is.
  const { version } = JSON.parse(await workspace.read('package.json')) as { version: string };
  const tracked = await workspace.run('grep', '-rlF', version, ...NAMING_FILES);
  for (const file of tracked.text.trim().split('\n'))
    await workspace.write(file, (await workspace.read(file)).replaceAll(version, CURRENT));
  await workspace.write('CHANGELOG.md', CHANGELOG);
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'All');
}, TIMEOUT_MS);
afterAll(() => workspace.remove());
beforeEach(async () => {
  expect(await git('status', '--porcelain')).toBe('');
});

const NAMING_FILES = ['package.json', 'apps', 'libs', 'docs', 'deploy'];
const CHANGELOG = `# Changelog

## 1.9.0 (unreleased)

### Added

- Orders.

## ${CURRENT} (2026-11-21)

### Added

- Pets.
`;

describe('npm run release', () => {
  it.each([
    [[], /usage: npm run release/],
    [['1.3'], /usage: npm run release/],
    [['1.3.0', '--date', 'today'], /usage: npm run release/],
    [['1.2.2'], /1\.2\.2 comes before 1\.2\.3/],
  ])('refuses %j', async (args, message) => {
    const { code, text } = await release(...args);
    expect(code).toBe(1);
    expect(text).toMatch(message);
  });

  it('refuses a tree with changes that are not committed', async () => {
    await workspace.write('new.txt', 'new');
    const { code, text } = await release('1.3.0');
    expect(code).toBe(1);
    expect(text).toMatch(/not committed:\n\?\? new\.txt/);
    expect(await workspace.read('new.txt')).toBe('new');
    await workspace.run('rm', 'new.txt');
  });

  it('leaves everything as it was when a check fails', async () => {
    await workspace.write('.cache/red', '');
    const { code, text } = await release('1.3.0');
    expect(code).toBe(1);
    expect(text).toMatch(/nothing has been released/);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('tag')).toBe('');
    await workspace.run('rm', '.cache/red');
  });

  it('changes nothing with --dry-run', async () => {
    const { code, text } = await release('1.10.0', '--date', '2026-12-01', '--dry-run');
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('Release 1.10.0 of 2026-12-01:\n### Added\n\n- Orders.\n');
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('tag')).toBe('');
  });

  it('releases the version that manifests have if it was never released', async () => {
    const { code, text } = await release(CURRENT, '--date', '2026-12-01', '--dry-run');
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('Release 1.2.3 of 2026-12-01:');
  });

  it('gives the version to manifests and documents, dates the changes, keeps the documents, and tags the commit', async () => {
    const { code, text } = await release('1.10.0', '--date', '2026-12-01');
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(await git('log', '-1', '--format=%s %D')).toMatch(/^Release 1\.10\.0 .*tag: v1\.10\.0/);
    expect(await git('cat-file', '-t', 'v1.10.0')).toBe('tag');
    expect(await workspace.read('CHANGELOG.md')).toContain(
      '# Changelog\n\n## 1.10.0 (2026-12-01)\n\n### Added\n\n- Orders.\n\n## 1.2.3 (2026-11-21)\n',
    );
    for (const name of ['openapi', 'openapi-webhooks']) {
      const released = await workspace.read(`docs/released/${name}-1.10.0.json`);
      expect(released).toContain('"version": "1.10.0"');
      expect(released).toBe(await workspace.read(`docs/${name}.json`));
    }
    for (const file of ['package.json', 'apps/api/package.json', 'libs/client/package.json'])
      expect(JSON.parse(await workspace.read(file))).toMatchObject({ version: '1.10.0' });
    expect(await workspace.read('deploy/compose.yaml')).toContain('petstore:1.10.0');
    expect(await workspace.read('docs/operations.md')).toContain('petstore:1.10.0');
  });

  it('refuses a release without changes, and one that there has been', async () => {
    expect((await release('1.11.0')).text).toMatch(/has no section "\(unreleased\)"/);
    expect((await release('1.10.0')).text).toMatch(/There is a tag v1\.10\.0 already/);
  });
});
