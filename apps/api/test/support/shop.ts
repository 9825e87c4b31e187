import { expect } from '@jest/globals';
import type { Client, Reply } from './client.js';

export const ORDERS = '/v1/store/orders';

/** A response of an operation on an order. */
export interface ToldOrder {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly placedBy: string;
  readonly placedAt: string;
  readonly updatedAt: string;
  readonly expiresAt?: string;
}

export const orderOf = ({ text }: Reply): ToldOrder => JSON.parse(text) as ToldOrder;

/** Id of a new animal. */
export async function addPet(client: Client, status = 'available', categoryId = 7): Promise<number> {
  const reply = await client.post('/v1/pets', { name: 'Rex', categoryId, status });
  expect(reply.status).toBe(201);
  return (JSON.parse(reply.text) as { id: number }).id;
}

export async function statusOf(client: Client, petId: number): Promise<string | undefined> {
  const [pet] = JSON.parse((await client.get(`/v1/pets?ids=${petId}`)).text) as { status: string }[];
  return pet?.status;
}

/** A new order of a new animal. */
export async function place(client: Client, petId?: number): Promise<ToldOrder> {
  const reply = await client.post(ORDERS, { petId: petId ?? (await addPet(client)) });
  expect(reply.status).toBe(201);
  return orderOf(reply);
}

/** Carries out an action; without a body unless there is a reason. */
export function act(client: Client, id: number | string, action: string, reason?: string): Promise<Reply> {
  const path = `${ORDERS}/${id}/${action}`;
  return reason === undefined ? client.send(path, { method: 'POST' }) : client.post(path, { reason });
}
