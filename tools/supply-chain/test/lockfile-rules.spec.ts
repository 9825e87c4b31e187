import { describe, expect, it } from '@jest/globals';
import { findingsInNpmLockfile, findingsInPnpmLockfile } from '../src/lockfile-rules.js';
import { read, workspaceFiles } from './workspace-files.js';

const PNPM_LOCKFILES = workspaceFiles('pnpm-lock.yaml');
const NPM_LOCKFILES = workspaceFiles('package-lock.json');

describe('the lockfiles', () => {
  it('are all looked at', () => {
    expect(PNPM_LOCKFILES).toContain('pnpm-lock.yaml');
    expect(NPM_LOCKFILES.length).toBeGreaterThan(3);
  });

  it.each(PNPM_LOCKFILES)('%s holds nothing deprecated, unchecked or bound to a host', (path) => {
    expect(findingsInPnpmLockfile(read(path))).toEqual([]);
  });

  it.each(NPM_LOCKFILES)('%s holds nothing deprecated, unchecked or bound to a host', (path) => {
    expect(findingsInNpmLockfile(read(path))).toEqual([]);
  });
});

describe('findingsInPnpmLockfile', () => {
  const lockfile = (entry: string): string =>
    `lockfileVersion: '9.0'\npackages:\n  good@1.0.0:\n    resolution: {integrity: sha512-a==}\n${entry}`;

  it.each([
    [
      "  '@a/b@1.2.3':\n    resolution: {integrity: sha512-a==}\n    deprecated: Use c.\n",
      '@a/b@1.2.3 is deprecated: Use c.',
    ],
    [
      '  glob@10.5.0:\n    resolution: {integrity: sha512-a==}\n',
      'glob@10.5.0 is withdrawn by its maintainers',
    ],
    ['  a@1.0.0:\n    resolution: {}\n', 'a@1.0.0 has no sha512 checksum'],
    ['  a@1.0.0:\n    resolution: {integrity: sha1-a==}\n', 'a@1.0.0 has no sha512 checksum'],
    [
      '  a@1.0.0:\n    resolution: {integrity: sha512-a==, tarball: https://registry.example/a.tgz}\n',
      'https://registry.example/a.tgz is the address of a host',
    ],
  ])('finds what is wrong in %j', (entry, finding) => {
    expect(findingsInPnpmLockfile(lockfile(entry))).toEqual([finding]);
  });

  it('finds nothing in a good one', () => {
    const glob = '  glob@13.0.7:\n    resolution: {integrity: sha512-a==}\n';
    expect(findingsInPnpmLockfile(lockfile(glob))).toEqual([]);
  });
});

describe('findingsInNpmLockfile', () => {
  const lockfile = (entry: object): string =>
    JSON.stringify({ packages: { '': { name: 'project' }, 'node_modules/x/node_modules/a': entry } });

  it.each([
    [{ version: '1.0.0', integrity: 'sha512-a==', deprecated: 'No.' }, 'a@1.0.0 is deprecated: No.'],
    [{ version: '1.0.0' }, 'a@1.0.0 has no sha512 checksum'],
    [
      { version: '1.0.0', integrity: 'sha512-a==', resolved: 'https://registry.example/a.tgz' },
      'https://registry.example/a.tgz is the address of a host',
    ],
  ])('finds what is wrong in %j', (entry, finding) => {
    expect(findingsInNpmLockfile(lockfile(entry))).toEqual([finding]);
  });

  it('finds nothing in a good one', () => {
    expect(findingsInNpmLockfile(lockfile({ version: '1.0.0', integrity: 'sha512-a==' }))).toEqual([]);
  });
});
