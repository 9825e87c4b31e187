import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Category, CategoryEvent, CategoryId, CategoryName, type CategoryPage } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';
import { outcomeOf, tally } from './outcomes.js';
import { rexOf } from './questions.js';
import { Stores } from './stores.js';

let feed: Feed;
/** Of another process. */
let other: Stores;

beforeAll(async () => {
  // On a busy machine requests wait longer than they may.
  const answerTimeoutMs = 20_000;
  feed = await Feed.start({ answerTimeoutMs });
  other = await Stores.open({ url: feed.postgres.url, answerTimeoutMs });
});
afterAll(async () => {
  await other.close();
  await feed.stop();
});
beforeEach(async () => {
  await feed.admin.query('truncate categories restart identity');
  await feed.reset();
});

const idOf = (id: string | number): CategoryId => known(CategoryId.parse(String(id)));
const nameOf = (name: string): CategoryName => known(CategoryName.parse(name));

const add = (name: string, stores = feed.stores): Promise<Category> =>
  stores.unitOfWork.run(async (tx) => {
    const category = await tx.categories.insertWithNextId(nameOf(name));
    tx.emit(CategoryEvent.created(category));
    return category;
  });

/** Makes or renames a category, as the service does; requests of one process would be serialized. */
const put = (id: string | number, name: string, stores = feed.stores): Promise<string> =>
  stores.unitOfWork.run(async (tx) => {
    const current = await tx.categories.lock(idOf(id));
    if (current === undefined) {
      const category = new Category(idOf(id), nameOf(name));
      await tx.categories.insert(category);
      tx.emit(CategoryEvent.created(category));
      return 'created';
    }
    const previous = current.rename(nameOf(name));
    if (previous === undefined) return 'unchanged';
    await tx.categories.update(current);
    tx.emit(CategoryEvent.updated(current, previous));
    return 'renamed';
  });

const remove = (id: string | number): Promise<string> =>
  feed.stores.unitOfWork.run(async (tx) => {
    const category = await tx.categories.lock(idOf(id));
    if (category === undefined) return 'missing';
    category.requireRemovable(await tx.categories.isInUse(category));
    await tx.categories.delete(category);
    tx.emit(CategoryEvent.deleted(category));
    return 'removed';
  });

const listed = async (): Promise<string> => (await feed.stores.categories.list({ limit: 100 })).json;
/** Type and data of the events that were written, in their order. */
const events = async (): Promise<[string, string][]> => {
  const { rows } = await feed.admin.query<{ type: string; data: string }>(
    `select type, data from outbox where resource = 'category' order by id`,
  );
  return rows.map(({ type, data }) => [type, data]);
};
/** Adds pets of these categories. */
const usePets = (ids: string): Promise<unknown> =>
  feed.admin.query(
    `insert into pets (name, category_id, status) select 'Rex', id, 'sold' from ${ids} as ids (id)`,
  );

describe('a new category', () => {
  it('has the next id, is read as it was given, and has one event', async () => {
    const dogs = await add('Dogs "\\ \u2028 🐕');
    expect(dogs).toEqual({ id: '1', name: 'Dogs "\\ \u2028 🐕' });
    const json = '{"id":1,"name":"Dogs \\"\\\\ \u2028 🐕"}';
    expect(await feed.stores.categories.find(dogs.id)).toBe(json);
    expect(await events()).toEqual([['category.created', `{"category":${json}}`]]);
  });

  it('has no id of a pet or of another category', async () => {
    await usePets('unnest(array[1, 2, 4])');
    await put(3, 'Cats');
    expect((await add('Dogs')).id).toBe('5');
    expect(await listed()).toBe('[{"id":5,"name":"Dogs"},{"id":3,"name":"Cats"}]');
    expect(await events()).toHaveLength(2);
  });

  it('is refused for now after a hundred ids, and the next attempt goes on behind them', async () => {
    await usePets('generate_series(1, 150)');
    expect(await outcomeOf(add('Dogs'))).toBe('StoreUnavailableError');
    expect([await listed(), await events()]).toEqual(['[]', []]);
    expect((await add('Dogs')).id).toBe('151');
  });

  it.each(['dogs', ' Dogs ', 'Dogs\u00A0', 'Dogs\u3000'])('is not called %j beside "Dogs"', async (name) => {
    await add('Dogs');
    await put(8, 'Cats');
    for (const work of [add(name), put(9, name), put(8, name)])
      expect(await outcomeOf(work)).toBe('CategoryNameTakenError');
    expect(await events()).toHaveLength(2);
  });

  it('of one name is added once by many requests at once', async () => {
    const requests = Array.from({ length: 40 }, (_, n) => {
      const stores = n % 3 === 0 ? other : feed.stores;
      return outcomeOf(n % 2 === 0 ? add('Dogs', stores) : put(1_000 + n, 'dogs', stores));
    });
    expect(tally(await Promise.all(requests))).toEqual({ ok: 1, CategoryNameTakenError: 39 });
    expect(await events()).toHaveLength(1);
  });
});

describe('a category that is put', () => {
  it('is added, left as it is, or renamed', async () => {
    const id = '9223372036854775807';
    for (const [name, outcome] of [
      ['Dogs', 'created'],
      ['Dogs', 'unchanged'],
      ['DOGS', 'renamed'],
    ] as const)
      expect(await put(id, name)).toBe(outcome);
    expect(await listed()).toBe(`[{"id":${id},"name":"DOGS"}]`);
    expect(await events()).toEqual([
      ['category.created', `{"category":{"id":${id},"name":"Dogs"}}`],
      ['category.updated', `{"category":{"id":${id},"name":"DOGS"},"previous":{"name":"Dogs"}}`],
    ]);
  });

  it('under one id by two processes at once is added once', async () => {
    for (let id = 1; id <= 20; id++) {
      const requests = Array.from({ length: 8 }, (_, n) =>
        put(id, `Kind ${id}`, n % 2 === 0 ? other : feed.stores),
      );
      expect(tally(await Promise.all(requests))).toEqual({ created: 1, unchanged: 7 });
    }
    expect(await events()).toHaveLength(20);
  });

  it('under other names at once has an event for each name, in the order of the changes', async () => {
    const requests = Array.from({ length: 12 }, (_, n) =>
      put(1, `Name ${n}`, n % 2 === 0 ? other : feed.stores),
    );
    expect(tally(await Promise.all(requests))).toEqual({ created: 1, renamed: 11 });
    const data = (await events()).map(([, text]) => JSON.parse(text) as Record<string, { name: string }>);
    expect(data.slice(1).map(({ previous }) => previous?.name)).toEqual(
      data.slice(0, -1).map(({ category }) => category?.name),
    );
  });

  it('keeps its name when two would exchange theirs, without waiting for each other', async () => {
    await put(1, 'Dogs');
    await put(2, 'Cats');
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.all([outcomeOf(put(1, 'Cats')), outcomeOf(put(2, 'Dogs', other))]);
      expect(outcomes).toEqual(['CategoryNameTakenError', 'CategoryNameTakenError']);
    }
    const { rows } = await feed.admin.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
  });
});

describe('removal', () => {
  it('is done once, with the last state in its event, and the id can be used again', async () => {
    await put(7, 'Dogs');
    expect(tally(await Promise.all(Array.from({ length: 6 }, () => remove(7))))).toEqual({
      removed: 1,
      missing: 5,
    });
    expect((await events()).at(-1)).toEqual(['category.deleted', '{"category":{"id":7,"name":"Dogs"}}']);
    expect(await feed.stores.categories.find(idOf(7))).toBeUndefined();
    expect(await put(7, 'Dogs')).toBe('created');
  });

  it('is refused while a pet has the category', async () => {
    await put(7, 'Dogs');
    const { id } = await feed.stores.pets.create(rexOf('7'));
    expect(await outcomeOf(remove(7))).toBe('CategoryInUseError');
    await feed.admin.query('delete from pets where id = $1', [id]);
    expect(await remove(7)).toBe('removed');
  });

  it('at the same time as a new name leaves what was done last', async () => {
    for (let round = 0; round < 20; round++) {
      await put(7, 'Dogs');
      const [, outcome] = await Promise.all([remove(7), put(7, 'Hounds', other)]);
      expect(await listed()).toBe(outcome === 'created' ? '[{"id":7,"name":"Hounds"}]' : '[]');
    }
  });
});

it('lists categories page by page, the greatest id first, to the digit', async () => {
  const ids = ['9223372036854775807', '9223372036854775806', '9007199254740993', '500', '400', '2', '1'];
  for (const [at, id] of ids.entries()) await put(id, `Kind ${at}`);
  const seen: string[] = [];
  for (let before: CategoryPage['last'], more = true; more;) {
    const page: CategoryPage = await feed.stores.categories.list({ limit: 3, before });
    seen.push(...Array.from(page.json.matchAll(/"id":(\d+)/g), ([, id = '']) => id));
    ({ more, last: before } = page);
  }
  expect(seen).toEqual(ids);
});
