import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CategoryId, NewPet, Pet, PetName } from '@petstore/pet-domain';
import { Client } from 'pg';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { type Database, openDatabase } from '../src/database/database.js';
import { PET_WRITES } from '../src/pet/pet-write-statements.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { Feed } from './feed.js';
import { explain } from './query-plan.js';
import { rex } from './questions.js';

let feed: Feed;
let second: Database;
let rival: Client;

beforeAll(async () => {
  feed = await Feed.start();
  second = await openDatabase({ url: feed.postgres.url });
  rival = new Client(feed.postgres.url);
  await rival.connect();
});
afterAll(async () => {
  await rival.end();
  await second.close();
  await feed.stop();
});
beforeEach(() => feed.reset());

const add = (count: number): Promise<Pet[]> =>
  Promise.all(Array.from({ length: count }, () => feed.database.pets.add(rex)));
const change = ({ pets }: Database, { id }: Pet, to: Partial<NewPet>): Promise<Pet | undefined> =>
  pets.change(id, (pet) => ({ ...pet, ...to }));
const renamed = (n: number): Partial<NewPet> => ({ name: `"\\ {,} Ä 🐕 ${n}` as PetName });

describe('changes of many animals at once', () => {
  it('are each made as if alone, in few transactions, with one event each', async () => {
    const pets = await add(250);
    const changed = await Promise.all(pets.map((pet, n) => change(feed.database, pet, renamed(n))));
    expect(changed).toEqual(pets.map((pet, n) => ({ ...pet, ...renamed(n) })));
    const { rows } = await feed.admin.query(
      'select count(distinct xmin::text)::int as transactions from pets',
    );
    expect((rows as { transactions: number }[])[0]?.transactions).toBeLessThan(50);
    const told = (await feed.expectLaws()).filter(({ type }) => type === 'pet.updated');
    expect(told.map(({ data }) => data.previous)).toEqual(pets.map(() => ({ name: 'Rex' })));
    expect(told.map(({ data }) => data.pet)).toEqual(expect.arrayContaining(changed));
  });

  it('do not wait with the one whose animal somebody else has locked, which is decided anew', async () => {
    const [locked, ...others] = (await add(20)) as [Pet, ...Pet[]];
    await rival.query('begin');
    await rival.query("update pets set status = 'pending' where id = $1", [locked.id]);
    let isOver = false;
    const last = change(feed.database, locked, renamed(0)).finally(() => (isOver = true));
    const changed = await Promise.all(others.map((pet) => change(feed.database, pet, renamed(1))));
    expect(changed).toEqual(others.map((pet) => ({ ...pet, ...renamed(1) })));
    expect(isOver).toBe(false);
    await rival.query('commit');
    expect(await last).toEqual({ ...locked, ...renamed(0), status: 'pending' });
  });

  it('are made although the database refuses one of them', async () => {
    const [refused, ...others] = (await add(20)) as [Pet, ...Pet[]];
    const refusal = change(feed.database, refused, { categoryId: '0' as CategoryId });
    const changes = others.map((pet) => change(feed.database, pet, renamed(1)));
    await expect(refusal).rejects.toMatchObject({ code: '23514' });
    expect(await Promise.all(changes)).toEqual(others.map((pet) => ({ ...pet, ...renamed(1) })));
    await feed.expectLaws();
  });

  it('never wait for each other for ever, in whichever order two instances make them', async () => {
    const pets = await add(40);
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        ...pets.map((pet) => change(feed.database, pet, renamed(round))),
        ...pets.toReversed().map((pet) => change(second, pet, { categoryId: `${round + 1}` as CategoryId })),
      ]);
    }
    const events = await feed.expectLaws();
    expect(events.filter(({ type }) => type === 'pet.updated')).toHaveLength(2 * 20 * 40);
  });
});

describe.each([
  ['an empty table', 0],
  ['a long table', 30_000],
])('in %s', (_what, count) => {
  it('animals are changed and removed by their key', async () => {
    await feed.admin.query(
      `insert into pets (name, category_id, status) select 'Pet', 7, 'sold' from generate_series(1, $1::int)`,
      [count],
    );
    const session = await openClient(
      { connectionString: feed.postgres.url },
      5_000,
      prepareSession(PET_WRITES),
    );
    const data = '{"pet":{}}';
    const executions = [
      ['pets_change', ['{1}', '{Max}', '{7}', '{sold}', '{4711}', '{data}']],
      ['pets_change_one', ['1', '4711', 'Max', '7', 'sold', data]],
      ['pets_remove', ['1', '4711', data]],
    ] as const;
    for (const [name, values] of executions) {
      const plan = await explain(session, [{ name }, values], 'costs off');
      const scans = plan.filter(
        (node) => node['Relation Name'] === 'pets' && node['Node Type'].endsWith('Scan'),
      );
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) expect(scan['Index Name']).toBe('pets_pkey');
    }
    await endClient(session);
  });
});
