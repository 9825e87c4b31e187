import { describe, expect, it } from '@jest/globals';
import { EventsTool } from './events-tool.js';

const tool = new EventsTool();
const { events, json } = tool;

const wait = (seconds: number): Promise<unknown> =>
  tool.admin.query(
    `insert into outbox (type, resource, data, happened_at)
     values ('pet.created', 'pet', '{"pet":{"id":1,"name":"a","categoryId":1,"status":"sold"}}',
       now() - $1 * interval '1 second')`,
    [seconds],
  );

describe('status', () => {
  it('says of an empty feed that all is well', async () => {
    const { exit, out } = await events(['status']);
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^Newest position +0\nFirst kept after +0\nEvents kept +0\nOldest kept +none\nWaiting +none\n\nok: /,
    );
  });

  it('says how many events are kept and since when, with every digit', async () => {
    await tool.admin.query(
      'update event_head set position = 9223372036854775807, first = 9223372036854773807',
    );
    await tool.admin.query(
      `insert into events values (9223372036854773808, 'pet.created', 'pet', null, '{}', '2026-01-02T03:04:05Z')`,
    );
    expect(await json('status')).toEqual({
      newest: '9223372036854775807',
      first: '9223372036854773807',
      kept: '2000',
      oldestKeptAt: '2026-01-02T03:04:05.000Z',
      waiting: '0',
      waitingSeconds: 0,
      verdict: 'ok',
    });
    expect((await events(['status'])).out).toMatch(
      /Events kept +2,000\nOldest kept +2026-01-02 03:04 UTC \(\d+ d ago\)/,
    );
  });

  it.each([
    [1, 'ok', /Waiting +1, the oldest for \d+ s/],
    [10, 'behind', /\nbehind: /],
    [90, 'stalled', /the oldest for 1 min\n\nstalled: .*WORKER=on/],
  ])('says of an event that has waited for %s s: %s', async (seconds, verdict, text) => {
    await wait(seconds);
    expect((await events(['status'])).out).toMatch(text);
    // A slow machine lets it wait longer.
    expect(await json('status')).toMatchObject({ waiting: '1', ...(seconds > 5 && { verdict }) });
  });
});

describe('recount', () => {
  it('says so when nothing was wrong', async () => {
    expect(await events(['recount'])).toEqual({
      exit: 0,
      out: 'Counted 0 animals. The inventory was right.\n',
      err: '',
    });
  });

  it('says what was wrong, and the numbers are right afterwards', async () => {
    await tool.admin.query(
      `insert into pets (name, category_id, status) select 'a', 7, 'sold' from generate_series(1, 1200)`,
    );
    await tool.admin.query(`insert into inventory values (7, 'pending', 3)`);
    const { exit, out } = await events(['recount']);
    expect(exit).toBe(0);
    expect(out).toBe(
      "Counted 1,200 animals, and corrected 3 of the inventory's numbers:\n" +
        'CATEGORY  STATUS   WAS  IS\n' +
        'all       sold     0    1,200\n' +
        '7         pending  3    0\n' +
        '7         sold     0    1,200\n',
    );
    expect(await json('recount')).toEqual({ animals: '1200', corrected: 0, corrections: [] });
    const { rows } = await tool.admin.query('select category_id, status, animals from inventory order by 1');
    expect(rows).toEqual([
      { category_id: '0', status: 'sold', animals: '1200' },
      { category_id: '7', status: 'sold', animals: '1200' },
    ]);
  });

  it('names the first of very many, and how many more there are', async () => {
    await tool.admin.query(
      `insert into pets (name, category_id, status) select 'a', id, 'sold' from generate_series(1, 30) id`,
    );
    const { out } = await events(['recount']);
    expect(out.split('\n')).toHaveLength(1 + 1 + 20 + 1 + 1);
    expect(out).toMatch(/\nand 11 more\n$/);
  });

  it('prints the category of all animals as null', async () => {
    await tool.admin.query(`insert into inventory values (0, 'sold', 3)`);
    expect(await json('recount')).toEqual({
      animals: '0',
      corrected: 1,
      corrections: [{ categoryId: null, status: 'sold', was: '3', animals: '0' }],
    });
  });
});
