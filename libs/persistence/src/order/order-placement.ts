import type { EventSignal } from '@petstore/event-feed';
import {
  type NewOrder,
  type OrderId,
  OrderLimitReachedError,
  PetNotAvailableError,
  type StoredOrder,
} from '@petstore/order-domain';
import { type PetId, PetStatus, type Transaction, type UnitOfWork } from '@petstore/pet-domain';
import type { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { type BoundStatement, isTrue, type TextRow } from '../unit-of-work/statement-batch.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { Contenders } from './contenders.js';
import { KeyTurns } from './key-turns.js';
import type { OrderRules } from './order-rules.js';
import { PET_STATUS } from './order-read-statements.js';
import { PLACE, TAKE_TURN } from './order-write-statements.js';
import { PetStatusReader } from './pet-status.reader.js';

/** How often an animal is asked for that was free when the statement began and reserved when it was its turn. */
const ATTEMPTS = 3;

/** How orders are placed: one gets the animal, and the others cost little. */
export class OrderPlacement {
  private readonly sharedLooks = new SingleFlight();
  private readonly contenders = new Contenders();
  /** To wait for the turn of a key in the database would hold a connection each. */
  private readonly turns = new KeyTurns();

  constructor(
    private readonly pipelines: Pipelines,
    private readonly unitOfWork: UnitOfWork,
    private readonly signal: EventSignal,
    private readonly rules: OrderRules,
  ) {}

  /** See {@link OrderStore.place}. */
  place(order: NewOrder, keyId: string, transaction?: Transaction): Promise<StoredOrder> {
    if (transaction !== undefined) return this.placeWithin(transaction, order, keyId);
    return this.contend(order, keyId, () => this.placeAlone(order, keyId));
  }

  /** See {@link OrderStore.contend}. */
  async contend<T>(
    order: NewOrder,
    keyId: string,
    attempt: () => Promise<T>,
    isAnswered: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<T> {
    const look = async (): Promise<void> => {
      const refusal = refusalOf(await this.petStatus(order.petId));
      if (refusal !== undefined && !(await isAnswered())) throw refusal;
    };
    return this.contenders.run(order.petId, look, () => this.turns.run(keyId, attempt));
  }

  /** In a transaction that holds nothing else, which one round trip begins and ends. */
  private async placeAlone(order: NewOrder, keyId: string): Promise<StoredOrder> {
    const placed = await this.untilDecided(() =>
      this.unitOfWork.run(async (transaction) => {
        const session = PostgresTransaction.of(transaction);
        session.defer(bound(TAKE_TURN, keyId));
        const [[row = []] = []] = await session.askAndCommit(this.placing(order, keyId));
        return row;
      }),
    );
    this.signal.raise();
    return placed;
  }

  private async placeWithin(transaction: Transaction, order: NewOrder, keyId: string): Promise<StoredOrder> {
    const session = PostgresTransaction.of(transaction);
    session.defer(bound(TAKE_TURN, keyId));
    const placed = await this.untilDecided(async () => {
      const [[row = []] = []] = await session.ask(this.placing(order, keyId));
      return row;
    });
    session.afterCommit(this.signal.raise);
    return placed;
  }

  private placing({ petId, reference }: NewOrder, keyId: string): BoundStatement {
    const { mostOpen, holdHours } = this.rules;
    return bound(PLACE, petId, keyId, String(mostOpen), String(holdHours), reference ?? null);
  }

  private async untilDecided(attempt: () => Promise<TextRow>): Promise<StoredOrder> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
      const [isRoomLeft, petStatus, id, json] = await attempt();
      if (typeof id === 'string' && typeof json === 'string') return { id: id as OrderId, json };
      if (!isTrue(isRoomLeft))
        throw new OrderLimitReachedError(
          `A key may have ${this.rules.mostOpen} open orders. Wait until one of them ends.`,
        );
      // Of an animal that others have reserved meanwhile, the statement saw the status before it waited for them.
      const refusal = refusalOf(petStatus ?? '');
      if (refusal !== undefined) throw refusal;
    }
    throw new PetNotAvailableError('pending');
  }

  /** One question for all who want the animal. */
  private petStatus(petId: PetId): Promise<string> {
    return this.sharedLooks.share(petId, (leaving) =>
      this.pipelines.reads.ask(PET_STATUS, [petId], new PetStatusReader(), leaving),
    );
  }
}

function refusalOf(petStatus: string): Error | undefined {
  return petStatus === 'available' ? undefined : new PetNotAvailableError(PetStatus.parse(petStatus));
}
