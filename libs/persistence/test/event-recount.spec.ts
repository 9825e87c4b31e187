import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EventMaintenance } from '../src/event-maintenance/event-maintenance.js';
import { PostgresEventMaintenance } from '../src/event-maintenance/postgres-event-maintenance.js';
import { Feed } from './feed.js';
import { changePet, removePet } from './pets.js';
import { rex, rexOf } from './questions.js';
import { soon } from './soon.js';

let feed: Feed;
let maintenance: EventMaintenance;

beforeAll(async () => {
  feed = await Feed.start();
  maintenance = new PostgresEventMaintenance({ url: feed.postgres.url });
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

describe('a recount', () => {
  it('finds nothing wrong with counters that only the service has kept', async () => {
    expect(await maintenance.recount()).toEqual({ animals: '0', corrected: 0, corrections: [] });
    await Promise.all([feed.stores.pets.create(rexOf('1')), feed.stores.pets.create(rexOf('2', 'sold'))]);
    await feed.drain();
    expect(await maintenance.recount()).toEqual({ animals: '2', corrected: 0, corrections: [] });
    await feed.expectRightInventory();
  });

  it('sets right what was changed past the service, and says what was wrong', async () => {
    await feed.stores.pets.create(rexOf('1'));
    await feed.drain();
    await feed.admin.query(
      `insert into pets (name, category_id, status) values ('a', 9223372036854775807, 'sold')`,
    );
    await feed.admin.query(`insert into inventory values (5, 'pending', 7)`);
    await feed.admin.query(`update inventory set animals = 3 where category_id = 1`);
    expect(await maintenance.recount()).toEqual({
      animals: '2',
      corrected: 4,
      corrections: [
        { categoryId: undefined, status: 'sold', was: '0', animals: '1' },
        { categoryId: '1', status: 'available', was: '3', animals: '1' },
        { categoryId: '5', status: 'pending', was: '7', animals: '0' },
        { categoryId: '9223372036854775807', status: 'sold', was: '0', animals: '1' },
      ],
    });
    await feed.expectRightInventory();
  });

  it('names twenty counters at the most, and says how many there were', async () => {
    await feed.admin.query(
      `insert into pets (name, category_id, status) select 'a', id, 'sold' from generate_series(1, 50) id`,
    );
    const { corrected, corrections } = await maintenance.recount();
    expect([corrected, corrections.length]).toEqual([51, 20]);
    expect(corrections[0]).toEqual({ categoryId: undefined, status: 'sold', was: '0', animals: '50' });
    await feed.expectRightInventory();
  });

  it('leaves out what the feed has not reached yet', async () => {
    await feed.stores.pets.create(rex);
    expect(await maintenance.recount()).toEqual({ animals: '0', corrected: 0, corrections: [] });
    await feed.drain();
    expect(await maintenance.recount()).toEqual({ animals: '1', corrected: 0, corrections: [] });
    await feed.expectRightInventory();
  });

  it('is right while others write and sequence without a pause', async () => {
    let over = false;
    const writer = async (category: string): Promise<void> => {
      while (!over) {
        const added = await Promise.all(
          Array.from({ length: 5 }, () => feed.stores.pets.create(rexOf(category))),
        );
        await Promise.all(
          added.slice(1).map(({ id }) => changePet(feed.stores.unitOfWork, id, { status: 'sold' })),
        );
        await Promise.all(added.slice(3).map(({ id }) => removePet(feed.stores.unitOfWork, id)));
      }
    };
    const sequencer = async (): Promise<void> => {
      while (!over) await feed.stores.sequencing.sequence(7);
    };
    const work = Promise.all([writer('1'), writer('2'), sequencer()]);
    let corrected = 0;
    try {
      for (let i = 0; i < 10; i++) corrected += (await maintenance.recount()).corrected;
    } finally {
      over = true;
      await work;
    }
    expect(corrected).toBe(0);
    await feed.drain();
    await feed.expectRightInventory();
  });

  it('lets others write meanwhile', async () => {
    const blocker = new Client(feed.postgres.url);
    await blocker.connect();
    try {
      await feed.admin.query(`insert into inventory values (5, 'pending', 7)`);
      await blocker.query('begin; lock table inventory in access exclusive mode');
      const recount = maintenance.recount();
      await soon(async () => {
        const { rows } = await feed.admin.query('select from pg_locks where not granted');
        expect(rows).toHaveLength(1);
      });
      const { id } = await feed.stores.pets.create(rex);
      await changePet(feed.stores.unitOfWork, id, { status: 'sold' });
      await removePet(feed.stores.unitOfWork, id);
      await blocker.query('commit');
      expect((await recount).corrected).toBe(1);
    } finally {
      await blocker.end();
    }
  });

  it('waits for a batch that is being sequenced, so that it counts none of it twice', async () => {
    const sequencer = new Client(feed.postgres.url);
    await sequencer.connect();
    try {
      await feed.stores.pets.create(rex);
      await sequencer.query('begin; select from event_head for update');
      await sequencer.query(
        `with moved as (delete from outbox returning id) update event_head set position = position + 1`,
      );
      await sequencer.query(`insert into inventory values (1, 'available', 1), (0, 'available', 1)`);
      const recount = maintenance.recount();
      await soon(async () => {
        const { rows } = await feed.admin.query('select from pg_locks where not granted');
        expect(rows).toHaveLength(1);
      });
      await sequencer.query('commit');
      expect(await recount).toEqual({ animals: '1', corrected: 0, corrections: [] });
    } finally {
      await sequencer.end();
    }
  });
});
