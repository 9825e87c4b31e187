import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { addOnce } from './add-once.js';
import { Feed } from './feed.js';
import { losingWire } from './losing-wire.js';
import { outcomeOf } from './outcomes.js';
import { rex } from './questions.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

it.each([
  ['commit', 'carried_out', 0],
  ['answer', 'replayed', 1],
] as const)(
  'a connection that breaks while the %s is under way keeps all or nothing: the repetition is %s',
  async (what, kind, kept) => {
    const wire = await losingWire(feed.postgres.url);
    const broken = await Stores.open({ url: wire.url });
    const request = { caller: 'a', token: 't' };
    try {
      await addOnce(broken, rex, { ...request, token: 'before' });
      wire.lose(what);
      expect(await outcomeOf(addOnce(broken, rex, request))).toBe('StoreUnavailableError');
      // The server may notice a little later that the session is over.
      await soon(async () => {
        for (const table of ['pets', 'idempotent_requests']) expect(await feed.count(table)).toBe(1 + kept);
        expect(await addOnce(broken, rex, request)).toMatchObject({ kind });
      });
      expect(await feed.count('pets')).toBe(2);
    } finally {
      await broken.close();
      wire.close();
    }
  },
);
