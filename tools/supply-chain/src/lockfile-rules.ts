import { parse } from 'yaml';
import { isWithdrawn } from './withdrawn.js';

interface PnpmLockfile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly deprecated?: string;
        readonly resolution: { readonly integrity?: string; readonly tarball?: string };
      }
    >
  >;
}

interface NpmLockfile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly deprecated?: string;
        readonly resolved?: string;
        readonly integrity?: string;
      }
    >
  >;
}

const FOLDER = 'node_modules/';

const HOST = /\b(?:https?|git|ssh):\/\/[^\s'"},]+/g;

/** What is wrong with a lockfile of pnpm, one line a package: deprecated, without a checksum, or bound to a host. */
export function findingsInPnpmLockfile(text: string): string[] {
  const { packages } = parse(text) as PnpmLockfile;
  const findings = Object.entries(packages).flatMap(([id, { deprecated, resolution }]) => {
    const at = id.lastIndexOf('@');
    return findingsOf(id.slice(0, at), id.slice(at + 1), deprecated, resolution.integrity);
  });
  return [...findings, ...hostsIn(text)];
}

/** The same for a lockfile of npm. */
export function findingsInNpmLockfile(text: string): string[] {
  const { packages } = JSON.parse(text) as NpmLockfile;
  return (
    Object.entries(packages)
      // The first entry is the project itself.
      .filter(([path]) => path !== '')
      .flatMap(([path, { version = '', deprecated, integrity, resolved = '' }]) => [
        ...findingsOf(path.slice(path.lastIndexOf(FOLDER) + FOLDER.length), version, deprecated, integrity),
        ...hostsIn(resolved),
      ])
  );
}

function findingsOf(
  name: string,
  version: string,
  deprecated: string | undefined,
  integrity: string | undefined,
): string[] {
  const id = `${name}@${version}`;
  const findings: string[] = [];
  if (deprecated !== undefined) findings.push(`${id} is deprecated: ${deprecated}`);
  else if (isWithdrawn(name, version)) findings.push(`${id} is withdrawn by its maintainers`);
  if (integrity?.startsWith('sha512-') !== true) findings.push(`${id} has no sha512 checksum`);
  return findings;
}

/** Which host a package comes from is for the one who installs to say, not for the lockfile. */
function hostsIn(text: string): string[] {
  return [...text.matchAll(HOST)].map(([address]) => `${address} is the address of a host`);
}
