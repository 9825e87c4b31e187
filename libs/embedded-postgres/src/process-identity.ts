import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { NOBODY } from './private-files.js';

const run = promisify(execFile);

/** As whom the programs of PostgreSQL are run. */
export interface ProcessIdentity {
  /** Put before the command; empty to run it directly. */
  readonly prefix: readonly string[];
  /** Required owner of the files, as root sees it; `undefined` when this user owns them. */
  readonly fileOwner?: number;
}

/** In a user namespace of its own the user looks like nobody, and still owns its files. */
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];

/** PostgreSQL refuses to run as root. The first way that works here and can reach the folders is taken. */
const AS_ROOT: readonly ProcessIdentity[] = [
  { prefix: NAMESPACE, fileOwner: 0 },
  // Containers often forbid namespaces; the right to pass closed folders such as /root is kept.
  {
    prefix: [
      ...['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'],
    ],
    fileOwner: NOBODY,
  },
];

/** initdb asks for the name of its user, which a container that is given any user id does not have. */
const AS_ORDINARY_USER: readonly ProcessIdentity[] = [{ prefix: [] }, { prefix: NAMESPACE }];

// As the user that the database will run as: has it a name, can it enter and change the folder, and run the binary?
const PROBE = `
name=$(id -un) || exit
[ -r "$1" ] && [ -x "$1" ] && [ -w "$1" ] || { echo "the user $name may not enter and change $1" >&2; exit 1; }
exec "$2" --version`;

/**
 * The identity under which the binary runs here and can use the folder, which is handed over to it.
 *
 * @throws {EmbeddedPostgresError} `unsupported_platform` when there is none, with what each one said
 */
export async function chooseIdentity(
  folder: string,
  postgres: string,
  env: Record<string, string>,
): Promise<ProcessIdentity> {
  const failures: string[] = [];
  for (const identity of process.getuid?.() === 0 ? AS_ROOT : AS_ORDINARY_USER) {
    try {
      await giveTo(identity, folder);
      await runAs(identity, ['/bin/sh', '-c', PROBE, 'probe', folder, postgres], env);
      return identity;
    } catch (error) {
      failures.push(`${identity.prefix[0] ?? 'as this user'}: ${(error as Error).message}`);
    }
  }
  throw new EmbeddedPostgresError(
    'unsupported_platform',
    `The embedded PostgreSQL, ${postgres}, does not run here on ${folder}. Tried: ${failures.join('; ')}. It needs glibc, as ` +
      'root the right to change the user, and for a user id without a name a user namespace. Start the service as an ordinary ' +
      'user, or point DATABASE_URL at a PostgreSQL server of your own and set API_KEY_PEPPER.',
  );
}

/** Runs a command to its end under the identity; rejects with its error output. */
export async function runAs(
  { prefix }: ProcessIdentity,
  command: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const [file = '', ...args] = [...prefix, ...command];
  await run(file, args, { env, cwd: '/' }).catch((cause: unknown) => {
    const { stderr = '', message } = cause as Error & { stderr?: string };
    throw new Error(stderr.trim() === '' ? message : stderr.trim(), { cause });
  });
}

/** Gives a folder with its content to the user that the database runs as, if that is another one. */
export async function giveTo({ fileOwner }: ProcessIdentity, folder: string): Promise<void> {
  if (fileOwner === undefined || (await lstat(folder)).uid === fileOwner) return;
  // The folder itself comes last, so its owner tells whether all of it was done. Links are not followed.
  await run('chown', ['-hR', `${fileOwner}:${fileOwner}`, folder]).catch((cause: unknown) => {
    const { message } = cause as Error;
    throw new EmbeddedPostgresError(
      'not_permitted',
      `${folder} could not be handed over to the user ${fileOwner}: ${message.trim()}`,
      { cause },
    );
  });
}
