import { expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@petstore/test-servers';
import fc from 'fast-check';
import type { Reply } from '../support/client.js';
import { allPages, petsOf } from '../support/listed-pets.js';
import { operate } from '../support/operator.js';
import { serve } from '../support/running-service.js';
import { Assistant } from '../mcp/assistant.js';
import { finds, type ModelPet, type ModelSearch } from './search-model.js';
import { petSample, searchSample } from './search-samples.js';

const { running, client } = await serve();
const assistant = new Assistant(client);

const CHANGES = 500;
/** Of these so many come in files, in two of them the same animals. */
const IMPORTED = 60;
const SEARCHES = 100;
/** Changes, and searches, at a time. */
const AT_ONCE = 16;

const model = new Map<number, ModelPet>();
/** Animals that a change is about just now. */
const busy = new Set<number>();
let onces = 0;

async function putProfile(id: number, described: object): Promise<void> {
  const reply = await client.post(`/v1/pets/${id}/profile`, described, { method: 'PUT' });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
}

function idOf(reply: Reply): number {
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return (JSON.parse(reply.text) as { id: number }).id;
}

/** Lets a change have an animal for itself, if there is one. */
async function withPet(at: number, change: (id: number, pet: ModelPet) => Promise<unknown>): Promise<void> {
  const free = [...model].filter(([each]) => !busy.has(each));
  const chosen = free[at % Math.max(1, free.length)];
  if (chosen === undefined) return;
  busy.add(chosen[0]);
  await change(...chosen);
  busy.delete(chosen[0]);
}

/** What a tool is told of an animal, which is some of its profile. */
function toldOf({ name, profile }: ModelPet): { name: string; species?: string; description?: string } {
  const { species, description } = profile as { species?: string; description?: string };
  return {
    name,
    ...(species !== undefined && { species }),
    ...(description !== undefined && { description }),
  };
}

/** Each way in which an animal changes, but for imports. */
const WAYS: Readonly<Record<string, (wanted: ModelPet, at: number) => Promise<void>>> = {
  async create({ profile, ...wanted }) {
    // At once: they share a statement.
    const replies = await Promise.all([client.post('/v1/pets', wanted), client.post('/v1/pets', wanted)]);
    for (const id of replies.map(idOf)) {
      await putProfile(id, profile);
      model.set(id, { ...wanted, profile });
    }
  },
  async createOnce({ profile: _profile, ...wanted }) {
    const headers = { 'Idempotency-Key': `once-${++onces}` };
    model.set(idOf(await client.post('/v1/pets', wanted, { headers })), { ...wanted, profile: {} });
  },
  async addByTool(wanted) {
    const { categoryId, status } = wanted;
    const { name, ...profile } = toldOf(wanted);
    const given = { name, category_id: categoryId, status, ...profile };
    const { id } = await assistant.use('add_animal', given);
    model.set(Number(id), { name, categoryId, status, profile });
  },
  changeByTool: (wanted, at) =>
    withPet(at, async (id, known) => {
      const { name, ...profile } = toldOf(wanted);
      await assistant.use('change_animal', { animal_id: id, name, ...profile });
      Object.assign(known, { name, profile: { ...known.profile, ...profile } });
    }),
  patch: ({ name, categoryId }, at) =>
    withPet(at, async (id, known) => {
      await client.patch(`/v1/pets/${id}`, { name, categoryId });
      Object.assign(known, { name, categoryId });
    }),
  sell: (_wanted, at) =>
    withPet(at, async (id, known) => {
      await client.patch(`/v1/pets/${id}`, { status: 'available' });
      await client.patch(`/v1/pets/${id}`, { status: 'sold' });
      known.status = 'sold';
    }),
  describe: ({ profile }, at) =>
    withPet(at, async (id, known) => {
      await putProfile(id, profile);
      known.profile = profile;
    }),
  empty: (_wanted, at) =>
    withPet(at, async (id, known) => {
      await putProfile(id, {});
      known.profile = {};
    }),
  remove: (_wanted, at) =>
    withPet(at, async (id) => {
      if (model.size < 100) return;
      await client.delete(`/v1/pets/${id}`);
      model.delete(id);
    }),
};

/** Imports records of a source: those of references that it knows change their animals, others are new. */
async function importAll(records: ReadonlyMap<string, object>): Promise<void> {
  const folder = await temporaryFolder('search-model');
  const file = join(folder.path, 'animals.ndjson');
  await writeFile(
    file,
    Array.from(records.values(), (record) => `${JSON.stringify(record)}\n`),
  );
  await operate(running.environment, 'import', file, '--source', 'model');
  await folder.remove();
}

async function importedIds(): Promise<ReadonlyMap<string, number>> {
  const rows = await running.database.manager.query<{ reference: string; pet_id: string }[]>(
    'select reference, pet_id from pet_sources',
  );
  return new Map(rows.map(({ reference, pet_id }) => [reference, Number(pet_id)]));
}

async function importNew(pets: readonly ModelPet[]): Promise<void> {
  const records = pets.map((pet, n): [string, ModelPet] => {
    const reference = `M${n}`;
    return [reference, { ...pet, profile: { ...pet.profile, reference } }];
  });
  await importAll(new Map(records));
  const ids = await importedIds();
  for (const [reference, pet] of records) model.set(ids.get(reference) ?? 0, pet);
}

/** As a later file says it: what it does not say stays, and the kind is the same. */
async function importAgain(pets: readonly ModelPet[]): Promise<void> {
  const records = new Map<string, object>();
  for (const [reference, id] of await importedIds()) {
    const [known, other] = [model.get(id), pets[records.size]];
    if (known === undefined || other === undefined) continue;
    const {
      species: _species,
      goodWith,
      ...profile
    } = { ...other.profile, reference } as ModelPet['profile'];
    const whole = { ...profile, ...(goodWith !== undefined && { goodWith }) };
    records.set(reference, { name: other.name, categoryId: other.categoryId, profile: whole });
    known.name = other.name;
    const merged = {
      ...(known.profile['goodWith'] as object | undefined),
      ...(goodWith as object | undefined),
    };
    known.profile = {
      ...known.profile,
      ...whole,
      ...(Object.keys(merged).length > 0 && { goodWith: merged }),
    };
  }
  await importAll(records);
}

const queryOf = (wanted: ModelSearch): string =>
  Object.entries(wanted)
    .map(([each, value]) => `${each}=${encodeURIComponent(String(value))}`)
    .join('&');

const expected = (wanted: ModelSearch): number[] =>
  [...model]
    .filter(([, each]) => finds(wanted, each))
    .map(([id]) => id)
    .sort((a, b) => b - a);

/** As arguments of a tool. */
const argumentsOf = (wanted: ModelSearch): object =>
  Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

async function foundByTool(wanted: ModelSearch): Promise<number[]> {
  const found: number[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = { limit: 50, ...(cursor !== '' && { cursor }) };
    const told = await assistant.use('search_animals', { ...argumentsOf(wanted), ...page });
    found.push(...told.animals.map(({ id }) => Number(id)));
    cursor = told.next_cursor;
  }
  return found;
}

async function expectFound(wanted: ModelSearch): Promise<number> {
  const query = queryOf(wanted);
  const ids = expected(wanted);
  const pages = await allPages(client, `/v1/pets?limit=${40 + (ids.length % 60)}&${query}`);
  expect([query, pages.map(({ id }) => id)]).toEqual([query, ids]);
  const some = [...model.keys()].slice(0, 100);
  const byIds = petsOf(await client.get(`/v1/pets?ids=${some.join()}&${query}`));
  expect([query, byIds.map(({ id }) => id)]).toEqual([query, ids.filter((id) => some.includes(id))]);
  // A tool looks for available ones unless told otherwise.
  const ofTool = 'status' in wanted ? ids : ids.filter((id) => model.get(id)?.status === 'available');
  expect([query, await foundByTool(wanted)]).toEqual([query, ofTool]);
  return ids.length;
}

/** Works on all, some at a time. */
async function together<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

it('searches find what the contract says, after changes of every kind, on all pages, by ids and as a tool', async () => {
  const pets = fc.sample(petSample, CHANGES);
  await importNew(pets.slice(0, IMPORTED));
  const ways = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(WAYS)), fc.nat()), CHANGES);
  await together(
    ways.slice(2 * IMPORTED).map(([way, at], n) => ({ way, at, pet: pets[n + 2 * IMPORTED] })),
    async ({ way, at, pet }) => pet && WAYS[way]?.(pet, at),
  );
  await importAgain(pets.slice(IMPORTED, 2 * IMPORTED));
  let found = 0;
  const wanted = fc.sample(
    searchSample.filter((each) => queryOf(each).length <= 3_200),
    SEARCHES,
  );
  await together(wanted, async (each) => (found += await expectFound(each)));
  expect(found).toBeGreaterThan(SEARCHES);
}, 300_000);
