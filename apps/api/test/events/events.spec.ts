import { describe, expect, it } from '@jest/globals';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { eventsIn, nextOf, positionOf } from '../support/event-reader.js';
import { runService, serve } from '../support/running-service.js';
import { until } from '../support/until.js';

const PATH = '/v1/events';
const MAX = '9223372036854775807';

const { running, client } = await serve();

const latest = async (): Promise<string> => positionOf(await client.get(`${PATH}?after=latest`));
/** Path of a new animal. */
const add = async (name = 'Rex'): Promise<string> =>
  String((await client.post('/v1/pets', { name, categoryId: 7 })).headers.location);
/** The position when so many more events are there. */
async function after(before: string, more: number): Promise<string> {
  const position = String(BigInt(before) + BigInt(more));
  await until(async () => (await latest()) === position);
  return position;
}
/** Asks the database itself. */
const sql = (text: string): Promise<unknown> => running.database.manager.query(text);

describe('GET /v1/events', () => {
  it('is empty at first, and says where to go on', async () => {
    for (const path of [PATH, `${PATH}?after=latest`, `${PATH}?after=0`]) {
      const reply = await client.get(path);
      expect(reply).toMatchObject({ status: 200, text: '[]' });
      expect(reply.headers['link']).toBe(`<${PATH}?after=0>; rel="next"`);
      expect(reply.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: 'Origin, Authorization',
      });
      expectLimitHeaders(reply);
    }
  });

  it('tells of each change once, in exactly this form', async () => {
    const before = await latest();
    const since = Date.now();
    const path = await add('"Rex" \\ 🐕');
    await client.patch(path, { status: 'pending', categoryId: 8 });
    await client.patch(path, { status: 'pending' });
    await client.delete(path);
    await after(before, 3);
    const { text } = await client.get(`${PATH}?after=${before}`);
    const pet = (member: string): string =>
      `{"id":${path.split('/').at(-1)},"name":"\\"Rex\\" \\\\ 🐕",${member}}`;
    const [was, is] = [pet('"categoryId":7,"status":"available"'), pet('"categoryId":8,"status":"pending"')];
    const events = JSON.parse(text) as { timestamp: string }[];
    const [created, updated, deleted] = events.map(({ timestamp }) => timestamp);
    expect(text).toBe(
      `[{"id":1,"type":"pet.created","timestamp":"${created}","data":{"pet":${was}}},` +
        `{"id":2,"type":"pet.updated","timestamp":"${updated}","data":{"pet":${is},"previous":{"categoryId":7,"status":"available"}}},` +
        `{"id":3,"type":"pet.deleted","timestamp":"${deleted}","data":{"pet":${is}}}]`,
    );
    for (const { timestamp } of events) {
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(timestamp) - since)).toBeLessThan(60_000);
    }
  });

  it('says in Link how far was read, and keeps limit and resource', async () => {
    const before = await latest();
    for (let n = 0; n < 5; n++) await add();
    const end = await after(before, 5);
    const full = await client.get(`${PATH}?after=${before}&limit=2&resource=pet`);
    expect(eventsIn(full)).toHaveLength(2);
    expect(nextOf(full)).toBe(`${PATH}?after=${BigInt(before) + 2n}&limit=2&resource=pet`);
    const rest = await client.get(`${PATH}?after=${BigInt(end) - 1n}&limit=100`);
    expect(eventsIn(rest).map(({ id }) => id)).toEqual([end]);
    expect(nextOf(rest)).toBe(`${PATH}?after=${end}&limit=100`);
    const nothing = await client.get(String(nextOf(rest)));
    expect([nothing.text, nextOf(nothing)]).toEqual(['[]', nextOf(rest)]);
    const newest = await client.get(`${PATH}?after=latest&limit=1`);
    expect([newest.text, nextOf(newest)]).toEqual(['[]', `${PATH}?after=${end}&limit=1`]);
    expect(eventsIn(await client.get(PATH))[0]?.id).toBe('1');
  });

  it('gives absolute links where the operator has set the address', async () => {
    const other = await running.another({ PUBLIC_BASE_URL: 'https://pets.example/api/v1' });
    const own = running.connect(await running.issueKey(), other.origin);
    expect(nextOf(await own.get(`${PATH}?after=latest`))).toMatch(
      /^https:\/\/pets\.example\/api\/v1\/events\?after=\d+$/,
    );
  });

  it('does not answer 304 to a filtered reader that is to go on further, though its page is as empty', async () => {
    const end = await latest();
    const page = `${PATH}?after=${end}&resource=pet`;
    const before = await client.get(page);
    // Another resource, of which this release has none.
    await sql(`with next as (update event_head set position = position + 1 returning position)
      insert into events select position, 'order.placed', 'order', null, '{}', now() from next`);
    const now = await client.get(page, { headers: { 'If-None-Match': before.headers.etag } });
    expect(now).toMatchObject({ status: 200, text: '[]' });
    expect(positionOf(now)).toBe(String(BigInt(end) + 1n));
  });

  it.each(['-1', '01', '1.0', 'LATEST', '9223372036854775808'])('refuses the position %s', async (after) => {
    expectError(await client.get(`${PATH}?after=${after}`), 'invalid_parameter');
  });
});

describe('a position that is gone', () => {
  it('is one that was never given out', async () => {
    const end = await latest();
    for (const position of [String(BigInt(end) + 1n), MAX]) {
      const reply = await client.get(`${PATH}?after=${position}`);
      expectError(reply, 'position_gone');
      expect(reply.text).toContain(
        `The newest event is ${end}: the position ${position} was never given out.`,
      );
    }
    expect((await client.get(`${PATH}?after=${end}`)).status).toBe(200);
  });

  it('is one before the oldest event that is kept, and is told so with If-None-Match, too', async () => {
    const { headers } = await client.get(`${PATH}?after=1`);
    await sql('with lifted as (update event_head set first = 5) delete from events where position <= 5');
    for (const position of ['0', '1', '4']) {
      const reply = await client.get(`${PATH}?after=${position}`, {
        headers: { 'If-None-Match': headers.etag },
      });
      expectError(reply, 'position_gone');
      expect(reply.text).toContain('Events up to 5 are no longer kept.');
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expect(eventsIn(await client.get(`${PATH}?after=5`))[0]?.id).toBe('6');
    expect(eventsIn(await client.get(PATH))[0]?.id).toBe('6');
  });
});

describe('an instance with WORKER=off', () => {
  it('serves the feed, and leaves the places of events and the removal of old ones to another one', async () => {
    const alone = await runService({ WORKER: 'off' });
    const own = await alone.client();
    await alone.database.manager.query(`with next as (update event_head set position = 1 returning position)
      insert into events select position, 'pet.created', 'pet', null, '{"id":1}', now() - interval '31 days' from next`);
    await own.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    // An instance that works has given a later event its place by now, and leased its jobs long ago.
    const before = await latest();
    await add();
    await after(before, 1);
    expect(await alone.database.manager.query<unknown[]>('select from scheduled_jobs')).toEqual([]);
    expect(await own.get(`${PATH}?after=0`)).toMatchObject({ status: 200, text: '[{"id":1}]' });
    await alone.another({ WORKER: 'on' });
    await until(async () => positionOf(await own.get(`${PATH}?after=latest`)) === '2');
    await until(async () => (await own.get(`${PATH}?after=0`)).status === 410);
    await own.post('/v1/pets', { name: 'Max', categoryId: 7 });
    await until(async () => positionOf(await own.get(`${PATH}?after=latest`)) === '3');
    expect(eventsIn(await own.get(PATH)).map(({ id }) => id)).toEqual(['2', '3']);
    await alone.close();
  });
});
