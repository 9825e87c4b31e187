import { execFile } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@petstore/testing';
import { freePort } from './free-port.js';
import { type InstalledProgram, installedProgram } from './installed-program.js';
import { memoryFolder } from './memory-folder.js';
import type { TemporaryFolder } from './temporary-folder.js';
import { TetheredProgram } from './tethered-program.js';

const run = promisify(execFile);

/** PostgreSQL does not run as root. */
const NOBODY = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const PASSWORD = 'superuser';

/** The PostgreSQL of the distribution with its client tools, which the embedded one does not have: the oldest that is supported. */
function installedPostgres(): Promise<InstalledProgram> {
  return installedProgram({
    commands: ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin/psql`),
    versionOption: '--version',
    package: 'postgresql-15',
    path: 'usr/lib/postgresql/15/bin/psql',
  });
}

/** A server of the distribution's PostgreSQL, on a port of the loopback interface. */
export class InstalledPostgres {
  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly program: TetheredProgram,
    /** The environment in which the client tools are found, and work as the superuser of this server. */
    readonly environment: Readonly<Record<'PATH' | 'PGHOST' | 'PGPORT' | 'PGUSER' | 'PGPASSWORD', string>>,
  ) {}

  /**
   * The major version, such as `15`; `undefined` on a machine that has none and can fetch none.
   *
   * @throws Error there, too, if all tests must run: with `CI` in the environment, as by `.ci/run`
   */
  static async version(): Promise<string | undefined> {
    try {
      return /postgresql\/(\d+)\/bin/.exec((await installedPostgres()).command)?.[1];
    } catch (error) {
      // oxlint-disable-next-line node/no-process-env -- What a test runs in is no setting of a program.
      if (process.env['CI'] !== undefined) throw error;
      return undefined;
    }
  }

  static async start(): Promise<InstalledPostgres> {
    const { command, libraries } = await installedPostgres();
    const folder = await memoryFolder('installed-postgres');
    const [bin, port, data] = [dirname(command), String(await freePort()), join(folder.path, 'data')];
    const password = join(folder.path, 'password');
    await writeFile(password, PASSWORD);
    for (const path of [folder.path, password]) await chown(path, asUser.uid ?? -1, asUser.gid ?? -1);
    const env = {
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
    };
    const options = { ...asUser, env, cwd: '/' };
    const authentication = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256'];
    await run('initdb', ['--no-sync', `--pgdata=${data}`, ...authentication], options);
    const settings = [`port=${port}`, 'unix_socket_directories=', 'fsync=off'].flatMap((one) => ['-c', one]);
    const postgres = { command: join(bin, 'postgres'), libraries };
    const program = await TetheredProgram.start(postgres, ['-D', data, ...settings], {
      ...asUser,
      env,
      cwd: folder.path,
      signal: 'QUIT',
    });
    const superuser = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres', PGPASSWORD: PASSWORD };
    const server = new InstalledPostgres(folder, program, { ...env, ...superuser });
    await waitFor(() =>
      run('pg_isready', [], { env: server.environment }).then(
        () => true,
        () => false,
      ),
    );
    return server;
  }

  /** The address of the database `postgres` for the superuser. */
  get superuserUrl(): string {
    return this.urlOf(this.environment.PGUSER, PASSWORD, 'postgres');
  }

  /** The address of a database for a role. */
  urlOf(role: string, password: string, database: string): string {
    const { PGHOST, PGPORT } = this.environment;
    return `postgres://${role}:${password}@${PGHOST}:${PGPORT}/${database}`;
  }

  async stop(): Promise<void> {
    await this.program.end();
    await this.folder.remove();
  }
}
