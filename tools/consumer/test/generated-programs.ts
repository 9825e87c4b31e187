/** What a consumer writes on top of generated code; all print what they got, as JSON. */
export const PROGRAMS = {
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
const newPet: NewPet = { name: 'Typed', categoryId: 7 };
const created = (await (await fetch(\`\${base}/pets\`, { method: 'POST', headers, body: JSON.stringify(newPet) })).json()) as Pet;
const query: Query = { limit: 1, status: 'available' };
const search = new URLSearchParams({ limit: String(query.limit), status: query.status ?? '' });
const listed = (await (await fetch(\`\${base}/pets?\${search.toString()}\`, { headers })).json()) as Pet[];
const fetched = (await (await fetch(\`\${base}/pets/\${created.id}\`, { headers })).json()) as Pet;
const patch: Patch = { name: 'Changed' };
const guard: Guard = { 'If-Match': '*' };
const patchHeaders = { ...headers, ...guard, 'Content-Type': 'application/merge-patch+json' };
const changed = (await (
  await fetch(\`\${base}/pets/\${created.id}\`, { method: 'PATCH', headers: patchHeaders, body: JSON.stringify(patch) })
).json()) as Pet;
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

// The address is that of the document.
const [, key = ''] = process.argv.slice(2);
const { pets, events: feed, store, categories } = new Api({
  baseApiParams: { secure: true, format: 'json' },
  securityWorker: () => ({ headers: { Authorization: \`Bearer \${key}\` } }),
});
const { data: created } = await pets.createPet({ name: 'Typed', categoryId: 7 });
const { data: listed } = await pets.listPets({ limit: 1, status: PetStatus.Available });
const { data: fetched } = await pets.getPet(created.id);
const refused: unknown = await pets.getPet(Number.MAX_SAFE_INTEGER).catch((response: unknown) => response);
if (!(refused instanceof Response) || refused.status !== 404) throw new Error('An error came out as a result.');
const { data: changed } = await pets.updatePet(
  created.id,
  { name: 'Changed' },
  { headers: { 'If-Match': '*', 'Content-Type': 'application/merge-patch+json' } },
);
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
  'int64-program.ts': `import { parseJson, toJson } from '@petstore/client';
import type { operations } from './int64-types.js';

type Pet = operations['createPet']['responses'][201]['content']['application/json'];
type NewPet = operations['createPet']['requestBody']['content']['application/json'];

const [base = '', key = ''] = process.argv.slice(2);
const headers = { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' };
const newPet: NewPet = { name: 'Exact', categoryId: 9_007_199_254_740_993n };
const response = await fetch(\`\${base}/pets\`, { method: 'POST', headers, body: toJson(newPet) });
const pet = parseJson(await response.text()) as Pet;
const categoryId: bigint = pet.categoryId;
console.log(toJson({ categoryId, status: pet.status }));
`,
  'receiver-program.ts': `import type { webhooks } from './webhook-types.js';

type Updated = webhooks['pet.updated']['post']['requestBody']['content']['application/json'];

const body = '{"id":1,"type":"pet.updated","timestamp":"","data":{"pet":{"name":"Rex"},"previous":{"name":"Max"}}}';
const { data } = JSON.parse(body) as Updated;
console.log(data.pet.name, data.previous.name);
`,
};
