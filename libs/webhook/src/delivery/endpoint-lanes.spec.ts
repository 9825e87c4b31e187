import { describe, expect, it } from '@jest/globals';
import type { WebhookId } from '../endpoint/webhook-id.js';
import { begin, finish, many, of } from '../testing/test-lanes.js';
import type { ClaimedDelivery } from './delivery-queue.js';
import { EndpointLanes, MOST_ACTIVE, NEW_SHARE, PER_PROCESS } from './endpoint-lanes.js';

function placesOf(lanes: EndpointLanes<ClaimedDelivery>, endpoint: number): number | undefined {
  const room = lanes.room();
  return room?.places.get(String(endpoint) as WebhookId) ?? room?.otherPlaces;
}

/** With so many endpoints, which have all responded in time. */
function known(endpoints: number): EndpointLanes<ClaimedDelivery> {
  const lanes = new EndpointLanes<ClaimedDelivery>();
  for (let endpoint = 1; endpoint <= endpoints; endpoint++) {
    lanes.add(many(endpoint, 1));
    finish(lanes, begin(lanes));
  }
  return lanes;
}

describe('the lanes of endpoints', () => {
  it('give a new endpoint one place, and more as soon as it has responded', () => {
    const lanes = new EndpointLanes<ClaimedDelivery>();
    const none = { places: new Map(), held: new Map() };
    expect(lanes.room()).toEqual({ most: 512, ...none, otherPlaces: 1, mostOthers: NEW_SHARE });
    lanes.add(many(1, 1));
    expect(placesOf(lanes, 1)).toBe(0);
    finish(lanes, begin(lanes));
    expect(placesOf(lanes, 1)).toBe(32);
  });

  it('begin four at a time for an endpoint, in their order, and one more when one has ended', () => {
    const lanes = known(1);
    const added = many(1, 10);
    lanes.add(added);
    const begun = begin(lanes);
    expect(begun).toEqual(added.slice(0, 4));
    lanes.end(begun[2] ?? of(1));
    expect(begin(lanes)).toEqual([added[4]]);
  });

  it('take turns among endpoints', () => {
    const lanes = known(3);
    lanes.add([...many(1, 3), ...many(2, 2), ...many(3, 1)]);
    expect(begin(lanes).map(({ webhookId }) => webhookId)).toEqual(['1', '2', '3', '1', '2', '1']);
  });

  it('give back what waits behind a slow attempt, and give fewer places for a minute, then those of a new one', () => {
    let now = 0;
    const lanes = new EndpointLanes<ClaimedDelivery>(() => now);
    lanes.add(many(1, 1));
    finish(lanes, begin(lanes));
    const added = many(1, 20);
    lanes.add(added);
    const begun = begin(lanes);
    const waiting = lanes.slowDown('1' as WebhookId);
    expect(waiting).toEqual(added.slice(4));
    lanes.remove(waiting);
    expect(placesOf(lanes, 1)).toBe(0);
    finish(lanes, begun);
    expect(placesOf(lanes, 1)).toBe(4);
    now = 60_001;
    expect(placesOf(lanes, 1)).toBe(1);
    lanes.add(many(1, 1));
    finish(lanes, begin(lanes));
    expect(placesOf(lanes, 1)).toBe(32);
  });

  it('leave half of all places to the others, however many endpoints are slow', () => {
    const lanes = new EndpointLanes<ClaimedDelivery>();
    for (let endpoint = 1; endpoint <= 40; endpoint++) lanes.slowDown(String(endpoint) as WebhookId);
    const { places = new Map<WebhookId, number>() } = lanes.room() ?? {};
    expect([...places.values()].reduce((sum, free) => sum + free, 0)).toBe(PER_PROCESS / 2);
    for (const [endpoint, free] of places) lanes.add(many(Number(endpoint), free));
    begin(lanes);
    expect([...(lanes.room()?.places.values() ?? [])].every((free) => free === 0)).toBe(true);
    lanes.add(many(99, 1));
    expect(begin(lanes)).toHaveLength(1);
  });

  it('give the places of slow endpoints to those that were used the longest ago', () => {
    const lanes = new EndpointLanes<ClaimedDelivery>();
    for (let endpoint = 1; endpoint <= 40; endpoint++) lanes.slowDown(String(endpoint) as WebhookId);
    const withPlaces = (): string[] =>
      [...(lanes.room()?.places ?? [])].filter(([, free]) => free > 0).map(([endpoint]) => endpoint);
    const first = withPlaces();
    expect(first).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    for (const endpoint of first) lanes.add(many(Number(endpoint), 1));
    finish(lanes, begin(lanes));
    expect(withPlaces()).toEqual(['9', '10', '11', '12', '13', '14', '15', '16']);
  });

  it('do not take an endpoint for fast that has only been given up', () => {
    let now = 0;
    const lanes = new EndpointLanes<ClaimedDelivery>(() => now);
    lanes.add(many(1, 1));
    const begun = begin(lanes);
    lanes.slowDown('1' as WebhookId);
    finish(lanes, begun);
    now = 60_001;
    expect(placesOf(lanes, 1)).toBe(1);
  });

  it('keep no room for endpoints that hung once and are called no more', () => {
    let now = 0;
    const lanes = new EndpointLanes<ClaimedDelivery>(() => now);
    for (let endpoint = 1; endpoint <= 200; endpoint++) {
      lanes.add(many(endpoint, 1));
      const begun = begin(lanes);
      lanes.slowDown(String(endpoint) as WebhookId);
      finish(lanes, begun);
    }
    expect(lanes.room()?.mostOthers).toBe(NEW_SHARE);
    now = 60_001;
    expect(lanes.room()?.mostOthers).toBe(NEW_SHARE);
  });

  it('begin with new endpoints while 200 hang, and with fast ones whatever hangs', () => {
    const lanes = known(1);
    const hang = (endpoint: number): number => {
      lanes.add(many(endpoint, 1));
      const begun = begin(lanes).length;
      lanes.slowDown(String(endpoint) as WebhookId);
      return begun;
    };
    for (let endpoint = 1_000; endpoint < 1_200; endpoint++) expect(hang(endpoint)).toBe(1);
    lanes.add(many(2, 1));
    expect(begin(lanes)).toHaveLength(1);
    for (let endpoint = 1_200; endpoint < 1_400; endpoint++) hang(endpoint);
    lanes.add(many(1, 4));
    expect(begin(lanes)).toHaveLength(4);
    expect(lanes.active).toBeLessThanOrEqual(MOST_ACTIVE);
  });

  it('leave places to fast endpoints and to slow ones, however many new ones there are', () => {
    const lanes = known(1);
    for (let endpoint = 1_000; endpoint < 1_200; endpoint++) lanes.add(many(endpoint, 1));
    expect(begin(lanes)).toHaveLength(NEW_SHARE);
    expect(lanes.room()?.mostOthers).toBe(0);
    lanes.slowDown('200' as WebhookId);
    lanes.add(many(200, 4));
    lanes.add(many(1, 10));
    const begun = begin(lanes).map(({ webhookId }) => webhookId);
    expect(begun.join(' ')).toBe('200 1 200 1 200 1 200 1');
  });

  it('leave places to fast endpoints when others that were fast have taken all and hang', () => {
    const lanes = known(30);
    for (let endpoint = 1; endpoint <= 16; endpoint++) lanes.add(many(endpoint, 4));
    expect(begin(lanes)).toHaveLength(PER_PROCESS);
    lanes.add(many(20, 4));
    expect(begin(lanes)).toEqual([]);
    for (let endpoint = 1; endpoint <= 16; endpoint++) lanes.slowDown(String(endpoint) as WebhookId);
    lanes.add(many(21, 4));
    expect(begin(lanes)).toHaveLength(8);
    expect(lanes.room()?.places.get('21' as WebhookId)).toBe(28);
  });

  it('say how much each endpoint holds, so that those with less come first', () => {
    const lanes = known(2);
    lanes.add(many(1, 30));
    expect(lanes.room()?.held).toEqual(
      new Map([
        ['1', 30],
        ['2', 0],
      ]),
    );
  });

  it('remember a bounded number of endpoints', () => {
    const lanes = new EndpointLanes<ClaimedDelivery>();
    for (let endpoint = 1; endpoint <= 2_000; endpoint++) {
      lanes.add(many(endpoint, 1));
      finish(lanes, begin(lanes));
    }
    expect(lanes.room()?.places.size).toBeLessThanOrEqual(501);
  });
});
