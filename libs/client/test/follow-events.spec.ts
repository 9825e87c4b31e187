import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@petstore/test-servers';
import {
  type FollowOptions,
  isApiError,
  type ListEvents,
  PetStoreClient,
  PositionGoneError,
  type PositionedEvent,
} from '../src/index.js';
import { proxiedStore } from './proxied-store.js';

const running = proxiedStore();
let client: PetStoreClient;
/** Where the feed stood before the test. */
let start: bigint;

beforeAll(async () => {
  client = await running.connect();
});
beforeEach(async () => {
  // The sample animals are in the feed, too: begin behind everything that was there.
  start = (await client.listEvents({ after: 'latest' })).position;
});

const FAST: FollowOptions = { pollMs: 20 };

/** The next events, as many as are asked for. */
async function take(
  count: number,
  query: ListEvents = { after: start },
  options = FAST,
): Promise<PositionedEvent[]> {
  const taken: PositionedEvent[] = [];
  for await (const item of client.events(query, options)) {
    if (taken.push(item) === count) break;
  }
  return taken;
}

async function addPets(count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let n = 0; n < count; n++) ids.push((await client.createPet({ name: `pet ${n}`, categoryId: 3 })).id);
  return ids;
}

describe('following the feed', () => {
  it('gives every change of an animal in its order, with exact ids', async () => {
    const categoryId = 9_223_372_036_854_775_807n;
    const pet = await client.createPet({ name: 'Rex', categoryId });
    const changed = await client.updatePet(pet.id, { status: 'pending' });
    await client.deletePet(pet.id);
    const events = (await take(3)).map(({ event }) => event);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['pet.created', { pet }],
      ['pet.updated', { pet: changed, previous: { status: 'available' } }],
      ['pet.deleted', { pet: changed }],
    ]);
    expect(events.map(({ id }) => id)).toEqual([start + 1n, start + 2n, start + 3n]);
  });

  it('waits for what happens later', async () => {
    const coming = take(2);
    const ids = await addPets(2);
    expect((await coming).map(({ event }) => event.data.pet?.id)).toEqual(ids);
  });

  it('goes through many pages without a pause between full ones', async () => {
    const ids = await addPets(7);
    await take(7);
    running.proxy.seen();
    // Long enough to be noticed if there was a pause.
    const events = await take(6, { after: start, limit: 2 }, { pollMs: 600_000 });
    expect(events.map(({ event }) => event.data.pet?.id)).toEqual(ids.slice(0, 6));
    expect(running.proxy.seen()).toHaveLength(3);
  });

  it('goes on exactly behind any position that was kept', async () => {
    await addPets(5);
    const all = await take(5);
    for (const [n, { position }] of all.slice(0, 4).entries()) {
      expect(await take(4 - n, { after: position })).toEqual(all.slice(n + 1));
    }
  });

  it('gives empty pages with the position of now', async () => {
    for await (const page of client.eventPages({ after: 'latest' }, FAST)) {
      expect(page).toEqual({ events: [], position: start, isCaughtUp: true });
      break;
    }
  });

  const error = (status: number, code: string): Fault => ({
    kind: 'answer',
    answer: {
      status,
      headers: { 'Content-Type': 'application/json', 'Retry-After': '0' },
      body: JSON.stringify({ code, message: 'Made up.', status }),
    },
  });

  it('misses and repeats nothing when requests fail on the way', async () => {
    const ids = await addPets(4);
    await take(4);
    const unavailable = error(503, 'service_unavailable');
    running.proxy.next({ kind: 'cut' }, { kind: 'truncate' }, unavailable, { kind: 'cut-after-work' });
    const events = await take(4, { after: start, limit: 1 });
    expect(events.map(({ event }) => event.data.pet?.id)).toEqual(ids);
  });

  it('gives up when the retries are used up, and can be started again at the position', async () => {
    const [first, second] = await addPets(2);
    await take(2);
    const impatient = new PetStoreClient({
      baseUrl: `${running.proxy.origin}/v1`,
      apiKey: await running.store.issueKey(),
      maxRetries: 1,
    });
    let last = start;
    const follow = async (): Promise<void> => {
      for await (const { event, position } of impatient.events({ after: start, limit: 1 }, FAST)) {
        expect(event.data.pet?.id).toBe(first);
        last = position;
        running.proxy.next({ kind: 'cut' }, { kind: 'cut' });
      }
    };
    await expect(follow()).rejects.toMatchObject({ name: 'NoAnswerError', operation: 'listEvents' });
    const [{ event } = { event: undefined }] = await take(1, { after: last });
    expect(event?.data.pet?.id).toBe(second);
  });

  it('says when a position is not kept', async () => {
    const failure = await take(1, { after: 9_223_372_036_854_775_807n }).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(PositionGoneError);
    expect(failure).toMatchObject({ name: 'PositionGoneError', code: 'position_gone', status: 410 });
    expect(isApiError(failure, 'position_gone')).toBe(true);
  });

  it('says so too when the position is lost while it follows', async () => {
    await addPets(2);
    await take(2);
    const follow = async (): Promise<void> => {
      for await (const page of client.eventPages({ after: start, limit: 1 }, FAST)) {
        expect(page.events).toHaveLength(1);
        running.proxy.next(error(410, 'position_gone'));
      }
    };
    await expect(follow()).rejects.toBeInstanceOf(PositionGoneError);
  });

  it('ends with the reason of its signal, in a request and in a pause', async () => {
    const reason = new Error('enough');
    for (const fault of ['hang', 'none'] as const) {
      const controller = new AbortController();
      const follow = async (): Promise<void> => {
        const options = { pollMs: 600_000, signal: controller.signal };
        for await (const { isCaughtUp } of client.eventPages({ after: start }, options)) {
          expect(isCaughtUp).toBe(true);
        }
      };
      running.proxy.next({ kind: fault });
      setTimeout(() => {
        controller.abort(reason);
      }, 200);
      await expect(follow()).rejects.toBe(reason);
    }
  });

  it('does not go on without a position, as when a gateway removes the link', async () => {
    running.proxy.next({ kind: 'answer', answer: { status: 200, body: '[]' } });
    await expect(take(1)).rejects.toMatchObject({ name: 'UnexpectedResponseError', status: 200 });
  });

  it('does not ask a cache without a pause that gives one full page for every position', async () => {
    const body = `[{"id":${start + 1n},"type":"pet.created","timestamp":"2026-11-21T19:12:07.123Z","data":{}}]`;
    const headers = { Link: `</v1/events?after=${start + 1n}>; rel="next"` };
    const cached: Fault = { kind: 'answer', answer: { status: 200, headers, body } };
    const controller = new AbortController();
    let pages = 0;
    const follow = async (): Promise<void> => {
      const options = { pollMs: 600_000, signal: controller.signal };
      for await (const page of client.eventPages({ after: start, limit: 1 }, options)) {
        expect(page.isCaughtUp).toBe(false);
        if (++pages < 2) continue;
        setTimeout(() => {
          controller.abort(new Error('enough'));
        }, 300);
      }
    };
    running.proxy.next(cached, cached);
    await expect(follow()).rejects.toThrow('enough');
    expect(pages).toBe(2);
  });
});
