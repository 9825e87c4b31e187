import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { runService, type RunningService } from '../support/running-service.js';
import { Assistant, ERAS } from './assistant.js';
import { OVER_HTTP, PROFILE } from './profile.js';

let running: RunningService;
let client: Client;
let assistant: Assistant;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  assistant = new Assistant(client);
});
afterAll(() => running.close());

type Told = Readonly<Record<string, unknown>>;
let lastCategory = 100;
/** A category that no other test uses. */
const aCategory = (): string => String(++lastCategory);
const add = (given: object = {}): Promise<Told> =>
  assistant.use('add_animal', { name: 'Rex', category_id: aCategory(), status: 'available', ...given });
const overHttp = async (path: string): Promise<unknown> => JSON.parse((await client.get(path)).text);
/** Types of the events since a position. */
async function changesAfter(position: unknown): Promise<string[]> {
  const { changes } = (await assistant.use('list_changes', { after: position })) as never as {
    changes: Told[];
  };
  return changes.map(({ type }) => String(type));
}
const now = async (): Promise<unknown> => (await assistant.use('list_changes'))['position'];
async function eventually(expected: readonly string[], position: unknown): Promise<void> {
  for (let n = 0; n < 200 && (await changesAfter(position)).length < expected.length; n++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await changesAfter(position)).toEqual(expected);
}

describe('add_animal', () => {
  it('adds an animal and its profile in one, digit for digit, with the events of both', async () => {
    const position = await now();
    const told = await add({ category_id: '9223372036854775807', ...PROFILE });
    const { id } = told;
    expect(told).toEqual({
      id,
      name: 'Rex',
      category_id: '9223372036854775807',
      status: 'available',
      ...PROFILE,
    });
    expect(Object.keys(told)).toEqual(['id', 'name', 'category_id', 'status', ...Object.keys(PROFILE)]);
    expect(await overHttp(`/v1/pets/${String(id)}/profile`)).toEqual(OVER_HTTP);
    expect((await client.get(`/v1/pets/${String(id)}`)).text).toContain('"categoryId":9223372036854775807');
    expect(await assistant.use('get_animal', { animal_id: id })).toEqual(told);
    await eventually(['pet.created', 'pet.profile_updated'], position);
  });

  it('is pending unless told otherwise, and needs no profile', async () => {
    const position = await now();
    expect(await assistant.use('add_animal', { name: 'Mia', category_id: 3 })).toMatchObject({
      status: 'pending',
    });
    await eventually(['pet.created'], position);
  });

  it('is carried out once for a key, which is one namespace with HTTP', async () => {
    const given = {
      name: 'Once',
      category_id: aCategory(),
      status: 'sold',
      idempotency_key: 'once-1',
      species: 'cat',
    };
    const first = await assistant.use('add_animal', given);
    for (const era of ERAS)
      expect(
        await new Assistant(client, era).use('add_animal', {
          ...given,
          category_id: Number(given.category_id),
        }),
      ).toEqual(first);
    expect(await assistant.refused('add_animal', { ...given, species: 'dog' })).toMatch(
      /^idempotency_key_reused: /,
    );
    expect(await assistant.refused('place_order', { animal_id: '1', idempotency_key: 'once-1' })).toMatch(
      /^idempotency_key_reused: /,
    );
    const http = (key: string): Promise<number> =>
      client
        .post('/v1/pets', { name: 'x', categoryId: 1 }, { headers: { 'Idempotency-Key': key } })
        .then((r) => r.status);
    expect(await http('once-1')).toBe(422);
    expect(await http('once-2')).toBe(201);
    expect(await assistant.refused('add_animal', { ...given, idempotency_key: 'once-2' })).toMatch(
      /^idempotency_key_reused: /,
    );
    // The default status is part of what was asked.
    const pending = { name: 'P', category_id: '5', idempotency_key: 'once-3' };
    const added = await assistant.use('add_animal', pending);
    expect(await assistant.use('add_animal', { ...pending, status: 'pending' })).toEqual(added);
  });

  it.each<[named: string, given: object]>([
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 5 }],
    ['name', { name: null }],
    ['category_id', { category_id: '0' }],
    ['category_id', { category_id: '01' }],
    ['category_id', { category_id: 1.5 }],
    ['category_id', { category_id: '9223372036854775808' }],
    ['send it as a string', { category_id: 2 ** 53 }],
    ['status', { status: 'gone' }],
    ['available, pending, sold', { status: 'Available' }],
    ['"nickname"', { nickname: 'R' }],
    ['"__proto__"', JSON.parse('{"__proto__":1}') as object],
    ['"categoryId"', { categoryId: '5' }],
    ['species', { species: null }],
    ['breeds', { breeds: 'Poodle' }],
    ['breeds', { breeds: [] }],
    ['breeds[1]', { breeds: ['a', ''] }],
    ['good_with_dogs must be true or false', { good_with_dogs: 'yes' }],
    ['adoption_fee_currency is missing', { adoption_fee_amount: '5' }],
    ['adoption_fee_amount must be', { adoption_fee_amount: 5, adoption_fee_currency: 'EUR' }],
    ['born_on', { born_on: '2024-02-30' }],
    ['born_on', { born_on: '2999-01-01' }],
    ['photos[1] must differ from photos[0]', { photos: ['https://a.example/', 'https://a.example/'] }],
    ['photos[0]', { photos: ['http://a.example/'] }],
    ['photos', { photos: 'https://a.example/' }],
    ['photo_descriptions', { photo_descriptions: ['x'] }],
    ['photo_descriptions', { photos: ['https://a.example/'], photo_descriptions: 'x' }],
    ['photo_descriptions[0]', { photos: ['https://a.example/'], photo_descriptions: ['\u0007'] }],
    [
      '16 KiB',
      {
        description: 'é'.repeat(4_000),
        photos: Array.from({ length: 20 }, (_, n) => `https://a.example/${n}/${'x'.repeat(900)}`),
      },
    ],
    ['idempotency_key', { idempotency_key: 'ä' }],
  ])('says what is wrong, and does nothing: %s of %j', async (named, given) => {
    const category = aCategory();
    const text = await assistant.refused('add_animal', { name: 'Ghost', category_id: category, ...given });
    expect(text).toMatch(/^validation_failed: .*\. Correct the arguments and call the tool again\.$/s);
    expect(text).toContain(named);
    expect(await assistant.use('count_animals', { category_id: category })).toEqual({
      available: 0,
      pending: 0,
      sold: 0,
    });
  });

  it('names what is missing', async () => {
    const text = await assistant.refused('add_animal');
    expect(text).toContain('name is missing');
    expect(text).toContain('category_id is missing');
  });
});

describe('change_animal', () => {
  it('changes only what is given, in one transaction, the animal before its profile', async () => {
    const position = await now();
    const { id } = await add(PROFILE);
    const changed = await assistant.use('change_animal', {
      animal_id: id,
      name: 'Max',
      status: 'pending',
      good_with_dogs: true,
      clear: ['good_with_children', 'adoption_fee_amount', 'adoption_fee_currency', 'coat'],
    });
    const {
      good_with_children: _1,
      adoption_fee_amount: _2,
      adoption_fee_currency: _3,
      coat: _4,
      ...rest
    } = PROFILE;
    expect(changed).toEqual({
      id,
      name: 'Max',
      category_id: changed['category_id'],
      status: 'pending',
      ...rest,
      good_with_dogs: true,
    });
    const events = ['pet.created', 'pet.profile_updated', 'pet.updated', 'pet.profile_updated'];
    await eventually(events, position);
    expect(
      await assistant.use('change_animal', { animal_id: id, name: 'Max', good_with_dogs: true }),
    ).toEqual(changed);
    expect(await assistant.use('change_animal', { animal_id: id })).toEqual(changed);
    expect(await changesAfter(position)).toEqual(events);
  });

  it('keeps with each photo what it shows', async () => {
    const { id } = await add({ photos: PROFILE.photos, photo_descriptions: ['One', 'Two'] });
    const change = async (given: object): Promise<Told> => {
      const { photos, photo_descriptions } = await assistant.use('change_animal', {
        animal_id: id,
        ...given,
      });
      return { photos, photo_descriptions };
    };
    const [one, two] = PROFILE.photos;
    expect(await change({ photos: [two, 'https://a.example/3.jpg'] })).toEqual({
      photos: [two, 'https://a.example/3.jpg'],
      photo_descriptions: ['Two', ''],
    });
    expect(await change({ photo_descriptions: ['Zwei'] })).toMatchObject({
      photo_descriptions: ['Zwei', ''],
    });
    expect(await change({ clear: ['photo_descriptions'] })).toEqual({
      photos: [two, 'https://a.example/3.jpg'],
    });
    expect(await change({ photos: [one], photo_descriptions: ['Eins'] })).toMatchObject({
      photo_descriptions: ['Eins'],
    });
    expect(await change({ clear: ['photos'] })).toEqual({});
  });

  it('takes the last of a profile away', async () => {
    const { id } = await add({ good_with_cats: true });
    expect(
      await assistant.use('change_animal', { animal_id: id, clear: ['good_with_cats'] }),
    ).not.toHaveProperty('good_with_cats');
    expect((await client.get(`/v1/pets/${String(id)}/profile`)).text).toBe('{}');
  });

  it.each<[text: RegExp, given: object]>([
    [
      /^validation_failed: species must not be both given and cleared\./,
      { species: 'cat', clear: ['species'] },
    ],
    [/^validation_failed: clear must be a list of names/, { clear: ['name'] }],
    [/^validation_failed: clear must be/, { clear: 'species' }],
    [/^validation_failed: clear must be/, { clear: [{ toString: 1 }] }],
    [/^validation_failed: photos/, { photos: [{ toString: 1 }] }],
    [/^validation_failed: "idempotency_key" is no argument/, { idempotency_key: 'x' }],
    [/^validation_failed: adoption_fee_currency is missing/, { clear: ['adoption_fee_currency'] }],
    [/^invalid_status_transition: /, { status: 'pending', species: 'cat' }],
  ])('is refused as a whole: %s', async (text, given) => {
    const { id } = await add({ ...PROFILE, status: 'sold' });
    const before = await assistant.use('get_animal', { animal_id: id });
    expect(await assistant.refused('change_animal', { animal_id: id, ...given })).toMatch(text);
    expect(await assistant.use('get_animal', { animal_id: id })).toEqual(before);
  });

  it('leaves the status of an animal to the order that holds it', async () => {
    const { id } = await add();
    await assistant.use('place_order', { animal_id: id });
    expect(await assistant.refused('change_animal', { animal_id: id, status: 'available' })).toMatch(
      /^pet_held_by_order: An order holds this animal/,
    );
    expect(await assistant.refused('remove_animal', { animal_id: id, name: 'Rex' })).toMatch(
      /^pet_held_by_order: /,
    );
  });
});

describe('an animal that there is not', () => {
  it.each(['get_animal', 'change_animal', 'remove_animal'])(
    'is said so by %s, and where to find one',
    async (tool) => {
      const given = { animal_id: '9223372036854775807', ...(tool === 'remove_animal' && { name: 'x' }) };
      expect(await assistant.refused(tool, given)).toBe(
        'pet_not_found: No animal has this id. Use search_animals to find one.',
      );
    },
  );
});

describe('remove_animal', () => {
  it('removes the animal that has this name, code point for code point', async () => {
    const { id } = await add({ name: 'Ame\u0301lie' });
    for (const name of ['Amélie', 'Ame\u0301lie ', 'amélie'])
      expect(await assistant.refused('remove_animal', { animal_id: id, name })).not.toContain('lie');
    expect(await assistant.use('remove_animal', { animal_id: Number(id), name: 'Ame\u0301lie' })).toEqual({
      id,
      removed: true,
    });
    expect((await client.get(`/v1/pets/${String(id)}`)).status).toBe(404);
  });
});
