import { describe, expect, it } from '@jest/globals';
import { ORDER_TRANSITIONS, type OrderTransition } from '@petstore/order-domain';
import { SETTINGS } from '../../src/configuration/configuration.js';
import type { Call, Client } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { read } from '../deploy/deploy-files.js';
import { serve } from '../support/running-service.js';
import { act, orderOf, ORDERS, place, statusOf } from '../support/shop.js';

const { client } = await serve({ ORDER_PICKUP_HOURS: '48', MAX_OPEN_ORDERS_PER_KEY: '1000' });

const WAYS: Readonly<Record<string, readonly string[]>> = {
  placed: [],
  approved: ['approve'],
  delivered: ['approve', 'deliver'],
  returned: ['approve', 'deliver', 'return'],
  cancelled: ['cancel'],
  declined: ['decline'],
};
const PETS: Readonly<Record<string, string>> = { placed: 'pending', approved: 'pending', delivered: 'sold' };
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
    const lines = ORDER_TRANSITIONS.filter((line) => line.action === action);
    const line = lines.find((each) => each.from === from);
    expectLimitHeaders(reply);
    if (line !== undefined) expect([reply.status, orderOf(reply).status]).toEqual([200, line.to]);
    // A repetition.
    else if (lines.some(({ to }) => to === from))
      expect([reply.status, reply.text]).toEqual([200, before.text]);
    else {
      expectError(reply, 'invalid_order_transition');
      expect(reply.text).toMatch(new RegExp(`An? ${from} order (can only be|is final)`));
    }
    const after = await client.get(`${ORDERS}/${id}`);
    expect(after.text).toBe(line === undefined ? before.text : reply.text);
    expect(await statusOf(client, petId)).toBe(PETS[line?.to ?? from] ?? 'available');
  });
});

describe('an action on an order', () => {
  const ofType = (body: string, type = 'application/json'): Call => ({
    body,
    headers: { 'Content-Type': type },
  });
  const cancel = async (call: Call, to?: string): Promise<Awaited<ReturnType<Client['send']>>> =>
    client.send(to ?? `${ORDERS}/${(await place(client)).id}/cancel`, { method: 'POST', ...call });

  it('begins the time for collecting the animal when it approves the order', async () => {
    const { id } = await place(client);
    const { updatedAt, expiresAt = '' } = orderOf(await act(client, id, 'approve'));
    expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(48 * 3_600_000);
    expect(orderOf(await act(client, id, 'deliver'))).not.toHaveProperty('expiresAt');
  });

  it('may give a reason, which stays', async () => {
    const { id } = await place(client);
    const reply = await act(client, id, 'decline', 'no "garden" 🏡');
    expect(orderOf(reply)).toMatchObject({ status: 'declined', reason: 'no "garden" 🏡' });
    expect((await act(client, id, 'decline', 'another')).text).toBe(reply.text);
  });

  it.each<[string, Call]>([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['an empty body in chunks', { body: '', chunked: true }],
    ['an empty body of JSON', ofType('')],
    ['an empty body of JSON, in chunks', { ...ofType(''), chunked: true }],
    ['an empty body of another type, in chunks', { ...ofType('', 'text/plain'), chunked: true }],
    ['an empty object', ofType('{}')],
    ['unknown members', ofType('{"status":"sold"}')],
  ])('may do without: %s', async (_what, call) => {
    const reply = await cancel(call);
    expect(reply.status).toBe(200);
    expect(orderOf(reply)).not.toHaveProperty('reason');
  });

  it.each<[string, Call, string]>([
    ['a body without a type', { body: '{}' }, 'unsupported_media_type'],
    ['a body of another type', ofType('{}', 'text/plain'), 'unsupported_media_type'],
    ['too much, in chunks without a type', { body: ' '.repeat(17_000), chunked: true }, 'payload_too_large'],
    ['a blank reason', ofType('{"reason":" "}'), 'validation_failed'],
  ])('is refused for %s, before the order is looked for', async (_what, call, code) => {
    const order = `${ORDERS}/${(await place(client)).id}`;
    for (const path of [order, `${ORDERS}/x`]) expectError(await cancel(call, `${path}/cancel`), code);
    expect(orderOf(await client.get(order)).status).toBe('placed');
  });

  it.each(['approve', 'deliver'])('does not read the body to %s an order', async (action) => {
    const { id } = await orderAt(action === 'deliver' ? 'approved' : 'placed');
    expect((await cancel({ body: 'anything' }, `${ORDERS}/${id}/${action}`)).status).toBe(200);
  });
});

describe('the life of an order', () => {
  const contract = read('docs/contract.md');
  const quoted = (text: string): string => `\`${text}\``;
  const { orderHoldHours, orderPickupHours } = SETTINGS;
  const limits = {
    reservation: `${orderHoldHours.fallback} hours`,
    pickup: `${Number(orderPickupHours.fallback) / 24} days`,
  };

  function scopeOf({ actors }: OrderTransition): string {
    const [owner, staff] = [actors.includes('owner'), actors.includes('staff')];
    if (owner) return staff ? '`orders:write`, of its own orders' : '`orders:write`';
    return staff ? '`orders:manage`' : '';
  }

  /** The row of an action, whatever it starts from. */
  function rowOf(line: OrderTransition): string[] {
    const { action, to, pet, limit } = line;
    const from = ORDER_TRANSITIONS.flatMap((each) => (each.action === action ? (each.from ?? []) : []));
    return [
      from.map(quoted).join(', '),
      { place: 'place', expire: '(time)' }[action as string] ?? quoted(action),
      quoted(to),
      scopeOf(line),
      pet === undefined ? '' : `${quoted(pet.from)} to ${quoted(pet.to)}`,
      limit === undefined ? '' : limits[limit],
    ];
  }

  it('is in the table of the contract as in the code', () => {
    const [table = ''] = /^\| from +\| action +\| to [^]*?(?=\n\n)/m.exec(contract) ?? [];
    const rows = table.split('\n').slice(2);
    const written = rows.map((row) => row.slice(1, -1).split('|'));
    const first = ORDER_TRANSITIONS.filter(
      ({ action }, at) => ORDER_TRANSITIONS.findIndex((line) => line.action === action) === at,
    );
    expect(written.map((row) => row.map((cell) => cell.trim()))).toEqual(first.map(rowOf));
  });
});
