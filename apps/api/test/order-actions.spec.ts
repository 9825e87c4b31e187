import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ORDER_TRANSITIONS } from '@petstore/order-domain';
import type { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { act, orderOf, ORDERS, place, statusOf } from './shop.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ ORDER_HOLD_HOURS: '1', ORDER_PICKUP_HOURS: '48' });
  client = await running.client();
});
afterAll(() => running.close());

const WAYS: Readonly<Record<string, readonly string[]>> = {
  placed: [],
  approved: ['approve'],
  delivered: ['approve', 'deliver'],
  returned: ['approve', 'deliver', 'return'],
  cancelled: ['cancel'],
  declined: ['decline'],
};
const ANIMAL: Readonly<Record<string, string>> = {
  placed: 'pending',
  approved: 'pending',
  delivered: 'sold',
};
const ACTIONS = ['approve', 'deliver', 'cancel', 'decline', 'return'];

async function orderAt(status: string): Promise<{ id: number; petId: number }> {
  const order = await place(client);
  for (const action of WAYS[status] ?? []) expect((await act(client, order.id, action)).status).toBe(200);
  return order;
}

describe.each(Object.keys(WAYS))('an order that is %s', (from) => {
  it.each(ACTIONS)('to %s it', async (action) => {
    const { id, petId } = await orderAt(from);
    const before = await client.get(`${ORDERS}/${id}`);
    const reply = await act(client, id, action);
    const line = ORDER_TRANSITIONS.find((each) => each.action === action && each.from === from);
    const isRepeated = ORDER_TRANSITIONS.some((each) => each.action === action && each.to === from);
    expectLimitHeaders(reply);
    if (line !== undefined) {
      expect(reply).toMatchObject({ status: 200 });
      expect(orderOf(reply).status).toBe(line.to);
    } else if (isRepeated) expect([reply.status, reply.text]).toEqual([200, before.text]);
    else {
      expectError(reply, 'invalid_order_transition');
      expect(reply.text).toMatch(new RegExp(`An? ${from} order (can only be|is final)`));
    }
    const after = await client.get(`${ORDERS}/${id}`);
    expect(after.text).toBe(line === undefined ? before.text : reply.text);
    expect(await statusOf(client, petId)).toBe(ANIMAL[line?.to ?? from] ?? 'available');
  });
});

describe('an approval', () => {
  it('begins the time for collecting the animal', async () => {
    const { id } = await place(client);
    const { updatedAt, expiresAt = '' } = orderOf(await act(client, id, 'approve'));
    expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(48 * 3_600_000);
    expect(orderOf(await act(client, id, 'deliver'))).not.toHaveProperty('expiresAt');
  });
});

describe('the body of an action', () => {
  const path = async (action = 'cancel'): Promise<string> =>
    `${ORDERS}/${(await place(client)).id}/${action}`;
  const POST = { method: 'POST' };

  it.each([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['an empty body in chunks', { body: '', chunked: true }],
    ['an empty body of JSON', { body: '', headers: { 'Content-Type': 'application/json' } }],
    ['an empty object', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
    ['unknown members', { body: '{"status":"sold"}', headers: { 'Content-Type': 'application/json' } }],
  ])('may be missing: %s', async (_what, call) => {
    const reply = await client.send(await path(), { ...POST, ...call });
    expect(reply.status).toBe(200);
    expect(orderOf(reply)).not.toHaveProperty('reason');
  });

  it('may give a reason, which stays', async () => {
    const { id } = await place(client);
    const reply = await act(client, id, 'decline', 'no "garden" 🏡');
    expect(orderOf(reply)).toMatchObject({ status: 'declined', reason: 'no "garden" 🏡' });
    expect((await act(client, id, 'decline', 'another')).text).toBe(reply.text);
  });

  it.each([
    ['without a type', { body: '{}' }, 'unsupported_media_type'],
    ['without a type, in chunks', { body: '{}', chunked: true }, 'unsupported_media_type'],
    ['of another type', { body: '{}', headers: { 'Content-Type': 'text/plain' } }, 'unsupported_media_type'],
    ['that is no JSON', { body: '{', headers: { 'Content-Type': 'application/json' } }, 'invalid_json'],
    ['that is null', { body: 'null', headers: { 'Content-Type': 'application/json' } }, 'invalid_json'],
    [
      'too large',
      { body: ' '.repeat(17_000), headers: { 'Content-Type': 'application/json' } },
      'payload_too_large',
    ],
    [
      'too large, in chunks and without a type',
      { body: ' '.repeat(17_000), chunked: true },
      'payload_too_large',
    ],
    [
      'null',
      { body: '{"reason":null}', headers: { 'Content-Type': 'application/json' } },
      'validation_failed',
    ],
    [
      'blank',
      { body: '{"reason":" "}', headers: { 'Content-Type': 'application/json' } },
      'validation_failed',
    ],
  ] as const)('is refused %s, before the order is looked for', async (_what, call, code) => {
    const to = await path();
    for (const target of [to, `${ORDERS}/x/cancel`])
      expectError(await client.send(target, { ...POST, ...call }), code);
    expect(orderOf(await client.get(to.replace('/cancel', ''))).status).toBe('placed');
  });

  it.each(['approve', 'deliver'])('is not looked at to %s an order', async (action) => {
    const { id } = await orderAt(action === 'deliver' ? 'approved' : 'placed');
    const reply = await client.send(`${ORDERS}/${id}/${action}`, { ...POST, body: 'anything' });
    expect(reply.status).toBe(200);
    expect((await client.get(`${ORDERS}/${id}`)).status).toBe(200);
  });

  it('is for POST alone', async () => {
    const to = await path();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const reply = await client.send(to, { method });
      expect([reply.status, reply.headers.allow]).toEqual([405, 'OPTIONS, POST']);
    }
  });
});
