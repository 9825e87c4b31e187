import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  InstalledPostgres,
  putDatabase,
  Receiver,
  temporaryFolder,
  type TemporaryFolder,
} from '@petstore/test-servers';
import { Client as Session } from 'pg';
import type { Environment } from '../../src/configuration/configuration.js';
import { Client } from '../support/client.js';
import { positionOf } from '../support/event-reader.js';
import { OPERATOR } from '../support/operator.js';
import { Program } from '../support/program.js';
import { until } from '../support/until.js';
import { read, ROOT } from './deploy-files.js';

// Servers are made and programs run one after the other, which takes a while on a busy machine.
jest.setTimeout(300_000);

const PASSWORD = 'password-of-a-role';

const [, section = ''] = /^## Backup and restore\n(.*?)^## /ms.exec(read('docs/operations.md')) ?? [];
/** The commands of docs/operations.md, in its order. */
const [BACKUP, RESTORE, FOLLOW, EMBEDDED_RESTORE] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, commands = '']) => commands,
);
const [, EMBEDDED_BACKUP] = /^\*\*Embedded\*\*.*?`(.*?)`/ms.exec(section) ?? [];

let folder: TemporaryFolder;
const programs: Program[] = [];
const servers: InstalledPostgres[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('backup');
  await mkdir(join(folder.path, 'bin'));
  // What npm runs, without the build that it may begin with: other tests run what is built.
  await writeFile(
    join(folder.path, 'bin/npm'),
    `#!/bin/sh
command=$2; shift 2; if [ "$1" = -- ]; then shift; fi
exec '${process.execPath}' '${OPERATOR}' "$command" "$@"
`,
  );
  await chmod(join(folder.path, 'bin/npm'), 0o755);
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => folder.remove());

/** Runs commands of the page, or others, to their end. */
async function shell(commands: string | undefined, environment: Environment): Promise<string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', ...others } = environment;
  const env = { ...others, BACKUP: folder.path, PATH: `${join(folder.path, 'bin')}:${PATH}` };
  return (await promisify(execFile)('/bin/sh', ['-ec', commands ?? 'exit 1'], { cwd: ROOT, env })).stdout;
}

async function start(environment: Environment, dataDir = '/nonexistent'): Promise<Program> {
  const program = new Program(dataDir, {
    WEBHOOK_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  });
  programs.push(program);
  return program.started();
}

/** What libpq reads of a role: no command needs to name a password. */
function serviceFile({ hostname, port, searchParams, username, password, pathname }: URL): string {
  const path = join(folder.path, `services-${pathname.slice(1)}`);
  const host = searchParams.get('host') ?? hostname;
  const lines = [`host=${host}`, `port=${port}`, `dbname=${pathname.slice(1)}`, `user=${username}`];
  writeFileSync(path, ['[petstore_owner]', ...lines, `password=${password}`, ''].join('\n'), { mode: 0o600 });
  return path;
}

async function newServer(): Promise<InstalledPostgres> {
  const server = await InstalledPostgres.start();
  servers.push(server);
  return server;
}

/** A key of the environment's database that may do what the stories below do. */
async function issueKey(environment: Environment): Promise<string> {
  const options = '--plan=business --scopes=pets:read,pets:write,webhooks:manage --json';
  const { key } = JSON.parse(await shell(`npm run key -- create --name=shop ${options}`, environment)) as {
    readonly key: string;
  };
  return key;
}

/** Adds an animal, and waits until its event is in the feed: the position behind it. */
async function addPet(client: Client): Promise<string> {
  expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  await until(async () => (await client.get('/v1/events')).text.includes('Rex'));
  return positionOf(await client.get('/v1/events'));
}

/** Every animal is there, and a reader of the feed from before is told to begin anew. */
async function expectRestored({ origin }: Program, key: string, position: string): Promise<void> {
  const client = new Client(origin, key);
  expect((await client.get('/v1/pets')).text).toContain('"name":"Rex"');
  expect((await client.get(`/v1/events?after=${position}`)).status).toBe(410);
  const added = await client.post('/v1/pets', { name: 'Mia', categoryId: 1 });
  expect(added.status).toBe(201);
  // Animals that the backup does not have may have had the ids before.
  expect((JSON.parse(added.text) as { readonly id: number }).id).toBeGreaterThan(1_000_000);
}

it('brings back a database of two roles on a new server and on the same, and sends no webhook in a drill', async () => {
  /** What a database is told of its roles, and the service of the database. */
  const withRoles = (server: InstalledPostgres, database: string): Environment => ({
    ...server.environment,
    PGSERVICEFILE: serviceFile(new URL(server.urlOf('petstore_owner', PASSWORD, database))),
    OWNER_URL: server.urlOf('petstore_owner', PASSWORD, database),
    SERVICE_URL: server.urlOf('petstore_service', PASSWORD, database),
    DATABASE_URL: server.urlOf('petstore_service', PASSWORD, database),
    API_KEY_PEPPER: 'pepper-of-the-backups',
  });
  const givePasswords = (environment: Environment): Promise<string> =>
    shell(
      ['petstore_owner', 'petstore_service']
        .map((role) => `psql --command="alter role ${role} password '${PASSWORD}'" postgres\n`)
        .join(''),
      environment,
    );
  const asSuperuser = async (server: InstalledPostgres, statement: string): Promise<unknown[]> => {
    const { PGUSER, PGPASSWORD } = server.environment;
    const session = new Session(server.urlOf(PGUSER, PGPASSWORD, 'restored'));
    await session.connect();
    try {
      return (await session.query<object>(statement)).rows;
    } finally {
      await session.end();
    }
  };

  const first = await newServer();
  const environment = withRoles(first, 'petstore');
  const roles = 'psql --set=ON_ERROR_STOP=1 --single-transaction --file=deploy/postgres/roles.sql petstore';
  await shell(`createdb --encoding=UTF8 --template=template0 petstore; ${roles}`, environment);
  await givePasswords(environment);
  await shell(`DATABASE_URL="$OWNER_URL" npm run migrate; ${roles}`, environment);
  const key = await issueKey(environment);
  const receiver = await Receiver.http();
  receiver.respond = (response) => response.writeHead(500).end();
  try {
    const client = new Client((await start(environment)).origin, key);
    expect((await client.post('/v1/webhooks', { url: receiver.url() })).status).toBe(201);
    const position = await addPet(client);
    await until(() => receiver.received.length > 0);
    await shell(BACKUP, environment);
    expect(statSync(join(folder.path, 'petstore.dump')).mode & 0o777).toBe(0o600);
    await programs.splice(0)[0]?.end();

    const second = await newServer();
    for (const server of [first, second]) {
      const restored = withRoles(server, 'restored');
      await shell(RESTORE, restored);
      if (server === second) await givePasswords(restored);
      expect(await shell(FOLLOW, restored)).toMatch(/^first +\d+$/m);
      expect(
        await asSuperuser(server, `select distinct tableowner from pg_tables where schemaname = 'public'`),
      ).toEqual([{ tableowner: 'petstore_owner' }]);
      expect(
        await asSuperuser(
          server,
          `select has_table_privilege('petstore_service', 'api_key_audit', 'delete')`,
        ),
      ).toEqual([{ has_table_privilege: false }]);
      await asSuperuser(server, 'update webhook_deliveries set next_attempt_at = now()');
    }

    const restored = withRoles(second, 'restored');
    receiver.received.length = 0;
    const drill = await start({ ...restored, WORKER: 'off' });
    await expectRestored(drill, key, position);
    await drill.end();
    expect(receiver.received).toEqual([]);
    await start(restored);
    await until(() => receiver.received.length > 0);
  } finally {
    await receiver.close();
  }
});

it('brings back an embedded database', async () => {
  const PETSTORE_DATA_DIR = join(folder.path, 'data');
  await mkdir(PETSTORE_DATA_DIR);
  await putDatabase(PETSTORE_DATA_DIR);
  const environment = { PETSTORE_DATA_DIR, PETSTORE_ENVIRONMENT: 'production' };
  const key = await issueKey(environment);
  const service = await start(environment, PETSTORE_DATA_DIR);
  const position = await addPet(new Client(service.origin, key));
  expect(await service.end()).toBe(0);
  await shell(EMBEDDED_BACKUP, environment);
  await shell(EMBEDDED_RESTORE, environment);
  await expectRestored(await start(environment, PETSTORE_DATA_DIR), key, position);
});
