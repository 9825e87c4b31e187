import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Category, CategoryId, CategoryName, type CategoryPage } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { outcomeOf, Shop, tally } from './shop.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

const idOf = (text: string | number): CategoryId => known(CategoryId.parse(String(text)));
const nameOf = (text: string): CategoryName => known(CategoryName.parse(text));
const anything = (): void => undefined;
const add = (name: string): Promise<Category> => shop.feed.database.categories.add(nameOf(name));
const put = (id: string | number, name: string, check: (current: Category | undefined) => void = anything) =>
  shop.feed.database.categories.put({ id: idOf(id), name: nameOf(name) }, check);
const remove = (id: string | number, check = anything) =>
  shop.feed.database.categories.remove(idOf(id), check);
const listed = async (limit = 100): Promise<unknown> => {
  const { json } = await shop.feed.database.categories.list({ limit });
  return JSON.parse(Buffer.from(json).toString()) as unknown;
};
const told = async (): Promise<unknown[]> =>
  (await shop.events())
    .filter(({ type }) => type.startsWith('category'))
    .map(({ type, data }) => [type, data]);

describe('a new category', () => {
  it('has the next id, and is found and told of as it is', async () => {
    const dogs = await add('Dogs "\\ \u2028 🐕');
    expect(dogs).toEqual({ id: '1', name: 'Dogs "\\ \u2028 🐕' });
    const found = await shop.feed.database.categories.find(dogs.id);
    expect(JSON.parse(Buffer.from(found ?? []).toString())).toEqual({ id: 1, name: dogs.name });
    expect(await told()).toEqual([['category.created', { category: { id: 1, name: dogs.name } }]]);
    expect((await shop.eventTexts())[0]).toContain(`{"category":${Buffer.from(found ?? []).toString()}}`);
  });

  it('gets no id that an animal or a category has', async () => {
    await shop.feed.admin.query(
      `insert into pets (name, category_id, status) values ('Rex', 1, 'sold'), ('Mia', 2, 'sold'), ('Tom', 4, 'sold')`,
    );
    await put(3, 'Cats');
    expect((await add('Dogs')).id).toBe('5');
    expect(await listed()).toEqual([
      { id: 5, name: 'Dogs' },
      { id: 3, name: 'Cats' },
    ]);
    expect(await told()).toHaveLength(2);
  });

  it('is refused for now after a hundred ids, and the next try goes on behind them', async () => {
    await shop.feed.admin.query(
      `insert into pets (name, category_id, status) select 'Rex', n, 'sold' from generate_series(1, 150) n`,
    );
    expect(await outcomeOf(add('Dogs'))).toBe('StoreUnavailableError');
    expect(await listed()).toEqual([]);
    expect(await told()).toEqual([]);
    expect((await add('Dogs')).id).toBe('151');
  });

  it.each(['dogs', ' Dogs ', 'DOGS', 'Dogs\u00A0', 'Dogs\u3000'])(
    'cannot be called %j beside "Dogs"',
    async (name) => {
      await add('Dogs');
      expect(await outcomeOf(add(name))).toBe('CategoryNameTakenError');
      expect(await outcomeOf(put(9, name))).toBe('CategoryNameTakenError');
      expect(await told()).toHaveLength(1);
    },
  );

  it('of one name is made once by many who ask at once', async () => {
    const asked = Array.from({ length: 40 }, (_, n) =>
      outcomeOf(n % 2 === 0 ? add('Dogs') : put(1_000 + n, 'dogs')),
    );
    expect(tally(await Promise.all(asked))).toEqual({ ok: 1, CategoryNameTakenError: 39 });
    expect(await told()).toHaveLength(1);
  });
});

describe('naming an id', () => {
  it('makes the category, renames it, or leaves it as it is', async () => {
    expect(await put('9223372036854775807', 'Dogs')).toBe('created');
    expect(await put('9223372036854775807', 'Dogs')).toBe('unchanged');
    expect(await put('9223372036854775807', 'DOGS')).toBe('renamed');
    const { json } = await shop.feed.database.categories.list({ limit: 1 });
    expect(Buffer.from(json).toString()).toBe('[{"id":9223372036854775807,"name":"DOGS"}]');
    expect(
      (await shop.eventTexts()).map((text) => /"type":"([^"]+)".*"data":(.*)}$/.exec(text)?.slice(1)),
    ).toEqual([
      ['category.created', '{"category":{"id":9223372036854775807,"name":"Dogs"}}'],
      [
        'category.updated',
        '{"category":{"id":9223372036854775807,"name":"DOGS"},"previous":{"name":"Dogs"}}',
      ],
    ]);
  });

  it('by many at once makes it once', async () => {
    for (let round = 1; round <= 20; round++) {
      const results = await Promise.all(Array.from({ length: 8 }, () => put(round, `Kind ${round}`)));
      expect(tally(results)).toEqual({ created: 1, unchanged: 7 });
    }
    expect(await told()).toHaveLength(20);
  });

  it('by many at once with other names tells each name once, in the order in which they came to be', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, (_, n) => put(1, `Name ${n}`)));
    expect(tally(results)).toEqual({ created: 1, renamed: 29 });
    const events = (await told()) as [string, { category: { name: string }; previous?: { name: string } }][];
    for (const [at, [, { previous }]] of events.entries())
      expect(previous?.name).toBe(events[at - 1]?.[1].category.name);
  });

  it('asks for its precondition whenever the category was made by another one meanwhile', async () => {
    const onlyNew = (current: Category | undefined): void => {
      if (current !== undefined) throw new RangeError('there is one');
    };
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) => outcomeOf(put(1, `Name ${n}`, onlyNew))),
    );
    expect(tally(results)).toEqual({ ok: 1, RangeError: 9 });
    expect(await told()).toHaveLength(1);
  });

  it('lets two that would swap their names both keep them', async () => {
    await put(1, 'Dogs');
    await put(2, 'Cats');
    for (let round = 0; round < 20; round++) {
      const both = await Promise.all([outcomeOf(put(1, 'Cats')), outcomeOf(put(2, 'Dogs'))]);
      expect(both).toEqual(['CategoryNameTakenError', 'CategoryNameTakenError']);
    }
  });
});

describe('removal', () => {
  it('tells the last state once', async () => {
    await put(7, 'Dogs');
    expect(tally(await Promise.all(Array.from({ length: 6 }, () => remove(7).then(String))))).toEqual({
      true: 1,
      false: 5,
    });
    expect((await told()).at(-1)).toEqual(['category.deleted', { category: { id: 7, name: 'Dogs' } }]);
    expect(await shop.feed.database.categories.find(idOf(7))).toBeUndefined();
    expect(await put(7, 'Dogs')).toBe('created');
  });

  it('is refused while an animal has it, and not after that', async () => {
    await put(7, 'Dogs');
    const pet = await shop.pet('sold');
    expect(await outcomeOf(remove(7))).toBe('CategoryInUseError');
    await shop.feed.database.pets.remove(pet.id);
    expect(await remove(7)).toBe(true);
  });

  it('asks for its precondition first', async () => {
    await put(7, 'Dogs');
    await shop.pet();
    const refuse = (): void => {
      throw new RangeError('no');
    };
    expect(await outcomeOf(remove(7, refuse))).toBe('RangeError');
  });

  it('against naming leaves one of the two', async () => {
    for (let round = 0; round < 20; round++) {
      await put(7, 'Dogs');
      const [, outcome] = await Promise.all([remove(7), put(7, 'Hounds')]);
      expect(await listed()).toEqual(outcome === 'created' ? [{ id: 7, name: 'Hounds' }] : []);
    }
    await shop.feed.drain();
  });
});

it('lists categories with the greatest id first, page by page', async () => {
  for (let n = 1; n <= 7; n++) await put(n * 100, `Kind ${n}`);
  const seen: number[] = [];
  for (let before: CategoryPage['last'], more = true; more;) {
    const page = await shop.feed.database.categories.list({ limit: 3, before });
    seen.push(...(JSON.parse(Buffer.from(page.json).toString()) as { id: number }[]).map(({ id }) => id));
    ({ more, last: before } = page);
  }
  expect(seen).toEqual([700, 600, 500, 400, 300, 200, 100]);
});
