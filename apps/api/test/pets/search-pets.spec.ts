import { afterAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/contract.js';
import { linkOf, type ListedPet, petsOf } from '../support/listed-pets.js';
import { runService } from '../support/running-service.js';

const running = await runService();
afterAll(() => running.close());
const client = await running.client();

const FLAGS = ['mixedBreed', 'spayedNeutered', 'houseTrained', 'vaccinated', 'specialNeeds'];

async function putProfile(id: number | bigint | string, described: object): Promise<void> {
  const reply = await client.post(`/v1/pets/${id}/profile`, described, { method: 'PUT' });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
}

describe('a search', () => {
  it('shows what is included in the order of the contract, whatever the order in which it is asked for', async () => {
    const { id } = JSON.parse(
      (await client.post('/v1/pets', { name: 'Included', categoryId: 9 })).text,
    ) as ListedPet;
    await putProfile(id, { species: 'newt' });
    for (const include of ['profile,createdAt', 'createdAt,profile']) {
      const reply = await client.get(`/v1/pets?species=NEWT&include=${include}`);
      expect(Object.keys(petsOf(reply)[0] ?? {})).toEqual([
        'id',
        'name',
        'categoryId',
        'status',
        'createdAt',
        'profile',
      ]);
      expect(reply.text).toMatch(/"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
    }
  });

  it('has links with the parameters in the order of the document, as they were sent', async () => {
    for (let n = 0; n < 3; n++) {
      const { id } = JSON.parse(
        (await client.post('/v1/pets', { name: 'Linked', categoryId: 9 })).text,
      ) as ListedPet;
      await putProfile(id, { species: 'C+ \u00C4 b', sex: 'male', size: 'small' });
    }
    const next =
      linkOf(
        await client.get('/v1/pets?species=C%2B+%c3%84%20%20B&size=small,large&sex=male&limit=1'),
        'next',
      ) ?? '';
    expect(next.replace(/cursor=[^&]*/, 'cursor=')).toBe(
      '/v1/pets?limit=1&cursor=&species=C%2B%20%C3%84%20%20B&sex=male&size=small,large',
    );
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? '';
    expect(cursor.length).toBeLessThanOrEqual(64);
    const again = `/v1/pets?cursor=${cursor}`;
    expect(
      (await client.get(`${again}&species=c%2B+%C3%A4+B&size=large,small&sex=male&include=profile`)).status,
    ).toBe(200);
    for (const other of ['', '&species=c%2B+%C3%A4+B&sex=male', '&species=other&size=large,small&sex=male'])
      expectError(await client.get(again + other), 'invalid_cursor');
  });

  it('refuses each wrong value of each parameter, with what is allowed', async () => {
    const texts = ['name', 'species', 'breed', 'color', 'location', 'reference', 'text'];
    const sets = ['sex', 'ageGroup', 'size', 'coat', 'goodWith', 'include'];
    const values: [string, string[]][] = [
      ...texts.map((each): [string, string[]] => [
        each,
        [
          '',
          '%20',
          '%00',
          '%0A',
          '%FF',
          '%',
          '%zz',
          '%ED%A0%80',
          '%E2%80%8B',
          'x'.repeat(256),
          `a&${each}=b`,
        ],
      ]),
      ...sets.map((each): [string, string[]] => [
        each,
        ['', ',', 'no', 'male,', ',male', 'MALE', ','.repeat(1000)],
      ]),
      ['sex', ['male,male', 'male&sex=female', 'male,%20female']],
      ['include', ['profile,profile', 'profile&include=createdAt']],
      ...FLAGS.map((each): [string, string[]] => [
        each,
        ['', 'True', '1', 'yes', 'true,false', 'true&vaccinated=x'],
      ]),
      ['text', ['-', '%CC%81', 'a+b+c+d+e+f+g+h+i+j+k', "'"]],
      ['name', ['-', '%CC%81', 'a+b+c+d+e+f+g+h+i+j+k', '%F0%9F%90%87']],
    ];
    for (const [parameter, all] of values)
      for (const value of all) {
        const reply = await client.get(`/v1/pets?${parameter}=${value}`);
        expect([parameter, value, reply.status, reply.text]).toEqual([
          parameter,
          value,
          400,
          expect.stringContaining(' must be '),
        ]);
        expectError(reply, 'invalid_parameter');
      }
    const long = encodeURIComponent('é'.repeat(250));
    expectError(
      await client.get(`/v1/pets?species=${long}&breed=${long}&color=${long}`),
      'invalid_parameter',
    );
    // Of several wrong ones the first of the document is named.
    expect((await client.get('/v1/pets?text=-&sex=x&species=&limit=0')).text).toContain('limit must be');
    expect((await client.get('/v1/pets?text=-&sex=x&species=')).text).toContain('species must be');
  });

  it.each([
    '%22',
    '%5C',
    "'",
    '%27%22%5C',
    '%7B%7D',
    ':*',
    '%26%7C!',
    'a%00'.slice(0, 1),
    '%EF%BC%A1',
    '%CC%81'.repeat(254) + 'a',
  ])('takes what means something elsewhere as a text: %.20s', async (value) => {
    expect((await client.get(`/v1/pets?species=${value}&reference=${value}`)).status).toBe(200);
  });

  it('leaves no word of what is searched in the log', async () => {
    await client.get('/v1/pets?text=verysecretword&species=anothersecret&name=-');
    await client.get('/v1/pets?text=verysecretword&species=anothersecret');
    expect(running.lines.filter((line) => /verysecretword|anothersecret/.test(line))).toEqual([]);
  });
});
