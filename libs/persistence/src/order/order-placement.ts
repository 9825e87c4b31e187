import type { EventSignal } from '@petstore/event-feed';
import {
  type NewOrder,
  type OrderId,
  OrderLimitReachedError,
  PetNotAvailableError,
  type StoredOrder,
} from '@petstore/order-domain';
import { type PetId, PetStatus, type Transaction } from '@petstore/pet-domain';
import type { Turns } from '../connection/turns.js';
import type { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { Contenders } from './contenders.js';
import type { OrderRules } from './order-rules.js';
import { type Placing, PlacingReader, toPlacing } from './placing.reader.js';
import { PET_STATUS } from './order-read-statements.js';
import { PLACE, TAKE_TURN } from './order-write-statements.js';
import { PetStatusReader } from './pet-status.reader.js';

/** How often an animal is asked for that was free when the statement began and reserved when it was its turn. */
const ATTEMPTS = 3;

/** How orders are placed: one gets the animal, and the others cost little. */
export class OrderPlacement {
  private readonly sharedLooks = new SingleFlight();
  private readonly contenders = new Contenders();

  constructor(
    private readonly pipelines: Pipelines,
    private readonly signal: EventSignal,
    private readonly rules: OrderRules,
    /** To wait for the turn of a key in the database would hold a connection each. */
    private readonly turns: Turns,
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
    return this.contenders.run(order.petId, look, () => this.turns.run(`orders of ${keyId}`, attempt));
  }

  /** Together with others who place orders at this moment: each is a transaction of its own. */
  private async placeAlone(order: NewOrder, keyId: string): Promise<StoredOrder> {
    const { writes } = this.pipelines;
    const turn = { statement: TAKE_TURN, values: [keyId] };
    const values = this.valuesOf(order, keyId);
    const placed = await this.untilDecided(() =>
      writes.ask(PLACE, values, new PlacingReader(), undefined, turn),
    );
    this.signal.raise();
    return placed;
  }

  private async placeWithin(transaction: Transaction, order: NewOrder, keyId: string): Promise<StoredOrder> {
    const session = PostgresTransaction.of(transaction);
    session.defer(bound(TAKE_TURN, keyId));
    const placed = await this.untilDecided(async () => {
      const [[row = []] = []] = await session.ask(bound(PLACE, ...this.valuesOf(order, keyId)));
      return toPlacing(row as readonly string[]);
    });
    session.afterCommit(this.signal.raise);
    return placed;
  }

  private valuesOf({ petId, reference }: NewOrder, keyId: string): readonly string[] {
    const { mostOpen, holdHours } = this.rules;
    return [petId, keyId, String(mostOpen), String(holdHours), reference ?? ''];
  }

  private async untilDecided(attempt: () => Promise<Placing>): Promise<StoredOrder> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
      const { isRoomLeft, petStatus, id, json } = await attempt();
      if (id !== '') return { id: id as OrderId, json };
      if (!isRoomLeft) {
        throw new OrderLimitReachedError(
          `A key may have ${this.rules.mostOpen} open orders. Wait until one of them ends.`,
        );
      }
      // Of an animal that others have reserved meanwhile, the statement saw the status before it waited for them.
      const refusal = refusalOf(petStatus);
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
