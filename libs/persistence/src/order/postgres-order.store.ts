import { Inject, Injectable } from '@nestjs/common';
import { EventSignal } from '@petstore/event-feed';
import {
  decideOrder,
  type NewOrder,
  type OrderId,
  type OrderPage,
  type OrderPageRequest,
  type OrderReach,
  type OrderRequest,
  type OrderStatus,
  type OrderStore,
  type OrderTransition,
  type StoredOrder,
} from '@petstore/order-domain';
import type { PetId, Transaction, UnitOfWork } from '@petstore/pet-domain';
import { plainArrayLiteral } from '../columns/array-literals.js';
import { JsonRowReader, JsonRowsReader } from '../columns/json-rows.reader.js';
import { Turns } from '../connection/turns.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { BACKGROUND_WORK } from '../unit-of-work/background-work.js';
import { isTrue } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { READ_BY_INDEX } from '../unit-of-work/read-by-index.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';
import { ORDER_RULES, type OrderRules } from './order-rules.js';
import { OrderPlacement } from './order-placement.js';
import { findQuery, pageQuery } from './order-read-statements.js';
import { EXPIRE, LOCK, LOCK_PET_OF_ORDER, LOCK_PETS_OF_DUE, statementOf } from './order-write-statements.js';

/** An order that was committed between the two locks of a transaction, which therefore holds the second one only. */
const TOO_NEW = Symbol('order is too new');

/** Orders in PostgreSQL. Reads go through pipelines, changes are transactions of two round trips. */
@Injectable()
export class PostgresOrderStore implements OrderStore {
  private readonly sharedReads = new SingleFlight();
  /** Orders that are being placed, by animal. */
  private readonly placement: OrderPlacement;

  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(PostgresUnitOfWork) private readonly unitOfWork: UnitOfWork,
    @Inject(BACKGROUND_WORK) private readonly backgroundWork: UnitOfWork,
    @Inject(EventSignal) private readonly signal: EventSignal,
    @Inject(ORDER_RULES) private readonly rules: OrderRules,
    @Inject(Turns) turns: Turns,
  ) {
    this.placement = new OrderPlacement(pipelines, signal, rules, turns);
  }

  async list(request: OrderPageRequest): Promise<OrderPage> {
    const { limit } = request;
    // One row more than the page tells whether there is another page, without counting anything.
    const [statement, values] = pageQuery(request, limit + 1);
    const { json, last, more } = await this.sharedReads.share(
      `${statement.name} ${values.join(' ')}`,
      (leaving) => this.pipelines.reads.ask(statement, values, new JsonRowsReader(limit), leaving),
    );
    return { json, last: last as OrderId | undefined, more };
  }

  find(id: OrderId, reach: OrderReach): Promise<Uint8Array | undefined> {
    const [statement, values] = findQuery(id, reach);
    return this.sharedReads.share(values.join(' '), (leaving) =>
      this.pipelines.reads.ask(statement, values, new JsonRowReader(), leaving),
    );
  }

  place(order: NewOrder, keyId: string, transaction?: Transaction): Promise<StoredOrder> {
    return this.placement.place(order, keyId, transaction);
  }

  contend<T>(
    order: NewOrder,
    keyId: string,
    attempt: () => Promise<T>,
    isAnswered?: () => Promise<boolean>,
  ): Promise<T> {
    return this.placement.contend(order, keyId, attempt, isAnswered);
  }

  act(request: OrderRequest): Promise<string | undefined> {
    return this.actOn(request, false);
  }

  expire(most: number): Promise<number> {
    return this.backgroundWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      session.defer(bound(READ_BY_INDEX));
      const [pets = []] = await session.ask(bound(LOCK_PETS_OF_DUE, String(most)));
      if (pets.length === 0) return 0;
      const [[[expired] = []] = []] = await session.ask(
        bound(
          EXPIRE,
          plainArrayLiteral(pets, ([id]) => id ?? undefined),
        ),
      );
      session.afterCommit(this.signal.raise);
      return Number(expired);
    });
  }

  private async actOn(request: OrderRequest, isAgain: boolean): Promise<string | undefined> {
    const { id, reach } = request;
    const json = await this.unitOfWork.run(
      (transaction) => this.actWithin(transaction, request, isAgain),
      // Whoever may not reach the order waits for nobody, and nobody for them.
      `order ${id} for ${keyIdOf(reach) ?? 'all'}`,
    );
    return json === TOO_NEW ? this.actOn(request, true) : json;
  }

  private async actWithin(
    transaction: Transaction,
    { id, action, reach, reason }: OrderRequest,
    isAgain: boolean,
  ): Promise<string | undefined | typeof TOO_NEW> {
    const session = PostgresTransaction.of(transaction);
    const keyId = keyIdOf(reach) ?? null;
    const [pets = [], [row] = []] = await session.ask(
      bound(LOCK_PET_OF_ORDER, id, keyId),
      bound(LOCK, id, keyId),
    );
    const [petId, placedBy, status, isOverdue, json] = (row as readonly string[] | undefined) ?? [];
    if (json === undefined) return undefined;
    const order = {
      id,
      petId: petId as PetId,
      status: status as OrderStatus,
      placedBy: placedBy ?? '',
      isOverdue: isTrue(isOverdue),
    };
    const transition = decideOrder(order, action);
    if (transition === undefined) return json;
    // To lock the animal now would be against the order of all locks. Again, both are found.
    if (pets.length === 0 && !isAgain) return TOO_NEW;
    session.afterCommit(this.signal.raise);
    const [[[after] = []] = []] = await session.askAndCommit(
      bound(statementOf(transition), id, reason ?? null, this.hoursOf(transition)),
    );
    if (typeof after !== 'string') throw new Error('An order that was locked is gone.');
    return after;
  }

  private hoursOf({ limit }: OrderTransition): string | null {
    if (limit === undefined) return null;
    return String(limit === 'hold' ? this.rules.holdHours : this.rules.pickupHours);
  }
}

/** The only key whose orders are within reach. */
function keyIdOf(reach: OrderReach): string | undefined {
  return reach === 'all' ? undefined : reach.keyId;
}
