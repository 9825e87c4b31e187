import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { NOBODY } from './private-files.js';

const run = promisify(execFile);

/** As whom and with which environment the programs of PostgreSQL are run. */
export interface ProcessIdentity extends Way {
  readonly env: Record<string, string>;
}

/**
 * How PostgreSQL is run, given that it refuses to run as root: directly as an ordinary user, and as root
 * in one of three ways, the first of which that works here and can reach the folders.
 */
interface Way {
  readonly name: 'ordinary user' | 'user namespace' | 'nobody with file access' | 'nobody';
  /** Put before the command; empty to run it directly. */
  readonly prefix: readonly string[];
  /** Ids for `child_process`, when the change of user is left to Node. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Required owner of the files, as root sees it; `undefined` when this user owns them. */
  readonly fileOwner: number | undefined;
}

const ORDINARY: Way = { name: 'ordinary user', prefix: [], ids: {}, fileOwner: undefined };

/** initdb asks for the name of its user, which a container that is given any user id does not have. */
const NAMELESS: Way = {
  name: 'ordinary user',
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  ids: {},
  fileOwner: undefined,
};

const AS_ROOT: readonly Way[] = [
  // Inside its own user namespace root looks like nobody and still owns root's files.
  {
    name: 'user namespace',
    prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
    ids: {},
    fileOwner: 0,
  },
  // Containers often forbid namespaces; the right to pass closed folders such as /root is kept.
  {
    name: 'nobody with file access',
    prefix: [
      ...['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'],
    ],
    ids: {},
    fileOwner: NOBODY,
  },
  { name: 'nobody', prefix: [], ids: { uid: NOBODY, gid: NOBODY }, fileOwner: NOBODY },
];

// As the user that the database will run as: can it enter and change the folder, and run the binary?
const PROBE = '[ -r "$1" ] && [ -x "$1" ] && [ -w "$1" ] && exec "$2" --version';

/**
 * The identity under which the binary runs here and can use the folder, which is handed over to it.
 *
 * @throws {EmbeddedPostgresError} `unsupported_platform` when there is none
 */
export async function chooseIdentity(
  folder: string,
  postgres: string,
  env: Record<string, string>,
): Promise<ProcessIdentity> {
  const failures: string[] = [];
  for (const way of waysOfThisUser()) {
    const identity = { ...way, env };
    try {
      await giveTo(identity, folder);
      await runAs(identity, ['/bin/sh', '-c', PROBE, 'probe', folder, postgres]);
      return identity;
    } catch (error) {
      failures.push(`${identity.name}: ${(error as Error).message}`);
    }
  }
  throw new EmbeddedPostgresError(
    'unsupported_platform',
    `The embedded PostgreSQL does not run here on ${folder} (${failures.join('; ')}). It needs glibc, as root ` +
      'the right to change the user, and as a user without an entry in /etc/passwd that to make a user namespace. ' +
      'Point DATABASE_URL at a PostgreSQL server of your own, or start the service as an ordinary user with a name.',
  );
}

function waysOfThisUser(): readonly Way[] {
  if (process.getuid?.() === 0) return AS_ROOT;
  try {
    userInfo();
    return [ORDINARY];
  } catch {
    return [NAMELESS];
  }
}

/**
 * Runs a command to its end under the identity; rejects with its error output.
 *
 * @param cancel kills it; rejects once its own children, which inherit its error output, have ended as well
 */
export async function runAs(
  { prefix, ids, env }: ProcessIdentity,
  command: readonly string[],
  cancel?: AbortSignal,
): Promise<void> {
  cancel?.throwIfAborted();
  const [file = '', ...args] = [...prefix, ...command];
  const running = run(file, args, { ...ids, env, cwd: '/' });
  const kill = (): unknown => running.child.kill('SIGKILL');
  cancel?.addEventListener('abort', kill);
  try {
    await running;
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { stderr?: string };
    throw new Error(stderr.trim() === '' ? message : stderr.trim(), { cause });
  } finally {
    cancel?.removeEventListener('abort', kill);
  }
}

/** Gives a folder with its content to the user that the database runs as, if that is another one. */
export async function giveTo({ fileOwner }: ProcessIdentity, folder: string): Promise<void> {
  if (fileOwner === undefined || (await lstat(folder)).uid === fileOwner) return;
  // The folder itself comes last, so its owner tells whether all of it was done. Links are not followed.
  await run('chown', ['-hR', `${fileOwner}:${fileOwner}`, folder]);
}
