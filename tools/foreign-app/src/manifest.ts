import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a package.json says. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly packageManager?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Versions that only this workspace understands. */
const OURS_ALONE = /^(?:workspace|catalog|link|file):/;

export async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** What would keep a packed lib from being installed elsewhere, or would surprise who does; `undefined` for nothing. */
export function flawOf({ name, scripts = {}, dependencies, peerDependencies }: Manifest): string | undefined {
  for (const [dependency, version] of Object.entries({ ...dependencies, ...peerDependencies })) {
    if (OURS_ALONE.test(version))
      return `${name} asks for ${dependency} as ${version}, which nobody else has.`;
  }
  const script = ['preinstall', 'install', 'postinstall'].find((candidate) => candidate in scripts);
  return script === undefined ? undefined : `${name} would run ${script} on its user's machine.`;
}

/** Packages that the application has to have, with the versions that are allowed. */
export function requiredPeers({
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Manifest): Map<string, string> {
  const required = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta[name]?.optional !== true,
  );
  return new Map(required);
}

/** Whether a version is the exact one, or at least that of a caret range with the same major number. */
export function allows(range: string, version: string): boolean {
  if (!range.startsWith('^')) return range === version;
  const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = range.slice(1).split('.').map(Number);
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major === leastMajor && (minor > leastMinor || (minor === leastMinor && patch >= leastPatch));
}
