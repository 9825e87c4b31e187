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
/** Names of what is found. */
const foundBy = ({ animals }: Told): readonly unknown[] => animals.map(({ name }) => name);

describe('search_animals', () => {
  it('finds by what is known of animals', async () => {
    const category_id = await categoryOf(
      {
        ...{ name: 'A', species: 'Dog', breeds: ['Poodle', 'Labrador'] },
        ...{ sex: 'male', description: 'Calm.\nLoves WATER' },
      },
      { name: 'B', species: 'dog', good_with_cats: false, size: 'large', mixed_breed: false },
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
      [{ sex: ['male'], size: ['large', 'small'] }, []],
      [{ size: ['large', 'small'], mixed_breed: false }, ['B']],
      [{ good_with: ['cats'] }, ['C']],
      [{ good_with: 'cats' }, ['C']],
      [{ good_with: ['cats', 'dogs'] }, []],
      [{ name: 'calm' }, ['calm one']],
      [{ text: 'calm' }, ['A']],
      [{ text: 'wat' }, ['A']],
      [{ species: 'dog', text: 'water' }, ['A']],
    ] as const) {
      const names = foundBy(await assistant.use('search_animals', { category_id, ...given }));
      expect([given, names]).toEqual([given, expected]);
    }
  });

  it('goes on where it stopped, with the same filters only', async () => {
    const animals = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      name: `N${n}`,
      sex: n % 2 === 0 ? 'male' : 'female',
    }));
    const category_id = await categoryOf(...animals);
    const search = (given: object): Promise<Told> =>
      assistant.use('search_animals', { category_id, ...given });
    const first = await search({ sex: 'male', limit: 2 });
    expect(foundBy(first)).toEqual(['N6', 'N4']);
    const { next_cursor: cursor = '' } = first;
    const second = await search({ sex: 'male', limit: 50, cursor });
    expect([foundBy(second), second.next_cursor]).toEqual([['N2'], undefined]);
    expect(foundBy(await search({ limit: 3 }))).toEqual(['N7', 'N6', 'N5']);
    const usual = await search({ sex: 'male', status: 'available', limit: 1, cursor });
    expect(foundBy(usual)).toEqual(['N2']);
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

  it('shows when animals were added, and the first 300 characters of a description', async () => {
    const description = `Loves${' 🐕'.repeat(400)}`;
    const category_id = await categoryOf({ description });
    const { animals } = await assistant.use('search_animals', { category_id });
    const shown = Array.from(description).slice(0, 300).join('');
    expect(animals).toEqual([
      expect.objectContaining({ description: shown, created_at: expect.any(String) }),
    ]);
    const whole = await assistant.use('get_animal', { animal_id: animals[0]?.id });
    expect(whole).toEqual({ ...animals[0], description });
  });

  it('refuses what it has no argument for, and says what there is', async () => {
    const refusal = await assistant.refused('search_animals', { good_with_children: true });
    expect(refusal).toMatch(/"good_with_children" is no argument of this tool.* good_with,/);
  });

  it.each([
    ...[{ limit: 0 }, { limit: 51 }, { limit: '10' }, { limit: 1.5 }, { sex: 'x' }, { text: '' }],
    ...[
      { sex: [] },
      { sex: ['male', 'male'] },
      { good_with: ['birds'] },
      { vaccinated: 'true' },
      { name: '-' },
    ],
  ])('refuses %j', async (given) => {
    const [name = ''] = Object.keys(given);
    expect(await assistant.refused('search_animals', given)).toContain(`${name} must be`);
  });
});
