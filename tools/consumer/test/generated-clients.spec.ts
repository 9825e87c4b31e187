import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generateApi } from 'swagger-typescript-api';
import {
  type PetStoreProcess,
  startPetStore,
  type TemporaryFolder,
  temporaryFolder,
} from '@petstore/test-servers';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

const SCOPES = 'pets:read,pets:write,categories:write,orders:read,orders:write';

/** What a consumer writes on top of generated code; both print what they got, as JSON. */
const PROGRAMS = {
  'types-program.ts': `import type { operations } from './types.js';

type Pet = operations['createPet']['responses'][201]['content']['application/json'];
type NewPet = operations['createPet']['requestBody']['content']['application/json'];
type Query = NonNullable<operations['listPets']['parameters']['query']>;
type Patch = operations['updatePet']['requestBody']['content']['application/merge-patch+json'];
type Guard = NonNullable<operations['updatePet']['parameters']['header']>;
type Category = operations['putCategory']['responses'][200]['content']['application/json'];
type NewOrder = operations['placeOrder']['requestBody']['content']['application/json'];
type Order = operations['placeOrder']['responses'][201]['content']['application/json'];
type Reason = NonNullable<operations['cancelOrder']['requestBody']>['content']['application/json'];
type Events = operations['listEvents']['responses'][200]['content']['application/json'];

const [base = '', key = ''] = process.argv.slice(2);
const headers = { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' };
const newPet: NewPet = { name: 'Typed', categoryId: 7, status: 'pending' };
const created = (await (await fetch(\`\${base}/pets\`, { method: 'POST', headers, body: JSON.stringify(newPet) })).json()) as Pet;
const query: Query = { limit: 1, status: 'pending' };
const search = new URLSearchParams({ limit: String(query.limit), status: query.status ?? '' });
const listed = (await (await fetch(\`\${base}/pets?\${search.toString()}\`, { headers })).json()) as Pet[];
const fetched = (await (await fetch(\`\${base}/pets/\${created.id}\`, { headers })).json()) as Pet;
const patch: Patch = { name: 'Changed' };
const guard: Guard = { 'If-Match': '*' };
const patchHeaders = { ...headers, ...guard, 'Content-Type': 'application/merge-patch+json' };
const changed = (await (
  await fetch(\`\${base}/pets/\${created.id}\`, { method: 'PATCH', headers: patchHeaders, body: JSON.stringify(patch) })
).json()) as Pet;
await fetch(\`\${base}/pets/\${created.id}\`, { method: 'PATCH', headers, body: '{"status":"available"}' });
const newOrder: NewOrder = { petId: created.id, reference: 'typed' };
const send = { method: 'POST', headers };
const placed = (await (await fetch(\`\${base}/store/orders\`, { ...send, body: JSON.stringify(newOrder) })).json()) as Order;
const reason: Reason = { reason: 'Typed.' };
const cancelled = (await (
  await fetch(\`\${base}/store/orders/\${placed.id}/cancel\`, { ...send, body: JSON.stringify(reason) })
).json()) as Order;
const category = (await (
  await fetch(\`\${base}/categories/7\`, { method: 'PUT', headers, body: '{"name":"Typed"}' })
).json()) as Category;
const { status: removed } = await fetch(\`\${base}/pets/\${created.id}\`, { method: 'DELETE', headers });
const events = (await (await fetch(\`\${base}/events?limit=100\`, { headers })).json()) as Events;
const isEvents = events.every(({ id, data }) => id > 0 && (data.pet?.id ?? 1) > 0);
const order = { placed: placed.status, ...cancelled };
console.log(JSON.stringify({ created, listed, fetched, changed, order, category, removed, isEvents }));
`,
  'client-program.ts': `import { Api, PetStatus } from './client.js';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const { pets, events: feed, store, categories } = new Api({
  baseUrl,
  baseApiParams: { secure: true, format: 'json' },
  securityWorker: () => ({ headers: { Authorization: \`Bearer \${key}\` } }),
});
const { data: created } = await pets.createPet({ name: 'Typed', categoryId: 7, status: PetStatus.Pending });
const { data: listed } = await pets.listPets({ limit: 1, status: PetStatus.Pending });
const { data: fetched } = await pets.getPet(created.id);
const refused: unknown = await pets.getPet(Number.MAX_SAFE_INTEGER).catch((response: unknown) => response);
if (!(refused instanceof Response) || refused.status !== 404) throw new Error('An error came out as a result.');
const { data: changed } = await pets.updatePet(
  created.id,
  { name: 'Changed' },
  { headers: { 'If-Match': '*', 'Content-Type': 'application/merge-patch+json' } },
);
await pets.updatePet(created.id, { status: PetStatus.Available });
const { data: placed } = await store.placeOrder({ petId: created.id, reference: 'typed' });
const { data: cancelled } = await store.cancelOrder(placed.id, { reason: 'Typed.' });
const { data: category } = await categories.putCategory(7, { name: 'Typed' });
const { status: removed } = await pets.deletePet(created.id);
const { data: events } = await feed.listEvents({ limit: 100 });
const { data: inventory } = await store.getInventory({ categoryId: 7 });
const isEvents = events.every(({ id, data }) => id > 0 && (data.pet?.id ?? 1) > 0) && inventory.sold >= 0;
const order = { placed: placed.status, ...cancelled };
console.log(JSON.stringify({ created, listed, fetched, changed, order, category, removed, isEvents }));
`,
};

let folder: TemporaryFolder;
let store: PetStoreProcess;

beforeAll(async () => {
  [folder, store] = await Promise.all([temporaryFolder('generated-clients'), startPetStore()]);
  const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  const types = astToString(await openapiTypescript(text));
  const { files } = await generateApi({
    spec: JSON.parse(text) as never,
    output: false,
    fileName: 'client.ts',
    silent: true,
    generateClient: true,
    httpClientType: 'fetch',
  } as never);
  const sources = { ...PROGRAMS, 'types.ts': types, 'client.ts': files[0]?.fileContent ?? '' };
  for (const [name, source] of Object.entries(sources)) await writeFile(join(folder.path, name), source);
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
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
    expect(created).toEqual({ id: expect.any(Number), name: 'Typed', categoryId: 7, status: 'pending' });
    expect(listed).toEqual([created]);
    expect(fetched).toEqual(created);
    expect(changed).toEqual({ ...(created as object), name: 'Changed' });
    const { id: petId } = created as { id: number };
    expect(order).toMatchObject({ petId, placed: 'placed', status: 'cancelled', reason: 'Typed.' });
    expect(category).toEqual({ id: 7, name: 'Typed' });
    expect(removed).toBe(204);
    expect(isEvents).toBe(true);
  });
});
