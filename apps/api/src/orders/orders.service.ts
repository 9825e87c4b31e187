import { Injectable } from '@nestjs/common';
import { ApiError } from '@petstore/http-server';
import {
  type NewOrder,
  Order,
  type OrderAction,
  orderEvent,
  type OrderId,
  orderJson,
  OrderPolicy,
  type OrderTransition,
  type OrderVisibility,
  PLACE,
} from '@petstore/order-domain';
import { type ChangedPet, OrderStore, type Transaction, UnitOfWork } from '@petstore/persistence';
import { type FreeText, type Pet, PetEvent } from '@petstore/pet-domain';
import type { IdempotencyKey } from '../operations/request-headers.decorator.js';
import { LinkBuilder } from '../operations/link-builder.js';
import type { Created, Page } from '../operations/responses.js';
import { ORDER_LIST, type ListOrdersQuery } from './order.dto.js';
import { ORDER_ERRORS } from './orders.docs.js';

/** A requested action on an order. */
export interface OrderActionRequest {
  readonly id: OrderId;
  readonly action: OrderAction;
  readonly visibility: OrderVisibility;
  /** For people; kept with the order. */
  readonly reason?: FreeText | undefined;
}

/** Listing, placing and changing orders. Every change locks the animal first. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrderStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly policy: OrderPolicy,
    private readonly links: LinkBuilder,
  ) {}

  /** @throws {ApiError} `invalid_cursor` */
  async list(query: ListOrdersQuery, visibility: OrderVisibility): Promise<Page> {
    const list = ORDER_LIST.open(query);
    return list.respond(await this.orders.list({ ...list.page, visibility }), this.links);
  }

  async find(id: OrderId, visibility: OrderVisibility): Promise<Order> {
    const order = await this.orders.find(id, visibility);
    if (order === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
    return order;
  }

  /** Places an order of a key: of many requests for one animal, one gets it. */
  async place(
    keyId: string,
    { petId, reference }: NewOrder,
    key: IdempotencyKey | undefined,
  ): Promise<Created> {
    const wanted = { petId, reference };
    const { maxOpenPerKey } = this.policy;
    // Once one of many requests for an animal has it, the others are refused by a read without locks.
    const preview = await this.orders.previewPlacement(wanted, keyId, key?.token, maxOpenPerKey);
    // The first response is repeated whatever has become of the animal.
    if (!preview.isRemembered) Order.requirePlaceable(preview, this.policy);
    return this.unitOfWork.run(
      (tx) => tx.idempotentRequests.once(key, wanted, () => this.placeWithin(tx, wanted, keyId)),
      // By key first: however many orders of one key wait, one of them is in the way of others at the animal.
      { serialize: [`key ${keyId}`, `pet ${petId}`] },
    );
  }

  /** The order after the action, which is unchanged when the action is repeated. */
  async act({ id, action, visibility, reason }: OrderActionRequest): Promise<Order> {
    const { petId } = await this.find(id, visibility);
    return this.unitOfWork.run(
      async (tx) => {
        const pet = await tx.pets.lock(petId);
        const { order, now } = await tx.orders.lock(id);
        const transition = order.perform(action, now, this.policy, reason);
        if (transition === undefined) return order;
        await tx.orders.update(order);
        tx.emit(orderEvent(order));
        const changed = changePet(tx, order, transition, pet);
        if (changed !== undefined) await tx.pets.update(changed.pet, changed.previous);
        return order;
      },
      { serialize: `pet ${petId}` },
    );
  }

  /**
   * Expires orders whose time is up.
   *
   * @param limit of one transaction
   * @returns how many
   */
  expire(limit: number): Promise<number> {
    return this.unitOfWork.run(
      async (tx) => {
        const due = await tx.orders.lockPetsOfDue(limit);
        if (due.length === 0) return 0;
        const pets = new Map(due.map(({ pet }) => [pet.id, pet]));
        const expired: Order[] = [];
        const released: ChangedPet[] = [];
        for (const { order, now } of await tx.orders.lockAll(due.map(({ orderId }) => orderId))) {
          // Another transaction may have changed it before the animal was locked.
          const transition = order.isOverdue(now) ? order.perform('expire', now, this.policy) : undefined;
          if (transition === undefined) continue;
          expired.push(order);
          tx.emit(orderEvent(order));
          const changed = changePet(tx, order, transition, pets.get(order.petId));
          if (changed !== undefined) released.push(changed);
        }
        await tx.orders.updateAll(expired);
        await tx.pets.updateAll(released);
        return expired.length;
      },
      { isBackground: true },
    );
  }

  private async placeWithin(tx: Transaction, wanted: NewOrder, keyId: string): Promise<Created> {
    const pet = await tx.pets.lock(wanted.petId);
    await tx.orders.lockKey(keyId);
    const { openOrders, now } = await tx.orders.countOpen(keyId, this.policy.maxOpenPerKey);
    const placed = Order.place(wanted, keyId, { petStatus: pet?.status, openOrders }, now, this.policy);
    const order = await tx.orders.insert(placed);
    tx.emit(orderEvent(order));
    const reserved = changePet(tx, order, PLACE, pet);
    if (reserved !== undefined) await tx.pets.update(reserved.pet, reserved.previous);
    return { json: orderJson(order), location: this.links.to(`/store/orders/${order.id}`) };
  }
}

/**
 * Changes the animal of an order as the order's transition says, and emits its event, behind that of the order.
 *
 * @param pet `undefined` when it has been removed
 * @returns the animal, if it has changed
 */
function changePet(
  tx: Transaction,
  order: Order,
  { pet: change }: OrderTransition,
  pet: Pet | undefined,
): ChangedPet | undefined {
  if (pet === undefined || pet.status !== change?.from) return undefined;
  const previous = pet.changeStatusByOrder(change.to);
  tx.emit({ ...PetEvent.updated(pet, previous), happenedAt: order.updatedAt });
  return { pet, previous };
}
