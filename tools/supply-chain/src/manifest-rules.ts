import { parse } from 'yaml';

/** One version, to the last digit. */
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/** What stands before the version where the catalog has a package under another name: `npm:typescript@`. */
const OTHER_NAME = /^npm:(?:@[\w.-]+\/)?[\w.-]+@/;

/** Scripts that a package manager runs by itself: when it installs, or when it packs. */
const RUN_UNASKED = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
  'postpack',
]);

interface Workspace {
  readonly catalog?: Readonly<Record<string, string>>;
  readonly catalogs?: unknown;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly allowBuilds?: Readonly<Record<string, unknown>>;
}

/** Settings of pnpm that let install scripts run in another way than `allowBuilds`. */
const OTHER_WAYS = ['onlyBuiltDependencies', 'dangerouslyAllowAllBuilds', 'neverBuiltDependencies'];

/** What is wrong with pnpm-workspace.yaml: a range of versions, or an install script that is allowed. */
export function findingsInWorkspace(text: string): string[] {
  const workspace = parse(text) as Workspace;
  const { catalog = {}, overrides = {}, allowBuilds = {} } = workspace;
  // An override may also take a dependency away.
  const replaced = Object.entries(overrides).filter(([, version]) => version !== '-');
  const versions = [...Object.entries(catalog), ...replaced];
  return [
    ...versions
      .filter(([, version]) => !EXACT.test(version.replace(OTHER_NAME, '')))
      .map(([name, version]) => `${name} is "${version}", which is not one version`),
    ...(workspace.catalogs === undefined ? [] : ['there is more than one catalog']),
    ...Object.entries(allowBuilds)
      .filter(([, allowed]) => allowed !== false)
      .map(([name]) => `${name} may run its install script`),
    ...OTHER_WAYS.filter((setting) => setting in workspace).map((setting) => `${setting} is set`),
  ];
}

interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * What is wrong with a package.json of ours: a script that runs unasked, or a dependency that is neither one version,
 * nor one of the catalog, nor a neighbour in the workspace.
 */
export function findingsInManifest(text: string): string[] {
  const { scripts = {}, dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Manifest;
  return [
    ...Object.keys(scripts)
      .filter((name) => RUN_UNASKED.has(name))
      .map((name) => `the script ${name} runs unasked`),
    ...Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => version !== 'catalog:' && version !== 'workspace:*' && !EXACT.test(version))
      .map(([name, version]) => `${name} is "${version}", which is not one version`),
  ];
}
