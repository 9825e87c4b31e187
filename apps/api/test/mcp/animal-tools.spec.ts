import { describe, expect, it } from '@jest/globals';
import { serveShared } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Assistant, ERAS, type Told } from './assistant.js';
import { OVER_HTTP, PROFILE } from './profile.js';

const { client } = await serveShared();
const assistant = new Assistant(client);

let lastCategory = 100;
/** A category that no other test uses. */
const aCategory = (): string => String(++lastCategory);
const add = (given: object = {}): Promise<Told> =>
  assistant.use('add_animal', { name: 'Rex', category_id: aCategory(), status: 'available', ...given });
const now = async (): Promise<string> => (await assistant.use('list_changes')).position;
/** There have been these events since a position, and no others. */
async function expectEvents(after: string, ...expected: readonly string[]): Promise<void> {
  const types = async (): Promise<string[]> =>
    (await assistant.use('list_changes', { after })).changes.map(({ type }) => type);
  await until(async () => (await types()).length >= expected.length);
  expect(await types()).toEqual(expected);
}

describe('add_animal', () => {
  it('adds an animal and its profile in one, digit for digit, with the events of both', async () => {
    const position = await now();
    const own = { name: 'Rex', category_id: '9223372036854775807', status: 'available' };
    const told = await add({ ...own, ...PROFILE });
    const { id } = told;
    expect(told).toEqual({ id, ...own, created_at: expect.any(String), ...PROFILE });
    expect(Object.keys(told)).toEqual(['id', ...Object.keys(own), 'created_at', ...Object.keys(PROFILE)]);
    expect(JSON.parse((await client.get(`/v1/pets/${id}/profile`)).text)).toEqual(OVER_HTTP);
    expect((await client.get(`/v1/pets/${id}`)).text).toContain('"categoryId":9223372036854775807');
    expect(await assistant.use('get_animal', { animal_id: id })).toEqual(told);
    await expectEvents(position, 'pet.created', 'pet.profile_updated');
  });

  it('is pending unless told otherwise, and needs no profile', async () => {
    const position = await now();
    const { status } = await assistant.use('add_animal', { name: 'Mia', category_id: 3 });
    expect(status).toBe('pending');
    await expectEvents(position, 'pet.created');
  });

  it('is carried out once for a key, which is one namespace with HTTP', async () => {
    const category_id = aCategory();
    const given = { name: 'Once', category_id, status: 'sold', idempotency_key: 'once-1', species: 'cat' };
    const first = await assistant.use('add_animal', given);
    for (const era of ERAS) {
      const again = { ...given, category_id: Number(category_id) };
      expect(await new Assistant(client, era).use('add_animal', again)).toEqual(first);
    }
    const http = async (key: string): Promise<number> => {
      const headers = { 'Idempotency-Key': key };
      return (await client.post('/v1/pets', { name: 'x', categoryId: 1 }, { headers })).status;
    };
    expect([await http('once-1'), await http('once-2')]).toEqual([422, 201]);
    for (const [tool, other] of [
      ['add_animal', { ...given, species: 'dog' }],
      ['add_animal', { ...given, idempotency_key: 'once-2' }],
      ['place_order', { animal_id: '1', idempotency_key: 'once-1' }],
    ] as const)
      expect(await assistant.refused(tool, other)).toMatch(/^idempotency_key_reused: /);
    // The default status is part of what was asked.
    const pending = { name: 'P', category_id: '5', idempotency_key: 'once-3' };
    const added = await assistant.use('add_animal', pending);
    expect(await assistant.use('add_animal', { ...pending, status: 'pending' })).toEqual(added);
  });

  const photos = ['https://a.example/'];
  // What a value may be is the same as over HTTP.
  it.each<[named: string, given: object]>([
    ['name is missing', { name: undefined }],
    ['category_id', { category_id: '01' }],
    ['send it as a string', { category_id: 2 ** 53 }],
    ['"categoryId"', { categoryId: '5' }],
    ['adoption_fee_currency is missing', { adoption_fee_amount: '5' }],
    ['photo_descriptions', { photo_descriptions: ['x'] }],
    ['photo_descriptions[0]', { photos, photo_descriptions: ['\u0007'] }],
    [
      'description, photos and the rest must take at most 16 KiB',
      { description: '🐕'.repeat(4_000), breeds: ['é'.repeat(255), 'é'.repeat(255)] },
    ],
  ])('says what is wrong, and does nothing: %s of %j', async (named, given) => {
    const category_id = aCategory();
    const text = await assistant.refused('add_animal', { name: 'Ghost', category_id, ...given });
    expect(text).toMatch(/^validation_failed: .*\. Correct the arguments and call the tool again\.$/s);
    expect(text).toContain(named);
    expect(await assistant.use('search_animals', { category_id, status: 'pending' })).toMatchObject({
      animals: [],
    });
  });
});

describe('change_animal', () => {
  it('changes only what is given, in one transaction, the animal before its profile', async () => {
    const position = await now();
    const { id: animal_id, category_id } = await add(PROFILE);
    const change = (given: object): Promise<Told> => assistant.use('change_animal', { animal_id, ...given });
    const clear = ['good_with_children', 'adoption_fee_amount', 'adoption_fee_currency', 'coat'];
    const changed = await change({ name: 'Max', status: 'pending', good_with_dogs: true, clear });
    const kept = Object.entries(PROFILE).filter(([name]) => !clear.includes(name));
    expect(changed).toEqual({
      ...{ id: animal_id, name: 'Max', category_id, status: 'pending', created_at: expect.any(String) },
      ...Object.fromEntries(kept),
      good_with_dogs: true,
    });
    expect(await change({ name: 'Max', good_with_dogs: true })).toEqual(changed);
    expect(await change({})).toEqual(changed);
    const created = ['pet.created', 'pet.profile_updated'];
    await expectEvents(position, ...created, 'pet.updated', 'pet.profile_updated');
  });

  it('keeps with each photo what it shows', async () => {
    const [one = '', two = ''] = PROFILE.photos;
    const three = 'https://a.example/3.jpg';
    const { id: animal_id } = await add({ photos: [one, two], photo_descriptions: ['One', 'Two'] });
    for (const [given, photos, photo_descriptions] of [
      [{ photos: [two, three] }, [two, three], ['Two', '']],
      [{ photo_descriptions: ['Zwei'] }, [two, three], ['Zwei', '']],
      [{ clear: ['photo_descriptions'] }, [two, three], undefined],
      [{ photos: [one], photo_descriptions: ['Eins'] }, [one], ['Eins']],
      [{ clear: ['photos'] }, undefined, undefined],
    ] as const) {
      const changed = await assistant.use('change_animal', { animal_id, ...given });
      expect([changed.photos, changed.photo_descriptions]).toEqual([photos, photo_descriptions]);
    }
    // It was the last of the profile.
    expect((await client.get(`/v1/pets/${animal_id}/profile`)).text).toBe('{}');
  });

  it.each<[text: RegExp, given: object]>([
    [
      /^validation_failed: species must not be both given and cleared\./,
      { species: 'x', clear: ['species'] },
    ],
    [/^validation_failed: clear\[0\] must be the name of what a profile has: species, /, { clear: ['name'] }],
    [/^validation_failed: clear must be/, { clear: 'species' }],
    [/^validation_failed: "idempotency_key" is no argument/, { idempotency_key: 'x' }],
    [/^validation_failed: adoption_fee_currency is missing/, { clear: ['adoption_fee_currency'] }],
    [/^invalid_status_transition: /, { status: 'pending', species: 'cat' }],
  ])('is refused as a whole: %s', async (text, given) => {
    const { id: animal_id } = await add({ ...PROFILE, status: 'sold' });
    const before = await assistant.use('get_animal', { animal_id });
    expect(await assistant.refused('change_animal', { animal_id, ...given })).toMatch(text);
    expect(await assistant.use('get_animal', { animal_id })).toEqual(before);
  });
});

it.each([
  ['change_animal', { status: 'available' }],
  ['remove_animal', { name: 'Rex' }],
])('%s leaves an animal to the order that holds it', async (tool, given) => {
  const { id: animal_id } = await add();
  await assistant.use('place_order', { animal_id });
  expect(await assistant.refused(tool, { animal_id, ...given })).toMatch(
    /^pet_held_by_order: An order holds this animal/,
  );
});

it.each([
  ['get_animal', {}],
  ['change_animal', {}],
  ['remove_animal', { name: 'x' }],
])('%s says that there is no such animal, and where to find one', async (tool, given) => {
  expect(await assistant.refused(tool, { animal_id: '9223372036854775807', ...given })).toBe(
    'pet_not_found: No animal has this id. Use search_animals to find one.',
  );
});

it('remove_animal removes the animal that has this name, code point for code point', async () => {
  const { id } = await add({ name: 'Ame\u0301lie' });
  for (const name of ['Amélie', 'Ame\u0301lie ', 'amélie'])
    expect(await assistant.refused('remove_animal', { animal_id: id, name })).not.toContain('lie');
  const given = { animal_id: Number(id), name: 'Ame\u0301lie' };
  expect(await assistant.use('remove_animal', given)).toEqual({ id, removed: true });
  expect((await client.get(`/v1/pets/${id}`)).status).toBe(404);
});
