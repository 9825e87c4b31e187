import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Client, Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { eventsIn, nextOf, petIn, petsIn, type ToldEvent, type ToldPet } from '../support/event-reader.js';
import { until } from '../support/until.js';

/** All that the service should know, as a program of a few lines would keep it. */
export interface PetModel {
  readonly pets: Map<string, ToldPet>;
  readonly events: { type: string; data: ToldEvent['data'] }[];
  /** Ids that were given out, removed animals included, the oldest first. */
  readonly ids: string[];
  /** First response to each Idempotency-Key. */
  readonly answers: Map<string, { body: string; text: string }>;
  /** Each ETag that was ever seen, and the animal that it stands for. */
  readonly tags: Map<string, ToldPet>;
}

type Command = fc.AsyncCommand<PetModel, Client>;
type Patch = Partial<Omit<ToldPet, 'id'>>;
/** Which state a write is to happen to: any, the current one, or the nth that was ever seen. */
type Guard = 'none' | '*' | 'current' | number;

const statuses = ['available', 'pending', 'sold'] as const;
const fields = {
  name: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => `x${text.replace(/\p{Cc}/gu, '')}`),
  categoryId: fc.constantFrom('1', '2', '9223372036854775807'),
  status: fc.constantFrom(...statuses),
};
const anyPatch: fc.Arbitrary<Patch> = fc.record(fields, { requiredKeys: [] });
const anyGuard: fc.Arbitrary<Guard> = fc.oneof(
  fc.constantFrom('none' as const, '*' as const, 'current' as const),
  fc.nat(9),
);

const pathOf = (id: string): string => `/v1/pets/${id}`;
/** JSON with the category as the number that it is. */
const bodyOf = (patch: Patch): string =>
  JSON.stringify(patch).replace(/"categoryId":"(\d+)"/, '"categoryId":$1');
const same = (one: ToldPet, other: ToldPet): boolean => bodyOf(one) === bodyOf(other);

function command(name: string, run: (model: PetModel, client: Client) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

/** Where the command goes: an animal that is or was there, or one that never was. */
const targetOf = ({ ids }: PetModel, at: number): string => ids[at % (ids.length + 1)] ?? '999999999';

/** The header fields of a conditional write, and whether it may happen. */
function conditional(
  model: PetModel,
  id: string,
  guard: Guard,
): [headers: Record<string, string>, holds: boolean] {
  const pet = model.pets.get(id);
  if (guard === 'none') return [{}, true];
  if (guard === '*') return [{ 'If-Match': '*' }, true];
  const known = [...model.tags];
  const current = known.find(([, state]) => pet !== undefined && state.id === id && same(state, pet));
  const [tag, state] = (guard === 'current' ? current : known[guard % (known.length || 1)]) ?? [
    '"none"',
    undefined,
  ];
  return [{ 'If-Match': tag }, pet !== undefined && state?.id === id && same(state, pet)];
}

function see(model: PetModel, { headers }: Reply, pet: ToldPet): void {
  const tag = String(headers.etag);
  expect(model.tags.get(tag) ?? pet).toEqual(pet);
  model.tags.set(tag, pet);
}

const create = fc.tuple(fc.record(fields), fc.option(fc.nat(3))).map(([pet, token]) =>
  command(`create ${bodyOf(pet)} ${token ?? ''}`, async (model, client) => {
    const headers = token === null ? {} : { 'Idempotency-Key': `model-${token}` };
    const body = bodyOf(pet);
    const reply = await client.post('/v1/pets', body, { headers });
    const first = model.answers.get(String(token));
    if (first !== undefined) {
      if (first.body !== body) expectError(reply, 'idempotency_key_reused');
      else expect(reply).toMatchObject({ status: 201, text: first.text });
      return;
    }
    const added = petIn(reply);
    expect([reply.status, added]).toEqual([201, { id: added.id, ...pet }]);
    expect(BigInt(added.id)).toBeGreaterThan(BigInt(model.ids.at(-1) ?? '0'));
    if (token !== null) model.answers.set(String(token), { body, text: reply.text });
    model.ids.push(added.id);
    model.pets.set(added.id, added);
    model.events.push({ type: 'pet.created', data: { pet: added } });
    see(model, reply, added);
  }),
);

const patch = fc.tuple(fc.nat(8), anyPatch, anyGuard).map(([at, changes, guard]) =>
  command(`patch ${at} ${bodyOf(changes)} ${guard}`, async (model, client) => {
    const id = targetOf(model, at);
    const before = model.pets.get(id);
    const [headers, holds] = conditional(model, id, guard);
    const reply = await client.patch(pathOf(id), bodyOf(changes), { headers });
    if (before === undefined || !holds) {
      expectError(reply, before === undefined ? 'pet_not_found' : 'precondition_failed');
      return;
    }
    if (before.status === 'sold' && changes.status === 'pending') {
      expectError(reply, 'invalid_status_transition');
      return;
    }
    const after = { ...before, ...changes };
    expect([reply.status, petIn(reply)]).toEqual([200, after]);
    see(model, reply, after);
    if (same(before, after)) return;
    const changed = Object.keys(changes).filter(
      (key) => before[key as keyof ToldPet] !== after[key as keyof ToldPet],
    );
    const previous = Object.fromEntries(changed.map((key) => [key, before[key as keyof ToldPet]]));
    model.pets.set(id, after);
    model.events.push({ type: 'pet.updated', data: { pet: after, previous } });
  }),
);

const remove = fc.tuple(fc.nat(8), anyGuard).map(([at, guard]) =>
  command(`delete ${at} ${guard}`, async (model, client) => {
    const id = targetOf(model, at);
    const pet = model.pets.get(id);
    const [headers, holds] = conditional(model, id, guard);
    const reply = await client.delete(pathOf(id), { headers });
    if (pet === undefined || !holds) {
      expectError(reply, pet === undefined ? 'pet_not_found' : 'precondition_failed');
      return;
    }
    expect([reply.status, reply.text]).toEqual([204, '']);
    model.pets.delete(id);
    model.events.push({ type: 'pet.deleted', data: { pet } });
  }),
);

const list = fc.tuple(fc.option(fields.status), fc.integer({ min: 1, max: 3 })).map(([status, limit]) =>
  command(`list ${status ?? ''} ${limit}`, async (model, client) => {
    const read: ToldPet[] = [];
    const filter = status === null ? '' : `&status=${status}`;
    for (let path: string | undefined = `/v1/pets?limit=${limit}${filter}`; path !== undefined;) {
      const reply: Reply = await client.get(path);
      read.push(...petsIn(reply));
      path = nextOf(reply);
    }
    const wanted = [...model.pets.values()].filter((pet) => status === null || pet.status === status);
    expect(read).toEqual(wanted.reverse());
  }),
);

const get = fc.nat(8).map((at) =>
  command(`get ${at}`, async (model, client) => {
    const pet = model.pets.get(targetOf(model, at));
    const reply = await client.get(pathOf(targetOf(model, at)));
    if (pet === undefined) {
      expectError(reply, 'pet_not_found');
      return;
    }
    expect(petIn(reply)).toEqual(pet);
    see(model, reply, pet);
  }),
);

/** The feed, from any position to its end, and the numbers that it has counted. */
const follow = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 5 })).map(([from, limit]) =>
  command(`events ${from} ${limit}`, async ({ events, pets }, client) => {
    const end = events.length;
    await until(async () =>
      String(nextOf(await client.get('/v1/events?after=latest'))).endsWith(`after=${end}`),
    );
    const start = from % (end + 1);
    const read: ToldEvent[] = [];
    for (let next = `/v1/events?after=${start}&limit=${limit}`; start + read.length < end;) {
      const reply = await client.get(next);
      read.push(...eventsIn(reply));
      next = String(nextOf(reply));
      expect(next).toContain(`after=${start + read.length}`);
    }
    expect(read).toEqual(
      events.slice(start).map((event, at) => ({
        id: String(start + at + 1),
        timestamp: expect.stringMatching(/Z$/),
        ...event,
      })),
    );
    const counts = Object.fromEntries(
      statuses.map((status) => [status, [...pets.values()].filter((pet) => pet.status === status).length]),
    );
    expect(JSON.parse((await client.get('/v1/store/inventory')).text)).toEqual(counts);
  }),
);

export const anyCommands = fc.commands([create, create, patch, patch, remove, list, get, follow], {
  maxCommands: 60,
  size: 'max',
});
