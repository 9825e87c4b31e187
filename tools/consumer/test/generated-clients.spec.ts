import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generateApi } from 'swagger-typescript-api';
import ts from 'typescript';
import {
  type PetStoreProcess,
  startPetStore,
  type TemporaryFolder,
  temporaryFolder,
} from '@petstore/test-servers';
import { PROGRAMS } from './generated-programs.js';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../../libs/client', import.meta.url));
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Where the committed document says that a local instance is. */
const LOCAL = '127.0.0.1:3000';
const SCOPES = 'pets:read,pets:write,categories:write,orders:read,orders:write';

/** What openapi-typescript is told to keep int64 exact; the guide says so, too. */
const int64AsBigint = ({ format }: { format?: string }): ts.TypeNode | undefined =>
  format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined;

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

let folder: TemporaryFolder;
let store: PetStoreProcess;

beforeAll(async () => {
  [folder, store] = await Promise.all([temporaryFolder('generated-clients'), startPetStore()]);
  // Instances of tests take a free port; the rest of the address is as committed.
  const text = (await read('openapi.json')).replaceAll(LOCAL, new URL(store.origin).host);
  const types = astToString(await openapiTypescript(text));
  const webhookTypes = astToString(await openapiTypescript(await read('openapi-webhooks.json')));
  const int64Types = astToString(await openapiTypescript(text, { transform: int64AsBigint }));
  const { files } = await generateApi({
    spec: JSON.parse(text) as never,
    output: false,
    fileName: 'client.ts',
    silent: true,
    generateClient: true,
    httpClientType: 'fetch',
  } as never);
  const sources = {
    ...PROGRAMS,
    'types.ts': types,
    'int64-types.ts': int64Types,
    'webhook-types.ts': webhookTypes,
    'client.ts': files[0]?.fileContent ?? '',
  };
  for (const [name, source] of Object.entries(sources)) await writeFile(join(folder.path, name), source);
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  await mkdir(join(folder.path, 'node_modules/@petstore'), { recursive: true });
  await symlink(CLIENT, join(folder.path, 'node_modules/@petstore/client'));
}, 90_000);
afterAll(async () => {
  await store.stop();
  await folder.remove();
});

describe('clients that others generate from the document', () => {
  it('compile in strict mode', async () => {
    const types = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));
    const options = [
      '--strict',
      // The files of TypeScript itself need no check.
      '--skipDefaultLibCheck',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2022,dom,dom.iterable',
    ];
    const args = [TSC, ...Object.keys(PROGRAMS), ...options, '--typeRoots', types, '--types', 'node'];
    const { stdout } = await run(process.execPath, args, { cwd: folder.path }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  }, 60_000);

  it.each([
    ['types of openapi-typescript', 'types-program.js'],
    ['the client of swagger-typescript-api', 'client-program.js'],
  ])('list, create, fetch, change, reserve, name, remove and read events: %s', async (_what, program) => {
    const key = await store.issueKey(['--plan', 'free', '--scopes', SCOPES]);
    const { stdout } = await run(process.execPath, [program, `${store.origin}/v1`, key], {
      cwd: folder.path,
    });
    const { created, listed, fetched, changed, order, category, removed, isEvents } = JSON.parse(
      stdout,
    ) as Record<string, unknown>;
    expect(created).toEqual({ id: expect.any(Number), name: 'Typed', categoryId: 7, status: 'available' });
    expect(listed).toEqual([created]);
    expect(fetched).toEqual(created);
    expect(changed).toEqual({ ...(created as object), name: 'Changed' });
    const { id: petId } = created as { id: number };
    expect(order).toMatchObject({ petId, placed: 'placed', status: 'cancelled', reason: 'Typed.' });
    expect(category).toEqual({ id: 7, name: 'Typed' });
    expect(removed).toBe(204);
    expect(isEvents).toBe(true);
  });

  it('keep int64 exact beyond 2^53 where the generator is told to', async () => {
    const key = await store.issueKey(['--plan', 'free', '--scopes', SCOPES]);
    const { stdout } = await run(process.execPath, ['int64-program.js', `${store.origin}/v1`, key], {
      cwd: folder.path,
    });
    expect(stdout).toBe('{"categoryId":9007199254740993,"status":"available"}\n');
  });

  it('know the events that a receiver gets', async () => {
    const { stdout } = await run(process.execPath, ['receiver-program.js'], { cwd: folder.path });
    expect(stdout).toBe('Rex Max\n');
  });
});
