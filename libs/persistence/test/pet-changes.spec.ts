import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type Pet, patchPet, type PetId, PetName, type PetPatch } from '@petstore/pet-domain';
import { execFileSync } from 'node:child_process';
import { Client } from 'pg';
import { known } from '../src/testing/known.js';
import { StoredPets } from '../src/testing/stored-pets.js';
import { addOnce } from './add-once.js';
import { Feed } from './feed.js';
import { nobody, rex } from './questions.js';
import { soon } from './soon.js';

let feed: Feed;
let rival: Client;

beforeAll(async () => {
  feed = await Feed.start();
  rival = new Client(feed.postgres.url);
  await rival.connect();
});
afterAll(async () => {
  await rival.end();
  await feed.stop();
});
beforeEach(() => feed.reset());

const name = (text: string): PetName => known(PetName.parse(text));
const change = (id: PetId, patch: PetPatch): Promise<Pet | undefined> =>
  feed.database.pets.change(id, (pet) => patchPet(pet, patch));
const find = (id: PetId): Promise<Pet | undefined> => new StoredPets(feed.database.pets).find(id);
const types = async (): Promise<string[]> => (await feed.expectLaws()).map(({ type }) => type);

/** Resolves when so many wait for a lock. */
const waiting = (count: number): Promise<void> =>
  soon(async () => {
    const sessions = await feed.count("pg_stat_activity where wait_event_type = 'Lock'");
    expect(sessions).toBe(count);
  });

/** Renames an animal in a process of its own, and returns when that is committed: whoever calls it does nothing else. */
function renameMeanwhile(id: PetId, to: string): void {
  const script = `
    import { execFileSync } from 'node:child_process';
import { Client } from 'pg';
    const client = new Client(process.argv[1]);
    await client.connect();
    await client.query('update pets set name = $1 where id = $2', process.argv.slice(2));
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script, feed.postgres.url, to, id]);
}

describe('a change', () => {
  it('gives the animal as it is afterwards, and one event with the old values', async () => {
    const pet = await feed.database.pets.add(rex);
    const patch = { name: name('"\\ Ä 🐕'), categoryId: known(CategoryId.parse('9007199254740993')) };
    expect(await change(pet.id, patch)).toEqual({ ...pet, ...patch });
    expect(await find(pet.id)).toEqual({ ...pet, ...patch });
    const [, event] = await feed.expectLaws();
    expect(event).toMatchObject({
      type: 'pet.updated',
      data: { pet: { ...pet, ...patch }, previous: { name: 'Rex', categoryId: '1' } },
    });
    expect(event?.data.previous).not.toHaveProperty('status');
  });

  it('that changes nothing writes nothing', async () => {
    const pet = await feed.database.pets.add(rex);
    expect(await change(pet.id, { status: 'available' })).toEqual(pet);
    expect(await types()).toEqual(['pet.created']);
  });

  it('of nobody is none', async () => {
    expect(await change(nobody, { status: 'sold' })).toBeUndefined();
    expect(await feed.database.pets.remove(nobody)).toBe(false);
    expect(await types()).toEqual([]);
  });

  it('fails as its decision does, and changes nothing', async () => {
    const pet = await feed.database.pets.add(rex);
    const refusal = new Error('no');
    const refuse = (): never => {
      throw refusal;
    };
    await expect(feed.database.pets.change(pet.id, refuse)).rejects.toBe(refusal);
    await expect(feed.database.pets.remove(pet.id, refuse)).rejects.toBe(refusal);
    expect(await types()).toEqual(['pet.created']);
  });

  it.each([1, 2, 3])('is decided anew each of %d times that another one was faster', async (times) => {
    const pet = await feed.database.pets.add(rex);
    const seen: string[] = [];
    const changed = await feed.database.pets.change(pet.id, (current) => {
      if (seen.push(current.name) <= times) renameMeanwhile(pet.id, `rival ${seen.length}`);
      return { ...current, status: 'sold' };
    });
    const names = Array.from({ length: times }, (_, n) => `rival ${n + 1}`);
    expect(seen).toEqual(['Rex', ...names]);
    expect(changed).toEqual({ ...pet, name: names.at(-1), status: 'sold' });
    await feed.drain();
    const updates = (await feed.events()).filter(({ type }) => type === 'pet.updated');
    expect(updates.map(({ data }) => data)).toEqual([{ pet: changed, previous: { status: 'available' } }]);
  });

  it('is refused when another one was faster and has removed the animal', async () => {
    const pet = await feed.database.pets.add(rex);
    await rival.query('begin');
    await rival.query('delete from pets where id = $1', [pet.id]);
    const changed = change(pet.id, { status: 'sold' });
    await waiting(1);
    await rival.query('commit');
    expect(await changed).toBeUndefined();
    await feed.drain();
    expect((await feed.events()).map(({ type }) => type)).toEqual(['pet.created']);
  });
});

describe('many at once on one animal', () => {
  it('all succeed, each with one event that tells of the state before it', async () => {
    const pet = await feed.database.pets.add(rex);
    const names = Array.from({ length: 64 }, (_, n) => name(`Rex ${n}`));
    const changed = await Promise.all(names.map((each) => change(pet.id, { name: each })));
    expect(changed.map((each) => each?.name)).toEqual(names);
    const events = await feed.expectLaws();
    const updates = events.filter(({ type }) => type === 'pet.updated').map(({ data }) => data);
    expect(updates.map(({ pet: after }) => after.name).sort()).toEqual([...names].sort());
    expect(updates.map(({ previous }) => previous?.name)).toEqual([
      'Rex',
      ...updates.slice(0, -1).map(({ pet: after }) => after.name),
    ]);
  });

  it('succeed up to its removal, after which there is nothing to change', async () => {
    const pet = await feed.database.pets.add(rex);
    const changes = Array.from({ length: 20 }, (_, n) => change(pet.id, { name: name(`Rex ${n}`) }));
    const removals = [0, 1, 2].map(() => feed.database.pets.remove(pet.id));
    changes.push(...Array.from({ length: 20 }, (_, n) => change(pet.id, { name: name(`Late ${n}`) })));
    expect((await Promise.all(removals)).filter(Boolean)).toHaveLength(1);
    const made = (await Promise.all(changes)).filter((each) => each !== undefined).length;
    const told = await types();
    expect(told.filter((type) => type === 'pet.updated')).toHaveLength(made);
    expect(told.at(-1)).toBe('pet.deleted');
  });
});

describe('a creation', () => {
  it('has its event in the transaction of its Idempotency-Key, once', async () => {
    const key = { caller: 'a', token: 'once' };
    await Promise.all([1, 2, 3].map(() => addOnce(feed.database, rex, key).catch(() => undefined)));
    await addOnce(feed.database, rex, key);
    expect(await types()).toEqual(['pet.created']);
  });

  it('that is not carried out has none', async () => {
    const failed = feed.database.unitOfWork.run(async (transaction) => {
      await feed.database.pets.add(rex, transaction);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await types()).toEqual([]);
  });

  it('has an event of its own animal among many that are added at once, also when one is refused', async () => {
    const names = Array.from({ length: 250 }, (_, n) => name(`"\\ {,} ${n}`));
    const refused = { ...rex, categoryId: '0' as CategoryId };
    const additions = names.map((each) => feed.database.pets.add({ ...rex, name: each }));
    await expect(feed.database.pets.add(refused)).rejects.toMatchObject({ code: '23514' });
    const added = await Promise.all(additions);
    const told = (await feed.expectLaws()).map(({ data }) => data.pet);
    expect(told).toHaveLength(added.length);
    expect(told).toEqual(expect.arrayContaining(added));
  });
});

describe('a removal', () => {
  it('takes the animal away for ever, with one event of its last state', async () => {
    const pet = await feed.database.pets.add(rex);
    await change(pet.id, { status: 'sold' });
    expect(await feed.database.pets.remove(pet.id)).toBe(true);
    expect(await feed.database.pets.remove(pet.id)).toBe(false);
    expect(await find(pet.id)).toBeUndefined();
    expect(await types()).toEqual(['pet.created', 'pet.updated', 'pet.deleted']);
    expect(BigInt((await feed.database.pets.add(rex)).id)).toBeGreaterThan(BigInt(pet.id));
  });
});
