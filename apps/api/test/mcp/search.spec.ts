import { afterAll, describe, expect, it } from '@jest/globals';
import { runService } from '../support/running-service.js';
import { Assistant, type Told } from './assistant.js';

const running = await runService();
afterAll(() => running.close());
const assistant = new Assistant(await running.client());

let lastCategory = 100;
/** A category that no other test uses, with these animals. */
async function categoryOf(...animals: readonly object[]): Promise<string> {
  const category_id = String(++lastCategory);
  for (const animal of animals)
    await assistant.use('add_animal', { category_id, name: 'Rex', status: 'available', ...animal });
  return category_id;
}
/** Names of what is found, and how many were looked at. */
const foundBy = ({ animals, scanned }: Told): readonly unknown[] => [
  animals.map(({ name }) => name),
  scanned,
];

describe('search_animals', () => {
  it('matches what is known of animals', async () => {
    const category_id = await categoryOf(
      {
        ...{ name: 'A', species: 'Dog', breeds: ['Poodle', 'Labrador'] },
        ...{ sex: 'male', description: 'Calm.\nLoves WATER' },
      },
      { name: 'B', species: 'dog', good_with_cats: false, size: 'large' },
      { name: 'C', species: 'cat', good_with_cats: true, age_group: 'senior' },
      { name: 'calm one' },
      { name: 'E', species: 'dog', status: 'pending' },
    );
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
    ] as const) {
      const [names] = foundBy(await assistant.use('search_animals', { category_id, ...given }));
      expect([given, names]).toEqual([given, expected]);
    }
  });

  it('goes on where it stopped, with the same filters only, and says how many it has looked at', async () => {
    const animals = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      name: `N${n}`,
      sex: n % 2 === 0 ? 'male' : 'female',
    }));
    const category_id = await categoryOf(...animals);
    const search = (given: object): Promise<Told> =>
      assistant.use('search_animals', { category_id, ...given });
    const first = await search({ sex: 'male', limit: 2 });
    expect(foundBy(first)).toEqual([['N6', 'N4'], 4]);
    const { next_cursor: cursor = '' } = first;
    const second = await search({ sex: 'male', limit: 50, cursor });
    expect([foundBy(second), second.next_cursor]).toEqual([[['N2'], 3], undefined]);
    expect(foundBy(await search({ limit: 3 }))).toEqual([['N7', 'N6', 'N5'], 3]);
    const usual = await search({ sex: 'male', status: 'available', limit: 1, cursor });
    expect(foundBy(usual)).toEqual([['N2'], 2]);
    // Exactly as many as there are: there is nothing more.
    expect(await search({ limit: 7 })).not.toHaveProperty('next_cursor');
    for (const given of [
      { cursor },
      { sex: 'female', cursor },
      { sex: 'male', category_id: '1', cursor },
      { sex: 'male', status: 'sold', cursor },
      { sex: 'male', cursor: `${cursor}1` },
      ...['made up', ''].map((wrong) => ({ cursor: wrong })),
    ])
      expect(await assistant.refused('search_animals', { category_id, ...given })).toMatch(
        /^invalid_cursor: .* Call the tool again without cursor\.$/,
      );
  });

  it('looks at 500 animals a call, and gives a cursor even when it has found none', async () => {
    const category_id = await categoryOf();
    await running.database.dataSource.query(
      `insert into pets (name, category_id, status) select 'Many', $1, 'available' from generate_series(1, 520)`,
      [category_id],
    );
    const search = (given: object): Promise<Told> =>
      assistant.use('search_animals', { category_id, ...given });
    const first = await search({ species: 'dodo' });
    expect(first).toEqual({ animals: [], scanned: 500, next_cursor: expect.any(String) });
    const rest = await search({ species: 'dodo', cursor: first.next_cursor });
    expect(rest).toEqual({ animals: [], scanned: 20 });
    const all = await search({ limit: 50 });
    expect([all.animals.length, all.scanned]).toEqual([50, 50]);
  });

  it.each([{ limit: 0 }, { limit: 51 }, { limit: '10' }, { limit: 1.5 }, { sex: 'x' }, { text: '' }])(
    'refuses %j',
    async (given) => {
      const [name = ''] = Object.keys(given);
      expect(await assistant.refused('search_animals', given)).toContain(`${name} must be`);
    },
  );
});
