import { beforeAll, describe, expect, it } from '@jest/globals';
import { Category, CategoryEvent, CategoryName } from '@petstore/pet-domain';
import { CategoryRepository } from '../src/categories/category.repository.js';
import { known } from '../src/testing/known.js';
import { outcomeOf, tally } from './outcomes.js';
import { categoryOf } from './pet-actions.js';
import type { Stores } from './stores.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();
/** Of another process; requests of one process would be serialized. */
let other: Stores;
beforeAll(async () => {
  other = await db.open();
});

const nameOf = (name: string): CategoryName => known(CategoryName.parse(name));
/** Every second request comes to the other process. */
const storesOf = (n: number): Stores => (n % 2 === 0 ? other : db.stores);

const add = (name: string, stores = db.stores): Promise<Category> =>
  stores.unitOfWork.run(async (tx) => {
    const category = await tx.of(CategoryRepository).insertWithNextId(nameOf(name));
    tx.emit(CategoryEvent.created(category));
    return category;
  });

/** Makes or renames a category, as the service does. */
const put = (id: number, name: string, stores = db.stores): Promise<string> =>
  stores.unitOfWork.run(async (tx) => {
    const categories = tx.of(CategoryRepository);
    const current = await categories.lock(categoryOf(id));
    if (current === undefined) {
      const category = new Category(categoryOf(id), nameOf(name));
      await categories.insert(category);
      tx.emit(CategoryEvent.created(category));
      return 'created';
    }
    const previous = current.rename(nameOf(name));
    if (previous === undefined) return 'unchanged';
    await categories.update(current);
    tx.emit(CategoryEvent.updated(current, previous));
    return 'renamed';
  });

const remove = (id: number): Promise<string> =>
  db.stores.unitOfWork.run(async (tx) => {
    const categories = tx.of(CategoryRepository);
    const category = await categories.lock(categoryOf(id));
    if (category === undefined) return 'missing';
    category.requireRemovable(await categories.isInUse(category));
    await categories.delete(category);
    tx.emit(CategoryEvent.deleted(category));
    return 'removed';
  });

const listed = async (): Promise<string> => {
  const { unitOfWork } = db.stores;
  return (await unitOfWork.read((from) => from.of(CategoryRepository).list({ limit: 100 }))).json;
};
/** Type and data of the events that were written, in their order. */
const events = (): Promise<readonly { type: string; data: string }[]> =>
  db.query(`select type, data from outbox where resource = 'category' order by id`);
/** Adds animals of these categories. */
const usePets = (ids: string): Promise<unknown> =>
  db.query(`insert into pets (name, category_id, status) select 'Rex', id, 'sold' from ${ids} as ids (id)`);

describe('a new category', () => {
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

  it('of one name is added once by many requests at once', async () => {
    const requests = Array.from({ length: 40 }, (_, n) =>
      outcomeOf(n % 3 === 0 ? add('Dogs', storesOf(n)) : put(1_000 + n, 'dogs', storesOf(n))),
    );
    expect(tally(await Promise.all(requests))).toEqual({ ok: 1, CategoryNameTakenError: 39 });
    expect(await events()).toHaveLength(1);
  });
});

describe('a category that is put', () => {
  it('under one id by two processes at once is added once', async () => {
    for (let id = 1; id <= 10; id++) {
      const requests = Array.from({ length: 8 }, (_, n) => put(id, `Kind ${id}`, storesOf(n)));
      expect(tally(await Promise.all(requests))).toEqual({ created: 1, unchanged: 7 });
    }
    expect(await events()).toHaveLength(10);
  });

  it('keeps its name when two would exchange theirs, without waiting for each other', async () => {
    await put(1, 'Dogs');
    await put(2, 'Cats');
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.all([outcomeOf(put(1, 'Cats')), outcomeOf(put(2, 'Dogs', other))]);
      expect(outcomes).toEqual(['CategoryNameTakenError', 'CategoryNameTakenError']);
    }
    expect(
      await db.query('select deadlocks from pg_stat_database where datname = current_database()'),
    ).toEqual([{ deadlocks: '0' }]);
  });
});

it('a removal at the same time as a new name leaves what was done last', async () => {
  for (let round = 0; round < 10; round++) {
    await put(7, 'Dogs');
    const [, outcome] = await Promise.all([remove(7), put(7, 'Hounds', other)]);
    expect(await listed()).toBe(outcome === 'created' ? '[{"id":7,"name":"Hounds"}]' : '[]');
  }
});
