import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, CategoryName, FreeText, type PetName } from '@petstore/pet-domain';
import type { DeliveryId } from '@petstore/webhook';
import { known } from '../src/testing/known.js';
import { sealed, urlOf } from './endpoints.js';
import { rex } from './questions.js';
import { Shop } from './shop.js';

let shop: Shop;

beforeAll(async () => {
  // On a busy machine the last one may wait long.
  shop = await Shop.open({ answerTimeoutMs: 10_000 });
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

const MANY = 150;
const KEY = { keyId: 'key_0' };

/** Changes the same thing for the `n`th time; whether it became what was asked. */
type Change = (n: number) => Promise<boolean>;

const CONTENDED: Record<string, () => Promise<Change>> = {
  'changes of one animal': async () => {
    const { id } = await shop.pet();
    return async (n) => {
      const name = `Rex ${n}` as PetName;
      return (await shop.feed.database.pets.change(id, (pet) => ({ ...pet, name })))?.name === name;
    };
  },
  'decisions on one order': async () => {
    const { id } = await shop.orderAt('approve');
    return async () => (await shop.act(id, 'approve'))?.['status'] === 'approved';
  },
  'names of one category': () => {
    const id = known(CategoryId.parse('5'));
    const nameOf = (n: number): CategoryName => known(CategoryName.parse(`Dogs ${n}`));
    return Promise.resolve(async (n) => {
      const outcome = await shop.feed.database.categories.put({ id, name: nameOf(n) }, () => undefined);
      return outcome === 'created' || outcome === 'renamed';
    });
  },
  'changes of the webhooks of one key': async () => {
    const { webhooks } = shop.feed.database;
    const { id } = await webhooks.add(
      { url: urlOf('contended'), types: undefined },
      KEY.keyId,
      sealed('secret'),
    );
    return async (n) => {
      const description = known(FreeText.parse(`For the ${n}th time`));
      const json = await webhooks.change({ id, ...KEY }, (webhook) => ({ ...webhook, description }));
      return json?.includes(description) === true;
    };
  },
};

describe('many at a time', () => {
  it.each(Object.keys(CONTENDED))('%s do not keep others from their transactions', async (name) => {
    const { pets, unitOfWork } = shop.feed.database;
    const change = await CONTENDED[name]?.();
    let over = 0;
    let passThird = (): void => undefined;
    const isThirdOver = new Promise<void>((resolve) => (passThird = resolve));
    const all = Array.from({ length: MANY }, async (_, n) => {
      const result = await change?.(n);
      if (++over === MANY / 3) passThird();
      return result;
    });
    await isThirdOver;
    const before = over;
    await unitOfWork.run((transaction) => pets.add(rex, transaction));
    const meanwhile = over - before;
    expect(await Promise.all(all)).toEqual(all.map(() => true));
    // It waits for the one whose turn it is, not for all that wait.
    expect(meanwhile).toBeLessThan(MANY / 3);
    await shop.feed.expectLaws();
  });
});

describe('what another key may not reach', () => {
  it('makes it wait for no lock: an order and its animal', async () => {
    const { id, pet } = await shop.orderAt('approve');
    const { admin } = shop.feed;
    await admin.query('begin');
    await admin.query('select from orders where id = $1 for update', [id]);
    await admin.query('select from pets where id = $1 for update', [pet.id]);
    const outcomes = Array.from({ length: 20 }, () => shop.act(id, 'cancel', { keyId: 'key_1' }));
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => undefined));
    await admin.query('rollback');
  });

  it('makes it wait for no lock: a delivery', async () => {
    const { webhooks, deliveries } = shop.feed.database;
    const { id } = await webhooks.add({ url: urlOf('mine'), types: undefined }, KEY.keyId, sealed('secret'));
    const { id: delivery } = JSON.parse((await deliveries.test({ id, ...KEY })) ?? '') as { id: number };
    const { admin } = shop.feed;
    await admin.query('update webhook_deliveries set position = 1 where id = $1', [delivery]);
    await admin.query('begin');
    await admin.query('select from webhook_deliveries where id = $1 for update', [delivery]);
    const request = { id, keyId: 'key_1' };
    const outcomes = Array.from({ length: 20 }, () =>
      deliveries.redeliver(request, String(delivery) as DeliveryId),
    );
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => undefined));
    await admin.query('rollback');
  });
});
