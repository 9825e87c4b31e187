import { describe, expect, it } from '@jest/globals';
import { serveShared } from '../support/running-service.js';
import { Assistant, type Told } from './assistant.js';

const { client } = await serveShared();
const assistant = new Assistant(client);

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

// What is found: pets/search-model.spec.ts.
describe('search_animals', () => {
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
        /^invalid_cursor: .*category_id.* Call the tool again without cursor\.$/,
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
    expect(await assistant.refused('my_usage', { days: 1 })).toMatch(/"days" is no .*\. It takes none\. /);
  });

  it.each([{ limit: 51 }, { limit: '10' }, { sex: [] }, { sex: ['male', 'male'] }, { vaccinated: 'true' }])(
    'refuses %j',
    async (given) => {
      const [name = ''] = Object.keys(given);
      expect(await assistant.refused('search_animals', given)).toContain(`${name} must be`);
    },
  );
});
