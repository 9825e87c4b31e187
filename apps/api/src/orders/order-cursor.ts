import { OrderId, type OrderPageRequest, OrderStatus } from '@petstore/order-domain';
import { PetId } from '@petstore/pet-domain';
import { CHECK_LENGTH, fromBase36, isIntact, toBase36, withCheck } from '../lists/cursor-text.js';

/*
 * The place of a page in a list of orders as text: `<check>o_<state><id>`, in a list of one animal followed by
 * `-<animal>`. The state is one digit, 0 in a list of all.
 */
const FORM = /^[0-9a-z]{7}o_[0-7][1-9a-z][0-9a-z]{0,12}(-[1-9a-z][0-9a-z]{0,12})?$/;
const PREFIX = 'o_';

/** A position in a list of orders, bound to the filters of that list. */
export type OrderListPosition = Required<Pick<OrderPageRequest, 'status' | 'petId'>> & {
  readonly before: OrderId;
};

export const OrderCursor = {
  encode({ status, petId, before }: OrderListPosition): string {
    const state = status === undefined ? 0 : OrderStatus.ALL.indexOf(status) + 1;
    return withCheck(
      `${PREFIX}${state}${toBase36(before)}${petId === undefined ? '' : `-${toBase36(petId)}`}`,
    );
  },
  /** The position, or `undefined` when `encode` never made such a text. */
  decode(text: string): OrderListPosition | undefined {
    if (!FORM.test(text) || !isIntact(text)) return undefined;
    const [list = '', pet] = text.slice(CHECK_LENGTH + PREFIX.length).split('-');
    const before = OrderId.parse(fromBase36(list.slice(1)));
    const petId = pet === undefined ? undefined : PetId.parse(fromBase36(pet));
    if (before === undefined || (pet !== undefined && petId === undefined)) return undefined;
    return { status: OrderStatus.ALL[Number(list.charAt(0)) - 1], petId, before };
  },
} as const;
