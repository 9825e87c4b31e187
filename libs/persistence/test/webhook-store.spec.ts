import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FreeText } from '@petstore/pet-domain';
import type { WebhookUrl } from '@petstore/webhook';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { known } from '../src/testing/known.js';
import { REMOVED_WEBHOOKS } from '../src/webhook/webhook.retention.js';
import { Endpoints, sealed, told, urlOf } from './endpoints.js';
import { outcomeOf, tally } from './shop.js';

let endpoints: Endpoints;

beforeAll(async () => {
  endpoints = await Endpoints.open();
});
afterAll(() => endpoints.close());
beforeEach(() => endpoints.reset());

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FAR = '9223372036854775807' as never;

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
    expect(Buffer.from((await webhooks.find({ id, keyId: 'key_0' })) ?? []).toString()).toBe(json);
    expect(Buffer.from(await webhooks.list('key_0')).toString()).toBe(`[${json}]`);
    expect(await endpoints.secrets(id)).toEqual([['secret', null]]);
  });

  it('is listed newest first, among those of its key alone', async () => {
    const ids = [await endpoints.add('a'), await endpoints.add('b')];
    await endpoints.add('a', 'key_1');
    const listed = JSON.parse(Buffer.from(await endpoints.webhooks.list('key_0')).toString()) as unknown[];
    expect(listed).toMatchObject(ids.reverse().map((id) => ({ id: Number(id) })));
  });

  it('is out of reach for other keys', async () => {
    const id = await endpoints.add('a');
    const request = { id, keyId: 'key_1' };
    const { webhooks } = endpoints;
    const untouched = (): never => {
      throw new Error('This was not to be reached.');
    };
    expect(await webhooks.find(request)).toBeUndefined();
    expect(await webhooks.change(request, untouched)).toBeUndefined();
    expect(await webhooks.remove(request, untouched)).toBe(false);
    expect(await webhooks.rotateSecret(request, sealed('other'), 24)).toBeUndefined();
    expect(await webhooks.find({ id: FAR, keyId: 'key_0' })).toBeUndefined();
    expect(await endpoints.secrets(id)).toEqual([['first of a', null]]);
  });

  it('is one of ten of its key when eleven are added at once', async () => {
    const asked = Array.from({ length: 11 }, (_, n) => outcomeOf(endpoints.add(`site-${n}`)));
    expect(tally(await Promise.all(asked))).toEqual({ ok: 10, WebhookLimitReachedError: 1 });
    expect(await outcomeOf(endpoints.add('another', 'key_1'))).toBe('ok');
  });

  it('is the only one of its key with its URL when two are added at once', async () => {
    const asked = Array.from({ length: 5 }, () => outcomeOf(endpoints.add('a')));
    expect(tally(await Promise.all(asked))).toEqual({ ok: 1, WebhookUrlTakenError: 4 });
    expect(await outcomeOf(endpoints.add('a', 'key_1'))).toBe('ok');
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
    await endpoints.patch(id, { status: 'disabled' });
    expect(await endpoints.rows('select position, status from webhook_deliveries order by id')).toEqual([
      { position: '1', status: 'failed' },
      { position: '2', status: 'delivered' },
      { position: '1', status: 'pending' },
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

describe('a rotation of the secret', () => {
  const rotate = (id: never | string, secret: string, hours: number): Promise<string | undefined> =>
    endpoints.webhooks.rotateSecret({ id: id as never, keyId: 'key_0' }, sealed(secret), hours);

  it('leaves the last one valid for the overlap', async () => {
    const id = await endpoints.add('a');
    expect(told(await rotate(id, 'second', 24))).toEqual(await endpoints.find(id));
    expect(await endpoints.secrets(id)).toEqual([
      ['second', null],
      ['first of a', 24],
    ]);
  });

  it('ends the one before the last at once', async () => {
    const id = await endpoints.add('a');
    await rotate(id, 'second', 168);
    await rotate(id, 'third', 24);
    expect(await endpoints.secrets(id)).toEqual([
      ['third', null],
      ['second', 24],
    ]);
  });

  it('ends all older ones when nothing is to overlap', async () => {
    const id = await endpoints.add('a');
    await rotate(id, 'second', 24);
    await rotate(id, 'third', 0);
    expect(await endpoints.secrets(id)).toEqual([['third', null]]);
  });

  it('leaves two secrets, one of them current, when many rotate at once', async () => {
    const id = await endpoints.add('a');
    await Promise.all(Array.from({ length: 8 }, (_, n) => rotate(id, `secret ${n}`, 24)));
    expect((await endpoints.secrets(id)).map(([, hours]) => hours)).toEqual([null, 24]);
  });
});

describe('the removal of an endpoint', () => {
  it('ends it for everybody at once, and frees its URL', async () => {
    const id = await endpoints.add('a');
    await endpoints.delivery(id, '1', 'pending');
    await endpoints.delivery(id, '2', 'delivered');
    const request = { id, keyId: 'key_0' };
    expect(await endpoints.webhooks.remove(request, () => undefined)).toBe(true);
    expect(await endpoints.webhooks.find(request)).toBeUndefined();
    expect(await endpoints.deliveries.list({ ...request, limit: 20 })).toBeUndefined();
    expect(await endpoints.webhooks.remove(request, () => undefined)).toBe(false);
    expect(await endpoints.secrets(id)).toEqual([]);
    expect(await endpoints.rows(`select from webhook_deliveries where status = 'pending'`)).toEqual([]);
    expect(await outcomeOf(endpoints.add('a'))).toBe('ok');
  });

  it('is none when the check refuses', async () => {
    const id = await endpoints.add('a');
    const refusal = new Error('changed');
    const refused = endpoints.webhooks.remove({ id, keyId: 'key_0' }, () => {
      throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
    expect(await endpoints.find(id)).toMatchObject({ id: Number(id) });
  });

  it('is followed by that of its deliveries, and leaves those of others', async () => {
    const [id, other] = [await endpoints.add('a'), await endpoints.add('b')];
    for (const each of [id, other]) await endpoints.delivery(each, '1', 'delivered');
    await endpoints.webhooks.remove({ id, keyId: 'key_0' }, () => undefined);
    const clear = async (age: number): Promise<number> => {
      let removed = 0;
      for (const rule of REMOVED_WEBHOOKS)
        removed += await removeOldRows(endpoints.feed.database.manager, { ...rule, age });
      return removed;
    };
    expect(await clear(1)).toBe(0);
    expect(await clear(0)).toBe(2);
    expect(await endpoints.rows('select id from webhooks')).toEqual([{ id: other }]);
    expect(await endpoints.rows('select webhook_id from webhook_deliveries')).toEqual([
      { webhook_id: other },
    ]);
  });
});
