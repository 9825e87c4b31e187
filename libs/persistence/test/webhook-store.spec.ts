import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FreeText } from '@petstore/pet-domain';
import type { WebhookUrl } from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { Endpoints, sealed, urlOf } from './endpoints.js';
import { outcomeOf } from './outcomes.js';

let endpoints: Endpoints;

beforeAll(async () => {
  endpoints = await Endpoints.open();
});
afterAll(() => endpoints.close());
beforeEach(() => endpoints.reset());

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('an endpoint', () => {
  it('is what was asked for, in the answer and for every reader', async () => {
    const { webhooks } = endpoints;
    const url = 'https://a.example/?say="\\"' as WebhookUrl;
    const description = known(FreeText.parse('The "site" \\ 🐕'));
    const types = ['order.*', 'pet.updated'];
    const { id, json } = await webhooks.add({ url, types, description }, 'key_0', sealed('secret'));
    expect(JSON.parse(json)).toEqual({
      id: Number(id),
      url,
      types,
      description,
      status: 'enabled',
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(await webhooks.find({ id, keyId: 'key_0' })).toBe(json);
    expect(await webhooks.list('key_0')).toBe(`[${json}]`);
    expect(await endpoints.secrets(id)).toEqual([['secret', null]]);
  });

  it('says that its URL is taken, also when there is no room for another one', async () => {
    for (let n = 0; n < 10; n++) await endpoints.add(`site-${n}`);
    expect(await outcomeOf(endpoints.add('site-3'))).toBe('WebhookUrlTakenError');
    expect(await outcomeOf(endpoints.add('another'))).toBe('WebhookLimitReachedError');
  });
});

describe('a change of an endpoint', () => {
  it('is what every reader gets from then on', async () => {
    const id = await endpoints.add('a', 'key_0', ['pet.*']);
    const description = known(FreeText.parse('The site.'));
    const after = await endpoints.patch(id, { url: urlOf('b'), types: null, description });
    expect(after).toEqual({
      id: Number(id),
      url: urlOf('b'),
      description,
      status: 'enabled',
      createdAt: after['createdAt'],
    });
    expect(await endpoints.find(id)).toEqual(after);
  });

  it('gives the same answer when it changes nothing, and writes nothing', async () => {
    const id = await endpoints.add('a');
    const row = () => endpoints.rows('select *, xmin from webhooks');
    const before = await row();
    expect(await endpoints.patch(id, { url: urlOf('a'), types: null })).toEqual(await endpoints.find(id));
    expect(await row()).toEqual(before);
  });

  it('refuses the URL of another endpoint of the key', async () => {
    const id = await endpoints.add('a');
    await endpoints.add('b');
    expect(await outcomeOf(endpoints.patch(id, { url: urlOf('b') }))).toBe('WebhookUrlTakenError');
    expect(await endpoints.find(id)).toMatchObject({ url: urlOf('a') });
  });

  it('happens one after the other: nobody waits for each other who exchange URLs', async () => {
    const [a, b] = [await endpoints.add('a'), await endpoints.add('b')];
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all([
        outcomeOf(endpoints.patch(a, { url: urlOf('b') })),
        outcomeOf(endpoints.patch(b, { url: urlOf('a') })),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'WebhookUrlTakenError').length).toBeGreaterThan(0);
    }
  });

  it('fails what was still to be delivered when it disables, and nothing else', async () => {
    const [id, other] = [await endpoints.add('a'), await endpoints.add('b')];
    await endpoints.delivery(id, '1', 'pending');
    await endpoints.delivery(id, '2', 'delivered');
    await endpoints.delivery(other, '1', 'pending');
    await endpoints.delivery(id, null, 'pending');
    await endpoints.patch(id, { status: 'disabled' });
    expect(await endpoints.rows('select position, status from webhook_deliveries order by id')).toEqual([
      { position: '1', status: 'failed' },
      { position: '2', status: 'delivered' },
      { position: '1', status: 'pending' },
      // A disabled endpoint gets tests, too.
      { position: null, status: 'pending' },
    ]);
  });

  it('forgives what the service held against an endpoint that it enables', async () => {
    const id = await endpoints.add('a');
    await endpoints.rows(
      `update webhooks set status = 'disabled', disabled_reason = 'failing', failing_since = now()`,
    );
    expect(await endpoints.find(id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      failingSince: expect.stringMatching(INSTANT),
    });
    const kept = await endpoints.patch(id, { description: known(FreeText.parse('Soon.')) });
    expect(kept).toMatchObject({ disabledReason: 'failing', failingSince: expect.anything() });
    const after = await endpoints.patch(id, { status: 'enabled' });
    expect(Object.keys(after)).toEqual(['id', 'url', 'description', 'status', 'createdAt']);
  });
});
