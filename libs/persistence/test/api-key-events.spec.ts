import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KeyId, type ReceivedApiKeyEvent } from '@petstore/api-key';
import { waitFor } from '@petstore/testing';
import { ListenNotifyBus } from '../src/api-keys/listen-notify-bus.js';
import { TestDatabase } from './test-database.js';
import { Wire } from './wire.js';

const db = new TestDatabase();
let wire: Wire;
/** Of a process behind the wire. */
let bus: ListenNotifyBus;
const received: ReceivedApiKeyEvent[] = [];
beforeAll(async () => {
  wire = await Wire.to(db.postgres.url);
  bus = new ListenNotifyBus((await db.open({ url: wire.url })).database);
  await bus.subscribe((event) => received.push(event));
});
afterAll(async () => {
  await bus.close();
  wire.refuse();
});
beforeEach(() => {
  received.length = 0;
});

const event = () => ({ kind: 'unbanned' as const, keyId: KeyId.generate() });

it('events over PostgreSQL arrive in their order, in the process that publishes, too', async () => {
  const sent = Array.from({ length: 5 }, event);
  for (const each of sent) await bus.publish(each);
  await waitFor(() => received.length === sent.length);
  expect(received).toEqual(sent);
});

it.each<[string, () => Promise<unknown>]>([
  [
    'its session was ended',
    () =>
      db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore key events'`,
      ),
  ],
  ['its connection was lost', () => (wire.cut(), wire.restore())],
  [
    // Until the process has given the session up and tries another one.
    'the server hung',
    async () => {
      const before = wire.accepted;
      await db.postgres.pause();
      try {
        await waitFor(() => wire.accepted > before);
      } finally {
        db.postgres.resume();
      }
    },
  ],
])('a process that may have missed an event says so, and listens again, when %s', async (_what, lose) => {
  await lose();
  await waitFor(() => received.length === 1);
  const sent = event();
  await new ListenNotifyBus(db.stores.database).publish(sent);
  await waitFor(() => received.length === 2);
  expect(received).toEqual([{ kind: 'missed' }, sent]);
});
