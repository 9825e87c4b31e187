import { describe, expect, it } from '@jest/globals';
import { findingsInManifest, findingsInWorkspace } from '../src/manifest-rules.js';
import { read, workspaceFiles } from './workspace-files.js';

/** Of the bootstrap, which is no project and plain JavaScript. */
const { packageManagerOf } = (await import(
  new URL('../../bootstrap/package-manager.mjs', import.meta.url).href
)) as { packageManagerOf: (manifest: string) => { spec: string; integrity: string } };

const MANIFESTS = workspaceFiles('package.json');

describe('pnpm-workspace.yaml', () => {
  it('names one version of each dependency and lets no install script run', () => {
    expect(findingsInWorkspace(read('pnpm-workspace.yaml'))).toEqual([]);
  });
});

describe('the manifests', () => {
  it('are all looked at', () => {
    expect(MANIFESTS).toEqual(expect.arrayContaining(['package.json', 'apps/api/package.json']));
  });

  it.each(MANIFESTS)('%s runs nothing unasked and has no range of versions', (path) => {
    expect(findingsInManifest(read(path))).toEqual([]);
  });

  it('name the package manager with its checksum', () => {
    expect(packageManagerOf(read('package.json'))).toEqual({
      spec: expect.stringMatching(/^pnpm@\d+\.\d+\.\d+$/),
      integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
    });
  });
});

describe('findingsInWorkspace', () => {
  it.each([
    ['catalog:\n  a: ^1.0.0\n', 'a is "^1.0.0", which is not one version'],
    ['catalog:\n  a: latest\n', 'a is "latest", which is not one version'],
    ['catalog:\n  a: 1.x\n', 'a is "1.x", which is not one version'],
    ['catalog:\n  a: npm:b@^1.0.0\n', 'a is "npm:b@^1.0.0", which is not one version'],
    ['catalog:\n  a: npm:b\n', 'a is "npm:b", which is not one version'],
    ['overrides:\n  a>b: ">=1.0.0"\n', 'a>b is ">=1.0.0", which is not one version'],
    ['catalogs:\n  old:\n    a: 1.0.0\n', 'there is more than one catalog'],
    ['allowBuilds:\n  a: true\n  b: false\n', 'a may run its install script'],
    ['allowBuilds:\n  a: set this to true or false\n', 'a may run its install script'],
    ['dangerouslyAllowAllBuilds: true\n', 'dangerouslyAllowAllBuilds is set'],
    ['onlyBuiltDependencies: [a]\n', 'onlyBuiltDependencies is set'],
  ])('finds what is wrong in %j', (text, finding) => {
    expect(findingsInWorkspace(text)).toEqual([finding]);
  });

  it('finds nothing in a good one', () => {
    const good =
      'catalog:\n  a: 1.0.0-beta.1\n  b: npm:c@1.0.0\n  d: npm:@e/f@1.0.0\noverrides:\n  a>b: "-"\nallowBuilds:\n  a: false\n';
    expect(findingsInWorkspace(good)).toEqual([]);
  });
});

describe('findingsInManifest', () => {
  it.each([
    [{ scripts: { postinstall: 'node x.mjs', test: 'jest' } }, 'the script postinstall runs unasked'],
    [{ scripts: { prepare: 'husky' } }, 'the script prepare runs unasked'],
    [{ dependencies: { a: '~1.0.0' } }, 'a is "~1.0.0", which is not one version'],
    [{ devDependencies: { a: 'github:b/a' } }, 'a is "github:b/a", which is not one version'],
    [{ optionalDependencies: { a: '*' } }, 'a is "*", which is not one version'],
  ])('finds what is wrong in %j', (manifest, finding) => {
    expect(findingsInManifest(JSON.stringify(manifest))).toEqual([finding]);
  });

  it('finds nothing in a good one', () => {
    const manifest = {
      scripts: { test: 'jest' },
      dependencies: { a: 'catalog:', b: 'workspace:*', c: '1.0.0' },
    };
    expect(findingsInManifest(JSON.stringify(manifest))).toEqual([]);
  });
});

describe('packageManagerOf', () => {
  it.each([
    undefined,
    'pnpm@12.21.0',
    'pnpm@12',
    `npm@1.0.0+sha512.${'0'.repeat(128)}`,
    'pnpm@12.21.0+sha1.00',
  ])('refuses %s', (packageManager) => {
    expect(() => packageManagerOf(JSON.stringify({ packageManager }))).toThrow('sha512');
  });

  it('gives the checksum as npm writes it', () => {
    const hash = 'ff'.repeat(64);
    expect(packageManagerOf(JSON.stringify({ packageManager: `pnpm@1.2.3+sha512.${hash}` }))).toEqual({
      spec: 'pnpm@1.2.3',
      integrity: `sha512-${Buffer.from(hash, 'hex').toString('base64')}`,
    });
  });
});
