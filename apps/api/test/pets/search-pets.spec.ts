import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/contract.js';
import { linkOf, type ListedPet, petsOf } from '../support/listed-pets.js';
import { serveShared } from '../support/running-service.js';
import { addPet } from '../support/shop.js';

const { running, client } = await serveShared();

const SPECIES = 'C+ \u00C4 b';

beforeAll(async () => {
  for (let n = 0; n < 3; n++) {
    const path = `/v1/pets/${await addPet(client)}/profile`;
    await client.post(path, { species: SPECIES, sex: 'male', size: 'small' }, { method: 'PUT' });
  }
});

// What is found: search-model.spec.ts; what a parameter may be: requests/values.spec.ts.
describe('a search', () => {
  it('shows what is included in the order of the contract, whatever the order in which it is asked for', async () => {
    for (const include of ['profile,createdAt', 'createdAt,profile']) {
      const [found] = petsOf(await client.get(`/v1/pets?sex=male&include=${include}`));
      expect(Object.keys(found ?? {}).join()).toBe('id,name,categoryId,status,createdAt,profile');
      expect((found as ListedPet & { createdAt: string }).createdAt).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      );
    }
  });

  it('has links with the parameters in the order of the document, as they were sent, and a cursor for all of them', async () => {
    const sent = '/v1/pets?sex=male&size=small,large&limit=1&species=C%2B+%c3%84%20%20B';
    const next = linkOf(await client.get(sent), 'next') ?? '';
    const cursor = new URL(next, 'http://x').searchParams.get('cursor') ?? '';
    expect(next.replace(cursor, 'CURSOR')).toBe(
      '/v1/pets?limit=1&cursor=CURSOR&species=C%2B%20%C3%84%20%20B&sex=male&size=small,large',
    );
    expect(cursor.length).toBeLessThanOrEqual(64);
    const status = async (query: string): Promise<number> =>
      (await client.get(`/v1/pets?cursor=${cursor}${query}`)).status;
    expect(await status('&species=c%2B+%C3%A4+B&size=large,small&sex=male&include=profile')).toBe(200);
    expect(await status('&species=c%2B+%C3%A4+B&sex=male')).toBe(400);
    expect(await status('&species=other&size=large,small&sex=male')).toBe(400);
  });

  it.each(['-', "'", '%CC%81', 'a+b+c+d+e+f+g+h+i+j+k', '%F0%9F%90%87'])(
    'refuses a name or a text without words, or with more than ten: %s',
    async (words) => {
      for (const parameter of ['name', 'text']) {
        const reply = await client.get(`/v1/pets?${parameter}=${words}`);
        expectError(reply, 'invalid_parameter');
        expect(reply.text).toContain(`"${parameter} must be `);
      }
    },
  );

  it('has at most 3,200 bytes of texts, and no value twice', async () => {
    const long = encodeURIComponent('é'.repeat(250));
    for (const query of [`species=${long}&breed=${long}&color=${long}`, 'sex=male,male', 'size=small,,large'])
      expectError(await client.get(`/v1/pets?${query}`), 'invalid_parameter');
  });

  it('leaves no word of what is searched in the log', async () => {
    await client.get('/v1/pets?text=verysecretword&species=anothersecret&name=-');
    await client.get('/v1/pets?text=verysecretword&species=anothersecret');
    expect(running.lines.filter((line) => /verysecretword|anothersecret/.test(line))).toEqual([]);
  });
});
