import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runService, type RunningService } from '../support/running-service.js';
import { Assistant } from './assistant.js';

let running: RunningService;
let assistant: Assistant;

beforeAll(async () => {
  running = await runService();
  assistant = new Assistant(await running.client());
});
afterAll(() => running.close());

type Told = Readonly<Record<string, unknown>>;

let lastCategory = 100;
/** A category that no other test uses. */
const aCategory = (): string => String(++lastCategory);
const add = (given: object): Promise<Told> =>
  assistant.use('add_animal', { name: 'Rex', status: 'available', ...given });

describe('search_animals', () => {
  const names = ({ animals }: Told): string[] => (animals as Told[]).map(({ name }) => String(name));

  it('matches what is known of animals', async () => {
    const category_id = aCategory();
    const each = (name: string, given: object): Promise<Told> => add({ name, category_id, ...given });
    await each('A', {
      species: 'Dog',
      breeds: ['Poodle', 'Labrador'],
      sex: 'male',
      description: 'Calm.\nLoves WATER',
    });
    await each('B', { species: 'dog', good_with_cats: false, size: 'large' });
    await each('C', { species: 'cat', good_with_cats: true, age_group: 'senior' });
    await each('calm one', {});
    await each('E', { species: 'dog', status: 'pending' });
    for (const [given, expected] of [
      [{}, ['calm one', 'C', 'B', 'A']],
      [{ status: 'pending' }, ['E']],
      [{ status: 'sold' }, []],
      [{ species: 'DOG' }, ['B', 'A']],
      [{ species: 'do' }, []],
      [{ breed: 'labrador' }, ['A']],
      [{ breed: 'labra' }, []],
      [{ sex: 'male' }, ['A']],
      [{ size: 'large' }, ['B']],
      [{ age_group: 'senior' }, ['C']],
      [{ good_with_cats: true }, ['C']],
      [{ good_with_cats: false }, ['B']],
      [{ good_with_dogs: false }, []],
      [{ text: 'calm' }, ['calm one', 'A']],
      [{ text: 'water' }, ['A']],
      [{ species: 'dog', text: 'water' }, ['A']],
    ] as const)
      expect([given, names(await assistant.use('search_animals', { category_id, ...given }))]).toEqual([
        given,
        expected,
      ]);
  });

  it('goes on where it stopped, with the same filters only, and says how many it has looked at', async () => {
    const category_id = aCategory();
    for (let n = 1; n <= 7; n++)
      await add({ name: `N${n}`, category_id, sex: n % 2 === 0 ? 'male' : 'female' });
    const search = (given: object): Promise<Told> =>
      assistant.use('search_animals', { category_id, ...given });
    const first = await search({ sex: 'male', limit: 2 });
    expect([names(first), first['scanned']]).toEqual([['N6', 'N4'], 4]);
    const cursor = String(first['next_cursor']);
    const second = await search({ sex: 'male', limit: 50, cursor });
    expect([names(second), second['scanned'], 'next_cursor' in second]).toEqual([['N2'], 3, false]);
    const page = await search({ limit: 3 });
    expect([names(page), page['scanned']]).toEqual([['N7', 'N6', 'N5'], 3]);
    // Exactly as many as there are: there is nothing more.
    expect(await search({ limit: 7 })).not.toHaveProperty('next_cursor');
    for (const given of [
      { cursor },
      { sex: 'female', cursor },
      { sex: 'male', category_id: aCategory(), cursor },
      { sex: 'male', status: 'pending', cursor },
      { sex: 'male', cursor: `${cursor}0` },
      { sex: 'male', cursor: 'x' },
      { sex: 'male', cursor: '' },
    ])
      expect(await assistant.refused('search_animals', { category_id, ...given })).toMatch(
        /^invalid_cursor: .*without cursor\.$/,
      );
    expect(names(await search({ sex: 'male', status: 'available', limit: 1, cursor }))).toEqual(['N2']);
  });

  it('looks at 500 animals a call at most', async () => {
    const category_id = aCategory();
    await running.database.dataSource.query(
      `insert into pets (name, category_id, status) select 'Many', $1, 'available' from generate_series(1, 520)`,
      [category_id],
    );
    const first = await assistant.use('search_animals', { category_id, species: 'dodo' });
    expect(first).toEqual({ animals: [], scanned: 500, next_cursor: expect.any(String) });
    const { next_cursor: cursor } = first;
    expect(await assistant.use('search_animals', { category_id, species: 'dodo', cursor })).toEqual({
      animals: [],
      scanned: 20,
    });
    const all = await assistant.use('search_animals', { category_id, limit: 50 });
    expect([names(all).length, all['scanned']]).toEqual([50, 50]);
  });

  it.each([{ limit: 0 }, { limit: 51 }, { limit: '10' }, { limit: 1.5 }, { sex: 'x' }, { text: '' }])(
    'refuses %j',
    async (given) => {
      const [name = ''] = Object.keys(given);
      expect(await assistant.refused('search_animals', given)).toContain(`${name} must be`);
    },
  );
});
