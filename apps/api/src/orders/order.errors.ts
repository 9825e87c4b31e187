import { defineErrors } from '@petstore/http-server';
import {
  InvalidOrderTransitionError,
  OrderLimitReachedError,
  PetNotAvailableError,
} from '@petstore/order-domain';

export const ORDER_ERRORS = defineErrors({
  order_not_found: {
    status: 404,
    message: 'No order has this id.',
    when: 'No order that the key can see has the id in the path.',
  },
  pet_not_available: {
    status: 409,
    refusal: PetNotAvailableError,
    message: 'The animal is not available.',
    when: 'The animal of a new order does not exist, or is pending or sold.',
  },
  invalid_order_transition: {
    status: 409,
    refusal: InvalidOrderTransitionError,
    message: 'The state of the order does not allow this.',
    when: 'The state of the order does not allow the action, or its time is up.',
  },
  order_limit_reached: {
    status: 409,
    refusal: OrderLimitReachedError,
    message: 'The key has as many open orders as it may.',
    when: 'The key has as many orders placed or approved as it may.',
  },
});
