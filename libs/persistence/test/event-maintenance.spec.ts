import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventPage, type EventPosition, PositionGoneError } from '@petstore/event-feed';
import { Client } from 'pg';
import type { EventMaintenance } from '../src/event-maintenance/event-maintenance.js';
import { eventRetention } from '../src/events/event.retention.js';
import { PostgresEventMaintenance } from '../src/event-maintenance/postgres-event-maintenance.js';
import { SequencerBusyError } from '../src/event-maintenance/sequencer-busy.error.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { EVERYTHING, Feed, parseEvents } from './feed.js';
import { rex } from './questions.js';

let feed: Feed;
let maintenance: EventMaintenance;

beforeAll(async () => {
  feed = await Feed.start();
  maintenance = new PostgresEventMaintenance({ url: feed.postgres.url });
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

describe.each(['recount', 'restart'] as const)('a %s', (what) => {
  it('gives up, and changes nothing, when the sequencer does not release its lock in time', async () => {
    const sequencer = new Client(feed.postgres.url);
    await sequencer.connect();
    try {
      await feed.admin.query(`insert into inventory values (5, 'pending', 7)`);
      await sequencer.query('begin; select from event_head for update');
      const hurried = new PostgresEventMaintenance({ url: feed.postgres.url }, 100);
      const failure = await hurried[what]().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SequencerBusyError);
      expect((failure as Error).message).toContain('for 0.1 seconds');
      await sequencer.query('rollback');
    } finally {
      await sequencer.end();
    }
    expect((await feed.admin.query('select from inventory')).rowCount).toBe(1);
    expect(await maintenance.status()).toMatchObject({ first: '0', newest: '0' });
  });
});

describe('a restart', () => {
  const read = (after?: string): Promise<EventPage> =>
    feed.stores.eventFeed.read({
      after: after as EventPosition | undefined,
      limit: 10,
      visibility: EVERYTHING,
    });
  const told = async (after?: string): Promise<unknown> =>
    parseEvents((await read(after)).json).map(({ id }) => id);

  it('sends readers of the lost feed back to the beginning, and goes on beyond all that they can know', async () => {
    for (let i = 0; i < 3; i++) await feed.stores.pets.create(rex);
    await feed.drain();
    expect(await maintenance.restart()).toEqual({ first: '1000003' });
    for (const position of ['0', '2', '3', '4', '1000002'])
      await expect(read(position)).rejects.toBeInstanceOf(PositionGoneError);
    expect(await told()).toEqual([]);
    expect((await read('latest')).position).toBe('1000003');
    await feed.stores.pets.create(rex);
    await feed.drain();
    expect(await told('1000003')).toEqual(['1000004']);
    expect(await told()).toEqual(['1000004']);
    await feed.expectRightInventory();
  });

  it('stays in force when what was before it is removed by age', async () => {
    await feed.stores.pets.create(rex);
    await feed.drain();
    await feed.admin.query(`update events set happened_at = now() - interval '31 days'`);
    await maintenance.restart();
    expect(await removeOldRows(feed.stores.database.manager, eventRetention(30))).toBe(1);
    expect(await maintenance.status()).toMatchObject({ first: '1000001', newest: '1000001' });
    await expect(read('1')).rejects.toBeInstanceOf(PositionGoneError);
  });
});

describe('the status', () => {
  it('says where the feed begins and ends, and what waits', async () => {
    expect(await maintenance.status()).toEqual({
      first: '0',
      newest: '0',
      oldestKeptAt: undefined,
      waiting: '0',
      waitingSeconds: 0,
    });
    for (let i = 0; i < 3; i++) await feed.stores.pets.create(rex);
    await feed.drain();
    await feed.admin.query(
      `update events set happened_at = timestamptz '2026-01-02 03:04:05Z' + position * interval '1 second'`,
    );
    await feed.admin.query('update event_head set first = 1');
    await feed.stores.pets.create(rex);
    await feed.admin.query(`update outbox set happened_at = now() - interval '90 seconds'`);
    const status = await maintenance.status();
    expect(status).toMatchObject({
      first: '1',
      newest: '3',
      oldestKeptAt: new Date('2026-01-02T03:04:07Z'),
      waiting: '1',
    });
    expect(status.waitingSeconds).toBeGreaterThanOrEqual(90);
  });
});
