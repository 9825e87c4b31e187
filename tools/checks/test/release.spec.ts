import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { release } from '../../release.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const FILES = {
  'package.json': '{ "version": "1.2.3" }',
  'apps/api/package.json': '{ "version": "1.2.3" }',
  'libs/client/package.json': '{ "version": "1.2.3" }',
  'CHANGELOG.md': '# Changelog\n\n## 1.9.0 (unreleased)\n\n- Orders.\n\n## 1.2.3 (2026-11-21)\n\n- Pets.\n',
  'libs/client/CHANGELOG.md': '# Changelog\n\n## 1.9.0 (unreleased)\n\n- Retries.\n',
  'deploy/compose.yaml': 'image: petstore:1.2.3\n',
  'docs/operations.md': '`petstore:1.2.3`\n',
  'docs/openapi.json': 'old',
  'docs/openapi-webhooks.json': 'old',
  'docs/released/openapi-1.2.3.json': 'older',
};
const PERSISTENCE = fileURLToPath(new URL('../../../libs/persistence/dist', import.meta.url));
const MAKE_DOCUMENTS = `for (const name of ['openapi', 'openapi-webhooks'])
  require('node:fs').writeFileSync('docs/' + name + '.json', name + ' ' + require('./package.json').version);`;

let folder: string;
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
const run = (...args: string[]): void => {
  release(args, { folder, documents: [process.execPath, '--eval', MAKE_DOCUMENTS] });
};

beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  folder = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  // What is built here, for the fingerprints of its migrations.
  mkdirSync(join(folder, 'libs/persistence'));
  symlinkSync(PERSISTENCE, join(folder, 'libs/persistence/dist'));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('npm run release', () => {
  it.each([
    [['1.3'], /^usage: npm run release/],
    [['1.3.0', '--date', 'today'], /^usage: npm run release/],
    [['1.2.2'], /^1\.2\.2 comes before 1\.2\.3/],
  ])('refuses %j', (args, message) => {
    expect(() => {
      run(...args);
    }).toThrow(message);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('gives the version to manifests and documents, dates the changes, keeps the documents and notes the migrations', () => {
    run('1.10.0', '--date', '2026-12-01');
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## 1.10.0 (2026-12-01)\n\n- Orders.\n\n## 1.2.3 (2026-11-21)\n\n- Pets.\n',
    );
    expect(read('libs/client/CHANGELOG.md')).toBe('# Changelog\n\n## 1.10.0 (2026-12-01)\n\n- Retries.\n');
    for (const file of ['package.json', 'apps/api/package.json', 'libs/client/package.json'])
      expect(read(file)).toContain('"1.10.0"');
    expect(read('deploy/compose.yaml')).toContain('petstore:1.10.0');
    expect(read('docs/operations.md')).toContain('petstore:1.10.0');
    for (const name of ['openapi', 'openapi-webhooks']) {
      expect(read(`docs/released/${name}-1.10.0.json`)).toBe(`${name} 1.10.0`);
      expect(read(`docs/${name}.json`)).toBe(`${name} 1.10.0`);
    }
    expect(JSON.parse(read('docs/released/migrations.json'))).toEqual(
      expect.objectContaining({
        InitialSchema1795478400000: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    );
  });

  it.each([
    ['v1.2.3', ['1.2.3']],
    ['v1.2.10', ['1.2.10', '1.2']],
    ['v1.10.0', ['1.10.0', '1.10', 'latest']],
  ])('pushes the image of %s as %j, and says what it has pushed', (version, tags) => {
    for (const tag of ['v1.2.3', 'v1.2.10', 'v1.10.0', 'v1.9.9']) git('tag', tag);
    write('.ci/image', readFileSync(join(ROOT, '.ci/image'), 'utf8'));
    // No machine of the tests has an engine: it notes what it is asked to do, and gives a digest.
    const docker = `#!/bin/bash
      printf '%s\\n' "$@" >> asked
      while (($#)); do [[ $1 == --metadata-file ]] && echo '{"containerimage.digest":"sha256:1"}' > "$2"; shift; done; true`;
    write('bin/docker', docker);
    chmodSync(join(folder, 'bin/docker'), 0o755);
    const variables = { GITHUB_REF_NAME: version, GITHUB_REPOSITORY: 'Owner/PetStore', GITHUB_SHA: '1f' };
    execFileSync('bash', ['.ci/image'], {
      cwd: folder,
      env: {
        ...variables,
        PATH: `${folder}/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
        GITHUB_SERVER_URL: 'https://git.example',
        GITHUB_OUTPUT: 'output',
      },
    });
    const asked = read('asked').split('\n');
    expect(asked.filter((_, n) => asked[n - 1] === '--tag')).toEqual(
      tags.map((tag) => `ghcr.io/owner/petstore:${tag}`),
    );
    expect(asked).toEqual(expect.arrayContaining(['linux/amd64,linux/arm64', '--sbom=true', '--push']));
    expect(read('output')).toBe('name=ghcr.io/owner/petstore\ndigest=sha256:1\n');
  });

  it('refuses uncommitted changes, a version with a tag, and a release without changes', () => {
    write('new.txt', 'new');
    expect(() => {
      run('1.3.0');
    }).toThrow('There are uncommitted changes.');
    rmSync(join(folder, 'new.txt'));
    git('tag', 'v1.3.0');
    expect(() => {
      run('1.3.0');
    }).toThrow('There is a tag v1.3.0.');
    write('CHANGELOG.md', '# Changelog\n\n## 1.9.0 (unreleased)\n\n## 1.2.3 (2026-11-21)\n\n- Pets.\n');
    git('commit', '--quiet', '--all', '--message', 'Nothing');
    expect(() => {
      run('1.4.0');
    }).toThrow('CHANGELOG.md has no changes');
  });
});
